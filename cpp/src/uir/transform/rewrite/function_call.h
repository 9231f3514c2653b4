/*!
 * \file function_call.h
 * \brief Calls of functions of the module, whose types their constructor cannot know.
 */
#ifndef UIR_TRANSFORM_REWRITE_FUNCTION_CALL_H_
#define UIR_TRANSFORM_REWRITE_FUNCTION_CALL_H_

#include <uir/relay/expr.h>

#include <utility>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief A copy of a call of a function, which has the given type.
 * \param assumptions The conditions under which it has.
 */
inline relay::Call WithType(const relay::Call& call, ir::Type type,
                            ffi::Optional<ffi::Array<ir::PrimExpr>> assumptions = std::nullopt) {
  relay::Call typed(call->op, call->args, call->attrs, call->span);
  // Nothing else has seen the node yet.
  auto* node = const_cast<relay::CallNode*>(typed.get());
  node->checked_type = std::move(type);
  node->assumptions = std::move(assumptions);
  return typed;
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_FUNCTION_CALL_H_
