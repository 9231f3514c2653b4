/*!
 * \file row_builder.h
 * \brief Loops over rows, in which reductions and elementwise nests run by vectors.
 */
#ifndef UIR_SCHEDULE_ROW_BUILDER_H_
#define UIR_SCHEDULE_ROW_BUILDER_H_

#include "./sibling_nests.h"

namespace uir::schedule {

struct RowParameters {
  /*! \brief The bits of a vector, from which each nest has its number of lanes. */
  int64_t vector_bits;
  /*! \brief The number of vectors to which a reduction adds in turn. */
  int64_t vectors;
  /*! \brief The columns that are reduced together, where a row is reduced across. */
  int64_t column_block;
  bool is_parallel;
};

/*! \brief How the reduction of a nest runs: along elements that are neighbours, or by columns that
 * are. */
enum class RowReductionKind { kAlong, kColumns };

/*! \brief The way of a nest with a reduction; none if vectors do not help. */
std::optional<RowReductionKind> ReductionKindOf(const LoopNest& nest);

/*! \brief The loops over rows, with the nests and their buffers in them. */
tir::Stmt BuildRows(const FusedNests& fused, const RowParameters& parameters);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_ROW_BUILDER_H_
