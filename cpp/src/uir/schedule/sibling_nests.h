/*!
 * \file sibling_nests.h
 * \brief Nests that stand one behind the other, as one loop over the rows that they share.
 *
 * In: nests whose first loops have the same extents, such as
 *
 *     for i in range(n): { sum[i] = 0; for k in range(8): sum[i] = sum[i] + x[i, k] }
 *     for i in range(n): for j in range(8): y[i, j] = x[i, j] / sum[i]
 *
 * Out: the common loops, and what stands in them. A row must not need what another row computes.
 */
#ifndef UIR_SCHEDULE_SIBLING_NESTS_H_
#define UIR_SCHEDULE_SIBLING_NESTS_H_

#include <uir/tir/function.h>

#include <optional>
#include <vector>

#include "./buffer_uses.h"
#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief Nests in common loops. */
struct FusedNests {
  /*! \brief The common loops, outermost first. */
  std::vector<tir::For> rows;
  /*! \brief What is left of each nest: its other loops, over variables of the common ones. */
  std::vector<LoopNest> nests;
  /*! \brief Buffers of one row, which the nests use in the place of larger ones. */
  std::vector<tir::Buffer> buffers;
  /*! \brief The larger ones, which are no longer used. */
  std::vector<tir::Buffer> replaced;
};

/*!
 * \brief Put nests into common loops.
 * \param nests The nests, in the order in which they stand, at least one.
 * \param num_rows The number of common loops.
 * \param uses The uses of the function's buffers; buffers that only the nests use are shrunk.
 * \return None if the nests do not have such loops, or if a row may need another one.
 */
std::optional<FusedNests> FuseNests(const std::vector<LoopNest>& nests, size_t num_rows,
                                    const BufferUses& uses);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_SIBLING_NESTS_H_
