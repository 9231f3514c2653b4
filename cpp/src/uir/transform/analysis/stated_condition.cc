// The conditions of `tir.assume`.
#include "./stated_condition.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/expr.h>

namespace uir::transform {

std::optional<ir::PrimExpr> StatedConditionOf(const tir::EvaluateNode* op) {
  const auto* call = op->value.as<tir::CallNode>();
  if (call == nullptr || call->args.size() != 1) return std::nullopt;
  // Never destroyed, because passes may run during static destruction.
  static const auto* const assume = new ir::Op(ir::get_op("tir.assume"));
  if (!call->op.same_as(*assume)) return std::nullopt;
  return call->args[0];
}

}  // namespace uir::transform
