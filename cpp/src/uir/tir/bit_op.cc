// Operations on bits: intrinsics for integers, logic for booleans.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <optional>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

bool AreBools(const PrimExpr& a, const PrimExpr& b) {
  return ir::IsBool(a->dtype) && ir::IsBool(b->dtype);
}

using Span = ffi::Optional<ir::Span>;

PrimExpr Intrinsic(ir::ScalarOp op, const char* name, PrimExpr a, PrimExpr b, Span span) {
  if (!ir::IsInteger(a->dtype) || !ir::IsInteger(b->dtype)) {
    TVM_FFI_THROW(TypeError) << name << ": operands `a` and `b` must be integers, got `" << a->dtype
                             << "` and `" << b->dtype << "` (a = " << ir::describe(a)
                             << ", b = " << ir::describe(b) << ")";
  }
  const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
  const PrimExpr left = operands.get<0>();
  const PrimExpr right = operands.get<1>();
  if (std::optional<PrimExpr> folded = Fold(op, left, right)) return *std::move(folded);
  return call_intrin(left->dtype, name, {left, right}, std::move(span));
}

/*! \brief Check a constant distance; a shift by the bits of the operands or more is undefined. */
void CheckShift(const char* name, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> by = IntConstOf(b);
  if (!by || !ir::IsInteger(a->dtype) || !ir::IsInteger(b->dtype)) return;
  const int bits = a->dtype.bits > b->dtype.bits ? a->dtype.bits : b->dtype.bits;
  if (*by >= 0 && *by < bits) return;
  TVM_FFI_THROW(ValueError) << name << ": operand `b` must be at least 0 and below " << bits
                            << ", the bits of the operands, got " << *by;
}

}  // namespace

PrimExpr left_shift(PrimExpr a, PrimExpr b, Span span) {
  CheckShift("left_shift", a, b);
  return Intrinsic(ir::ScalarOp::kShiftLeft, "tir.shift_left", std::move(a), std::move(b),
                   std::move(span));
}

PrimExpr right_shift(PrimExpr a, PrimExpr b, Span span) {
  CheckShift("right_shift", a, b);
  return Intrinsic(ir::ScalarOp::kShiftRight, "tir.shift_right", std::move(a), std::move(b),
                   std::move(span));
}

PrimExpr bitwise_and(PrimExpr a, PrimExpr b, Span span) {
  if (AreBools(a, b)) return logical_and(std::move(a), std::move(b), std::move(span));
  return Intrinsic(ir::ScalarOp::kBitAnd, "tir.bitwise_and", std::move(a), std::move(b),
                   std::move(span));
}

PrimExpr bitwise_or(PrimExpr a, PrimExpr b, Span span) {
  if (AreBools(a, b)) return logical_or(std::move(a), std::move(b), std::move(span));
  return Intrinsic(ir::ScalarOp::kBitOr, "tir.bitwise_or", std::move(a), std::move(b),
                   std::move(span));
}

PrimExpr bitwise_xor(PrimExpr a, PrimExpr b, Span span) {
  if (AreBools(a, b)) return not_equal(std::move(a), std::move(b), std::move(span));
  return Intrinsic(ir::ScalarOp::kBitXor, "tir.bitwise_xor", std::move(a), std::move(b),
                   std::move(span));
}

PrimExpr bitwise_not(PrimExpr a, Span span) {
  if (ir::IsBool(a->dtype)) return logical_not(std::move(a), std::move(span));
  if (!ir::IsInteger(a->dtype)) {
    TVM_FFI_THROW(TypeError) << "bitwise_not: operand `a` must be an integer or a boolean, got `"
                             << a->dtype << "` (a = " << ir::describe(a) << ")";
  }
  const DLDataType dtype = a->dtype;
  const std::optional<int64_t> value = IntConstOf(a);
  if (value && ir::IsScalar(dtype)) {
    if (std::optional<PrimExpr> folded = WrappedConst(~*value, dtype)) return *std::move(folded);
  }
  return call_intrin(dtype, "tir.bitwise_not", {std::move(a)}, std::move(span));
}

}  // namespace uir::tir
