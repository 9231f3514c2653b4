/*!
 * \file contraction_builder.h
 * \brief The loops of a contraction, blocked for registers and caches.
 *
 * The text follows "Anatomy of High-Performance Matrix Multiplication" (Goto, van de Geijn, 2008):
 *
 *     for column blocks, for blocks of the sum:
 *       pack the right operand into panels of a few vectors
 *       for row blocks, for panels, for groups of rows:
 *         sums in registers = start, or the sums of the previous block
 *         for k: sums += left * panel
 *         store the sums
 *
 * Columns that do not fill a panel go through a tile of the panel's width. Rows that do not fill a
 * group form groups of fewer rows.
 */
#ifndef UIR_SCHEDULE_CONTRACTION_BUILDER_H_
#define UIR_SCHEDULE_CONTRACTION_BUILDER_H_

#include <uir/tir/builder.h>

#include "./contraction.h"

namespace uir::schedule {

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

/*! \brief Blocked loops over a packed right operand. */
tir::Stmt BuildPacked(const Contraction& contraction, const ContractionParameters& parameters);

/*! \brief Loops over a right operand that is read in place, for few rows. */
tir::Stmt BuildInPlace(const Contraction& contraction, const ContractionParameters& parameters);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CONTRACTION_BUILDER_H_
