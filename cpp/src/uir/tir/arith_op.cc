// Arithmetic, with the data types of the operands matched first.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

template <typename Node>
PrimExpr Matched(PrimExpr a, PrimExpr b) {
  const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
  return Node(operands.get<0>(), operands.get<1>());
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
  const auto* constant = b.as<ir::IntImmNode>();
  if (constant == nullptr || constant->value != 0) return;
  TVM_FFI_THROW(ValueError) << name << ": division by zero (a = " << ir::describe(a)
                            << ", b = " << ir::describe(b) << ")";
}

}  // namespace

PrimExpr add(PrimExpr a, PrimExpr b) { return Matched<Add>(std::move(a), std::move(b)); }

PrimExpr sub(PrimExpr a, PrimExpr b) { return Matched<Sub>(std::move(a), std::move(b)); }

PrimExpr mul(PrimExpr a, PrimExpr b) { return Matched<Mul>(std::move(a), std::move(b)); }

PrimExpr div(PrimExpr a, PrimExpr b) {
  if (!ir::IsFloat(a->dtype) && !ir::IsFloat(b->dtype)) {
    ThrowOperands("div", "floating-point, as `truncdiv` and `floordiv` are for integers", a, b);
  }
  return Matched<Div>(std::move(a), std::move(b));
}

PrimExpr truncdiv(PrimExpr a, PrimExpr b) {
  CheckIntegers("truncdiv", a, b);
  CheckDivisor("truncdiv", a, b);
  return Matched<Div>(std::move(a), std::move(b));
}

PrimExpr truncmod(PrimExpr a, PrimExpr b) {
  CheckIntegers("truncmod", a, b);
  CheckDivisor("truncmod", a, b);
  return Matched<Mod>(std::move(a), std::move(b));
}

PrimExpr floordiv(PrimExpr a, PrimExpr b) {
  CheckDivisor("floordiv", a, b);
  return Matched<FloorDiv>(std::move(a), std::move(b));
}

PrimExpr floormod(PrimExpr a, PrimExpr b) {
  CheckDivisor("floormod", a, b);
  return Matched<FloorMod>(std::move(a), std::move(b));
}

PrimExpr min(PrimExpr a, PrimExpr b) { return Matched<Min>(std::move(a), std::move(b)); }

PrimExpr max(PrimExpr a, PrimExpr b) { return Matched<Max>(std::move(a), std::move(b)); }

PrimExpr neg(PrimExpr a) {
  // Not `0 - a`: that of a floating-point zero has the wrong sign.
  if (ir::IsFloat(a->dtype)) return mul(make_const(-1.0, a->dtype), a);
  return sub(make_const(0, a->dtype), a);
}

}  // namespace uir::tir
