// Arithmetic on operands that are first converted to a common data type.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>

#include <optional>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

using Span = ffi::Optional<ir::Span>;

/*! \brief Convert two operands to a common data type, then fold or make the node. */
template <typename Node>
PrimExpr Matched(ir::ScalarOp op, PrimExpr a, PrimExpr b, Span span) {
  if (a->dtype != b->dtype) {
    const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
    a = operands.get<0>();
    b = operands.get<1>();
  }
  if (std::optional<PrimExpr> folded = Fold(op, a, b)) return *std::move(folded);
  return Node(std::move(a), std::move(b), std::move(span));
}

[[noreturn]] void ThrowOperands(const char* name, const char* expected, const PrimExpr& a,
                                const PrimExpr& b) {
  TVM_FFI_THROW(TypeError) << name << ": operands `a` and `b` must be " << expected << ", got `"
                           << a->dtype << "` and `" << b->dtype << "` (a = " << ir::describe(a)
                           << ", b = " << ir::describe(b) << ")";
  TVM_FFI_UNREACHABLE();
}

void CheckIntegers(const char* name, const PrimExpr& a, const PrimExpr& b) {
  if (ir::IsInteger(a->dtype) && ir::IsInteger(b->dtype)) return;
  ThrowOperands(name, "integers", a, b);
}

void CheckDivisor(const char* name, const PrimExpr& a, const PrimExpr& b) {
  if (IntConstOf(b) != 0) return;
  TVM_FFI_THROW(ValueError) << name << ": division by zero (a = " << ir::describe(a)
                            << ", b = " << ir::describe(b) << ")";
}

}  // namespace

PrimExpr add(PrimExpr a, PrimExpr b, Span span) {
  return Matched<Add>(ir::ScalarOp::kAdd, std::move(a), std::move(b), std::move(span));
}

PrimExpr sub(PrimExpr a, PrimExpr b, Span span) {
  return Matched<Sub>(ir::ScalarOp::kSub, std::move(a), std::move(b), std::move(span));
}

PrimExpr mul(PrimExpr a, PrimExpr b, Span span) {
  return Matched<Mul>(ir::ScalarOp::kMul, std::move(a), std::move(b), std::move(span));
}

PrimExpr div(PrimExpr a, PrimExpr b, Span span) {
  if (!ir::IsFloat(a->dtype) && !ir::IsFloat(b->dtype)) {
    ThrowOperands("div", "floating-point, as `truncdiv` and `floordiv` are for integers", a, b);
  }
  return Matched<Div>(ir::ScalarOp::kDiv, std::move(a), std::move(b), std::move(span));
}

PrimExpr truncdiv(PrimExpr a, PrimExpr b, Span span) {
  CheckIntegers("truncdiv", a, b);
  CheckDivisor("truncdiv", a, b);
  return Matched<Div>(ir::ScalarOp::kDiv, std::move(a), std::move(b), std::move(span));
}

PrimExpr truncmod(PrimExpr a, PrimExpr b, Span span) {
  CheckIntegers("truncmod", a, b);
  CheckDivisor("truncmod", a, b);
  return Matched<Mod>(ir::ScalarOp::kMod, std::move(a), std::move(b), std::move(span));
}

PrimExpr floordiv(PrimExpr a, PrimExpr b, Span span) {
  CheckDivisor("floordiv", a, b);
  return Matched<FloorDiv>(ir::ScalarOp::kFloorDiv, std::move(a), std::move(b), std::move(span));
}

PrimExpr floormod(PrimExpr a, PrimExpr b, Span span) {
  CheckDivisor("floormod", a, b);
  return Matched<FloorMod>(ir::ScalarOp::kFloorMod, std::move(a), std::move(b), std::move(span));
}

PrimExpr min(PrimExpr a, PrimExpr b, Span span) {
  return Matched<Min>(ir::ScalarOp::kMin, std::move(a), std::move(b), std::move(span));
}

PrimExpr max(PrimExpr a, PrimExpr b, Span span) {
  return Matched<Max>(ir::ScalarOp::kMax, std::move(a), std::move(b), std::move(span));
}

PrimExpr neg(PrimExpr a, Span span) {
  // Not `0 - a`, which has the wrong sign for a floating-point zero.
  if (ir::IsFloat(a->dtype)) return mul(make_const(-1.0, a->dtype), a, std::move(span));
  return sub(make_const(0, a->dtype), a, std::move(span));
}

}  // namespace uir::tir
