/*!
 * \file sibling_nests.h
 * \brief Fuses consecutive nests into one loop over their common rows.
 *
 * In: nests whose first loops have the same extents, such as
 *
 *     for i in range(n): { sum[i] = 0; for k in range(8): sum[i] = sum[i] + x[i, k] }
 *     for i in range(n): for j in range(8): y[i, j] = x[i, j] / sum[i]
 *
 * Out: the common loops, and the nests inside them. A row must not depend on another row.
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
  /*! \brief The rest of each nest: its other loops, in the variables of the common ones. */
  std::vector<LoopNest> nests;
  /*! \brief Buffers of one row, which replace larger ones in the nests. */
  std::vector<tir::Buffer> buffers;
  /*! \brief The larger ones, which are no longer used. */
  std::vector<tir::Buffer> replaced;
};

/*!
 * \brief Fuse nests into common loops.
 * \param nests The nests in program order, at least one.
 * \param num_rows The number of common loops.
 * \param uses The uses of the function's buffers; buffers that only the nests use are shrunk.
 * \return None if the nests do not have such loops, or if a row may depend on another one.
 */
std::optional<FusedNests> FuseNests(const std::vector<LoopNest>& nests, size_t num_rows,
                                    const BufferUses& uses);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_SIBLING_NESTS_H_
