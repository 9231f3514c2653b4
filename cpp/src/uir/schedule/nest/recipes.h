/*!
 * \file recipes.h
 * \brief Recipes as lists of primitives.
 */
#ifndef UIR_SCHEDULE_NEST_RECIPES_H_
#define UIR_SCHEDULE_NEST_RECIPES_H_

#include <vector>

#include "../contraction.h"
#include "./nest.h"

namespace uir::schedule::nest {

/*! \brief The arguments of the recipes for contractions. */
struct ContractionParameters {
  /*! \brief Rows and vectors of the sums that stay in registers. */
  int64_t rows;
  int64_t vectors;
  int lanes;
  /*! \brief The extents of blocks, in elements; 0 for no blocks. */
  int64_t sum_block;
  int64_t row_block;
  int64_t column_block;
  bool is_parallel;
};

/*! \brief The innermost loops in registers: over rows, over vectors of columns, and over lanes. */
Nest RowsOfVectors(const Nest& nest, const tir::Var& row, const tir::Var& column, int64_t lanes);

/*! \brief The roles of the axes of a contraction; rows are those that have none here. */
struct Roles {
  /*! \brief Axes that stay outermost; of a blocked window, its blocks of channels. */
  std::vector<tir::Var> outer;
  tir::Var column;
  /*! \brief Whether the right operand lies as it is read, in panels or in words of bytes. */
  bool is_packed;
  /*! \brief Whether threads share the outer axes, and not the rows. */
  bool shares_outer = false;
};

Roles RolesOf(const Contraction& contraction);

// These recipes add loops to a nest. It may have loops of a user, inside of which theirs are: axes
// whose elements a user's loops already reach get no other loop, and steps become divisors of the
// user's.

/*!
 * \brief A contraction, blocked for registers and caches.
 *
 * The list follows "Anatomy of High-Performance Matrix Multiplication" (Goto, van de Geijn, 2008):
 *
 *     for column blocks, for blocks of the sum:
 *       pack the right operand into panels of a few vectors
 *       for row blocks, for panels, for groups of rows:
 *         sums in registers
 *
 * A right operand that lies in panels is read where it is. Threads share the blocks of rows, or the
 * blocks of columns if all rows are one block and the right operand is packed. Columns that do
 * not fill a panel go through a tile of the panel's width. Rows that do not fill a group form
 * groups of fewer rows.
 */
Nest Packed(Nest nest, const Roles& roles, const ContractionParameters& by);

/*! \brief A contraction of few rows, whose right operand is read in place: some of its rows side by
 * side, from the first column to the last. */
Nest InPlace(Nest nest, const Roles& roles, const ContractionParameters& by);

/*! \brief A contraction with a copy of the right operand where vectors would read behind it. */
Nest WithNeededCopies(const Nest& nest);

/*! \brief The axes of a window whose channels lie in blocks. */
struct ChannelBlocks {
  /*! \brief The axes of blocks of channels, of images and their lines, and of a line's pixels. */
  std::vector<tir::Var> blocks;
  std::vector<tir::Var> lines;
  tir::Var pixel;
  tir::Var channel;
  /*! \brief How the loops are parallel. */
  enum class Threads { kNone, kBlocks, kLines } threads;
};

/*!
 * \brief A window whose channels lie in blocks. Its row counts the pixels of a line, its column the
 * channels of a block; a block of the sum has about `sum_block` terms.
 *
 * A vector is neighbouring channels of a pixel, so that nothing is packed, and lines of any length
 * fill the vectors. These are the direct convolutions of "Anatomy of High-Performance Deep Learning
 * Convolutions on SIMD Architectures" (Georganas et al., 2018).
 */
Nest BlockedWindow(Nest nest, const ChannelBlocks& axes, const ContractionParameters& by);

/*!
 * \brief Elements by whole vectors, then the remaining ones: as a narrower vector if their number
 * is known, else one by one.
 * \param nest The nest.
 * \param lanes The lanes of a vector.
 * \param outermost The kind of the outermost loop.
 */
Nest ByVectors(Nest nest, int64_t lanes, tir::ForKind outermost);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_RECIPES_H_
