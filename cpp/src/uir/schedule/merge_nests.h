/*!
 * \file merge_nests.h
 * \brief Fuses two nests of which the second reads each element that the first stores.
 */
#ifndef UIR_SCHEDULE_MERGE_NESTS_H_
#define UIR_SCHEDULE_MERGE_NESTS_H_

#include <optional>

#include "./loop_nest.h"

namespace uir::schedule {

/*!
 * \brief Compute the elements of an elementwise nest in the loops of the nest that reads them.
 *
 *     for i: e[i] = exp(x[i])
 *     for i: y[i] = e[i] * e[i]          becomes      for i: y[i] = let e = exp(x[i]) in e * e
 *
 * \param writer The elementwise nest.
 * \param reader The elementwise nest after it, which reads the elements that the writer stores.
 * \return The outermost loop; none if the nests do not have the same elements, or if only one of
 * them uses neighbours, which vectors need.
 */
std::optional<tir::Stmt> ComputeInReader(const LoopNest& writer, const LoopNest& reader);

/*!
 * \brief Make an elementwise nest the epilogue of the contraction whose result it reads.
 *
 *     for i: for j: { c[i, j] = 0; for k: c[i, j] += ... }
 *     for i: for j: y[i, j] = max(c[i, j] + b[j], 0)
 *
 * becomes
 *
 *     for i: for j: { y[i, j] = 0; for k: y[i, j] += ...; y[i, j] = max(y[i, j] + b[j], 0) }
 *
 * A result of another data type than the sum stays in a separate buffer.
 *
 * \param sum The contraction, without an epilogue.
 * \param reader The elementwise nest.
 * \return The outermost loop; none if the nests do not have the same elements, or if the epilogue
 * has no form for vectors.
 */
std::optional<tir::Stmt> AddEpilogue(const LoopNest& sum, const LoopNest& reader);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_MERGE_NESTS_H_
