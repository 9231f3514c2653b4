// Operations on bits: intrinsics for integers, logic for booleans.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

bool AreBools(const PrimExpr& a, const PrimExpr& b) {
  return ir::IsBool(a->dtype) && ir::IsBool(b->dtype);
}

PrimExpr Intrinsic(const char* name, PrimExpr a, PrimExpr b) {
  if (!ir::IsInteger(a->dtype) || !ir::IsInteger(b->dtype)) {
    TVM_FFI_THROW(TypeError) << name << ": operands `a` and `b` must be integers, got `" << a->dtype
                             << "` and `" << b->dtype << "` (a = " << ir::describe(a)
                             << ", b = " << ir::describe(b) << ")";
  }
  const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
  const PrimExpr left = operands.get<0>();
  return call_intrin(left->dtype, name, {left, operands.get<1>()});
}

}  // namespace

PrimExpr left_shift(PrimExpr a, PrimExpr b) {
  return Intrinsic("tir.shift_left", std::move(a), std::move(b));
}

PrimExpr right_shift(PrimExpr a, PrimExpr b) {
  return Intrinsic("tir.shift_right", std::move(a), std::move(b));
}

PrimExpr bitwise_and(PrimExpr a, PrimExpr b) {
  if (AreBools(a, b)) return And(std::move(a), std::move(b));
  return Intrinsic("tir.bitwise_and", std::move(a), std::move(b));
}

PrimExpr bitwise_or(PrimExpr a, PrimExpr b) {
  if (AreBools(a, b)) return Or(std::move(a), std::move(b));
  return Intrinsic("tir.bitwise_or", std::move(a), std::move(b));
}

PrimExpr bitwise_xor(PrimExpr a, PrimExpr b) {
  if (AreBools(a, b)) return NE(std::move(a), std::move(b));
  return Intrinsic("tir.bitwise_xor", std::move(a), std::move(b));
}

PrimExpr bitwise_not(PrimExpr a) {
  if (ir::IsBool(a->dtype)) return Not(std::move(a));
  if (!ir::IsInteger(a->dtype)) {
    TVM_FFI_THROW(TypeError) << "bitwise_not: operand `a` must be an integer or a boolean, got `"
                             << a->dtype << "` (a = " << ir::describe(a) << ")";
  }
  const DLDataType dtype = a->dtype;
  return call_intrin(dtype, "tir.bitwise_not", {std::move(a)});
}

}  // namespace uir::tir
