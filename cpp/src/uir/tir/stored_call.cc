// Upgrades calls of intrinsics in files of older versions: constants become expressions.
#include "./stored_call.h"

#include <uir/ir/stored_call.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::tir {

ir::PrimExpr AttributeArgument(const ffi::Any& attribute) {
  if (const auto text = attribute.as<ffi::String>()) return ir::StringImm(*text);
  return as_expr(attribute);
}

bool UpgradeStored(const ir::OpNode* called, CallNode* call) {
  const ffi::Array<ffi::Any> stored(call->args.begin(), call->args.end());
  std::optional<ir::UpgradedCall> upgraded = ir::UpgradeStoredCall(called, stored, nullptr);
  if (!upgraded) return false;
  ffi::Array<ir::PrimExpr> args;
  for (const ffi::Any& one : upgraded->args) {
    // A call of tir omits absent operands.
    if (one != nullptr) args.push_back(AttributeArgument(one));
  }
  call->op = std::move(upgraded->op);
  call->args = std::move(args);
  return true;
}

}  // namespace uir::tir
