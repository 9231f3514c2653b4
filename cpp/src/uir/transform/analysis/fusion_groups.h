/*!
 * \file fusion_groups.h
 * \brief The groups of operators of a high-level function that become one kernel each.
 *
 * In: a function in A-normal form, with types. Out: groups of bindings. A value joins the group of
 * its users if all of them are in one group, in the same block, and the kinds of the operators
 * permit it. So only one value leaves a group, and no path leaves a group and enters it again.
 *
 * This is fusion along immediate post-dominators, as in TVM's `FuseOps` (Chen et al., OSDI 2018),
 * decided from the last binding to the first in linear time.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_FUSION_GROUPS_H_
#define UIR_TRANSFORM_ANALYSIS_FUSION_GROUPS_H_

#include <uir/relay/function.h>

#include <cstdint>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Bindings that become one kernel, in order; only the last one is used outside. */
using FusionGroup = std::vector<relay::Binding>;

/*!
 * \brief Find the groups of at least two operators, at least one of which is not a view.
 * \param func The function.
 * \param max_ops The maximum number of operators in a group; at least 1.
 * \return The groups; those of a block in the order of their last bindings.
 */
std::vector<FusionGroup> FindFusionGroups(const relay::Function& func, int64_t max_ops);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_FUSION_GROUPS_H_
