/*!
 * \file carried_values.h
 * \brief The next values of a loop's variables, and what these may overwrite.
 */
#ifndef UIR_TRANSFORM_REWRITE_CARRIED_VALUES_H_
#define UIR_TRANSFORM_REWRITE_CARRIED_VALUES_H_

#include <uir/relay/block.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace uir::transform {

/*! \brief The next value of a loop's variable. */
struct NextValue {
  /*! \brief The variable of the body that is bound to it, or null. */
  const relay::VarNode* var = nullptr;
  /*! \brief Whether it may have the memory of the loop's variable: it is computed after the last
   * use of that, and of all that may share its memory. */
  bool is_after_uses = false;
  /*! \brief The place of the loop's variable among the tensors that a call takes, if the call
   * computes the next value, and is the last use. */
  std::optional<size_t> operand;
};

/*! \brief Find the next value of each variable of a loop. */
std::vector<NextValue> FindNextValues(const relay::WhileNode* loop);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_CARRIED_VALUES_H_
