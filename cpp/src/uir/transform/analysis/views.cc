// Views: calls of operators of the kind `view` on tensors.
#include "./views.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

namespace {

bool IsTensor(const ir::RelayExpr& value) {
  return value->checked_type.has_value() &&
         value->checked_type.value().as<ir::TensorTypeNode>() != nullptr;
}

}  // namespace

const relay::CallNode* ViewCallOf(const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
  if (!op || ir::op_attr(*op, "kind").as<ffi::String>() != ffi::String("view")) return nullptr;
  const bool is_known = !call->args.empty() && IsTensor(call->args[0]) && IsTensor(value);
  return is_known ? call : nullptr;
}

}  // namespace uir::transform
