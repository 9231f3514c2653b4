/*!
 * \file lane_reduction.h
 * \brief Reductions along neighbouring elements, by several vectors at once.
 *
 * Terms are combined in an order that depends only on their number: in the lanes of several vectors
 * in turn, then these vectors in pairs, and then the halves of one vector until one lane is left.
 * Terms that do not fill a vector are combined with a half of the same number of lanes.
 */
#ifndef UIR_SCHEDULE_LANE_REDUCTION_H_
#define UIR_SCHEDULE_LANE_REDUCTION_H_

#include "./loop_nest.h"
#include "./row_reduction.h"

namespace uir::schedule {

/*! \brief Whether vectors can run along a loop: all loads of a term are contiguous along it, or
 * the same for all iterations. */
bool RunsAlong(const ir::PrimExpr& term, const tir::For& loop);

/*!
 * \brief The bits of the widest number that an expression computes with, at least those of `dtype`.
 */
int WidestBits(const ir::PrimExpr& value, DLDataType dtype);

/*!
 * \brief Reduce by vectors, without the loops over elements.
 * \param nest A nest with a reduction, whose last loop runs along neighbouring elements.
 * \param reduction The result of `MatchRowReduction` for the nest.
 * \param lanes The lanes of a vector, a power of two.
 * \param vectors The number of vectors to which terms are added in turn.
 * \return None if the terms have no form as vectors.
 */
std::optional<tir::Stmt> ReduceByVectors(const LoopNest& nest, const RowReduction& reduction,
                                         int lanes, int64_t vectors);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_LANE_REDUCTION_H_
