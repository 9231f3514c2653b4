// Calls of functions and of intrinsics on conditions and memory, with checks of the operands.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;
using Span = ffi::Optional<ir::Span>;

[[noreturn]] void ThrowArgument(const char* name, const char* operand, const char* expected,
                                const PrimExpr& got) {
  TVM_FFI_THROW(TypeError) << name << ": operand `" << operand << "` must be " << expected
                           << ", got `" << got->dtype << "` (" << operand << " = "
                           << ir::describe(got) << ")";
  TVM_FFI_UNREACHABLE();
}

void CheckLoad(const char* name, const PrimExpr& load) {
  if (load.as<BufferLoadNode>() == nullptr) ThrowArgument(name, "load", "a `BufferLoad`", load);
}

int64_t BitsOf(DLDataType dtype) { return int64_t{dtype.bits} * ir::LanesOf(dtype); }

}  // namespace

PrimExpr if_then_else(PrimExpr condition, PrimExpr true_value, PrimExpr false_value, Span span) {
  if (condition->dtype != ir::BoolType()) {
    ThrowArgument("if_then_else", "condition", "a scalar boolean", condition);
  }
  const ffi::Tuple<PrimExpr, PrimExpr> values =
      match_types(std::move(true_value), std::move(false_value));
  const PrimExpr first = values.get<0>();
  const PrimExpr second = values.get<1>();
  if (const std::optional<int64_t> decided = IntConstOf(condition)) {
    return *decided != 0 ? first : second;
  }
  return call_intrin(first->dtype, "tir.if_then_else", {std::move(condition), first, second},
                     std::move(span));
}

PrimExpr likely(PrimExpr condition, Span span) {
  if (!ir::IsBool(condition->dtype)) {
    ThrowArgument("likely", "condition", "a boolean", condition);
  }
  if (IntConstOf(condition)) return condition;
  const DLDataType dtype = condition->dtype;
  return call_intrin(dtype, "tir.likely", {std::move(condition)}, std::move(span));
}

PrimExpr ceildiv(PrimExpr a, PrimExpr b, Span span) {
  if (!ir::IsInteger(a->dtype)) ThrowArgument("ceildiv", "a", "an integer", a);
  if (!ir::IsInteger(b->dtype)) ThrowArgument("ceildiv", "b", "an integer", b);
  const PrimExpr rest = sub(b, make_const(1, b->dtype), span);
  return floordiv(add(std::move(a), rest, span), std::move(b), span);
}

PrimExpr reinterpret(PrimExpr value, DLDataType dtype, Span span) {
  if (value->dtype == dtype) return value;
  if (BitsOf(dtype) != BitsOf(value->dtype)) {
    TVM_FFI_THROW(TypeError) << "reinterpret: `dtype` must have as many bits as `" << value->dtype
                             << "`, got `" << dtype << "`";
  }
  return call_intrin(dtype, "tir.reinterpret", {std::move(value)}, std::move(span));
}

PrimExpr address_of(PrimExpr load, Span span) {
  CheckLoad("address_of", load);
  return call_intrin(ir::kHandle, "tir.address_of", {std::move(load)}, std::move(span));
}

PrimExpr prefetch(PrimExpr load, Span span) {
  CheckLoad("prefetch", load);
  return call_intrin(ir::kVoid, "tir.prefetch", {std::move(load)}, std::move(span));
}

PrimExpr parallel_for(PrimExpr call, Span span) {
  const auto* callee = call.as<CallNode>();
  const bool calls = callee != nullptr && callee->op.as<ir::GlobalVarNode>() != nullptr &&
                     callee->dtype == ir::kVoid && callee->args.size() >= 2;
  if (!calls || !ir::IsInteger(callee->args[0]->dtype) || !ir::IsScalar(callee->args[0]->dtype) ||
      callee->args[1]->dtype != callee->args[0]->dtype) {
    ThrowArgument("parallel_for", "call",
                  "a call of a function of the module without a result, with the first iteration "
                  "and their number before its other arguments",
                  call);
  }
  return call_intrin(ir::kVoid, "tir.parallel_for", {std::move(call)}, std::move(span));
}

}  // namespace uir::tir
