// The data type that a call has where the text states none.
#include "./call_types.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/opaque_intrinsic.h>

#include <string_view>

namespace uir::script {

namespace {

bool IsTest(std::string_view name) {
  return name == "tir.isnan" || name == "tir.isinf" || name == "tir.isfinite" ||
         name == "tir.isnullptr" || name == "tir.all" || name == "tir.any";
}

}  // namespace

DLDataType DefaultCallType(const ir::RelayExpr& callee, const ffi::Array<ir::PrimExpr>& args) {
  const auto* op = callee.as<ir::OpNode>();
  if (op == nullptr || args.empty()) return ir::kVoid;
  const std::string_view name(op->name.data(), op->name.size());
  if (name == "tir.ret") return ir::kVoid;
  if (IsTest(name)) return ir::WithLanes(ir::BoolType(), ir::LanesOf(args[0]->dtype));
  if (name == "tir.if_then_else" && args.size() > 1) return args[1]->dtype;
  return args[0]->dtype;
}

bool StatesType(const tir::CallNode* call) {
  if (DefaultCallType(call->op, call->args) != call->dtype) return true;
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr || call->args.size() < 2) return false;
  // The reader takes a leading string of these for the data type.
  if (call->args[0].as<ir::StringImmNode>() == nullptr) return false;
  const std::string_view name(op->name.data(), op->name.size());
  return name == "tir.call_extern" || name == "tir.call_pure_extern" ||
         tir::IsOpaqueIntrinsic(name);
}

}  // namespace uir::script
