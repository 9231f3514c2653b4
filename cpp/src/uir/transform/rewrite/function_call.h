/*!
 * \file function_call.h
 * \brief Calls of the module's functions, whose types the constructor cannot infer.
 */
#ifndef UIR_TRANSFORM_REWRITE_FUNCTION_CALL_H_
#define UIR_TRANSFORM_REWRITE_FUNCTION_CALL_H_

#include <uir/relay/expr.h>

#include <utility>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief A copy of a call of a function, with a type.
 * \param assumptions The conditions under which the call has the type.
 */
inline relay::Call WithType(const relay::Call& call, ir::Type type,
                            ffi::Optional<ffi::Array<ir::PrimExpr>> assumptions = std::nullopt) {
  relay::Call typed(call->op, call->args, call->attrs, call->span);
  // The node is not shared yet.
  auto* node = const_cast<relay::CallNode*>(typed.get());
  node->checked_type = std::move(type);
  node->assumptions = std::move(assumptions);
  return typed;
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_FUNCTION_CALL_H_
