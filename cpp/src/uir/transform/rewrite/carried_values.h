/*!
 * \file carried_values.h
 * \brief The variables of a loop that their next values may overwrite.
 */
#ifndef UIR_TRANSFORM_REWRITE_CARRIED_VALUES_H_
#define UIR_TRANSFORM_REWRITE_CARRIED_VALUES_H_

#include <uir/relay/block.h>

#include <vector>

namespace uir::transform {

/*!
 * \brief Whether each variable of a loop may have the memory of its next value.
 *
 * Then the body computes that value after the last use of the variable, and of all that may share
 * its memory.
 */
std::vector<bool> FindOverwritable(const relay::WhileNode* loop);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_CARRIED_VALUES_H_
