// Rounding and predicates of numbers; both are folded for constants and for integers.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include <cmath>
#include <string>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;
using Span = ffi::Optional<ir::Span>;

[[noreturn]] void ThrowOperandOf(const char* name, const char* expected, const PrimExpr& x) {
  TVM_FFI_THROW(TypeError) << name << ": operand `x` must be " << expected << ", got `" << x->dtype
                           << "` (x = " << ir::describe(x) << ")";
  TVM_FFI_UNREACHABLE();
}

PrimExpr CallOnFloat(const char* name, PrimExpr x, Span span) {
  if (!ir::IsFloat(x->dtype)) ThrowOperandOf(name, "a floating-point number", x);
  const DLDataType dtype = x->dtype;
  return call_intrin(dtype, std::string("tir.") + name, {std::move(x)}, std::move(span));
}

/*! \brief Round a number; constants are folded, and integers returned. */
PrimExpr Rounded(const char* name, double (*function)(double), PrimExpr x, Span span) {
  if (ir::IsInteger(x->dtype)) return x;
  if (const std::optional<double> value = FloatConstOf(x)) {
    return make_const(function(*value), x->dtype, std::move(span));
  }
  return CallOnFloat(name, std::move(x), std::move(span));
}

/*! \brief A predicate of a number; `of_integer` is its value for integers. */
PrimExpr Asked(const char* name, bool (*function)(double), bool of_integer, PrimExpr x, Span span) {
  const DLDataType dtype = ir::BoolType(ir::LanesOf(x->dtype));
  if (ir::IsInteger(x->dtype)) return make_const(of_integer, dtype, std::move(span));
  if (const std::optional<double> value = FloatConstOf(x)) {
    return make_const(function(*value), dtype, std::move(span));
  }
  if (!ir::IsFloat(x->dtype)) ThrowOperandOf(name, "a number", x);
  return call_intrin(dtype, std::string("tir.") + name, {std::move(x)}, std::move(span));
}

}  // namespace

PrimExpr floor(PrimExpr x, Span span) {
  return Rounded("floor", std::floor, std::move(x), std::move(span));
}

PrimExpr ceil(PrimExpr x, Span span) {
  return Rounded("ceil", std::ceil, std::move(x), std::move(span));
}

PrimExpr trunc(PrimExpr x, Span span) {
  return Rounded("trunc", std::trunc, std::move(x), std::move(span));
}

PrimExpr round(PrimExpr x, Span span) {
  // The default rounding mode is to nearest, ties to even.
  return Rounded("round", std::nearbyint, std::move(x), std::move(span));
}

PrimExpr nearbyint(PrimExpr x, Span span) {
  return Rounded("nearbyint", std::nearbyint, std::move(x), std::move(span));
}

PrimExpr abs(PrimExpr x, Span span) {
  if (x->dtype.code == kDLUInt) return x;
  if (!ir::IsInteger(x->dtype)) {
    return Rounded("abs", std::fabs, std::move(x), std::move(span));
  }
  const std::optional<int64_t> value = IntConstOf(x);
  const DLDataType dtype = x->dtype;
  if (!value) return call_intrin(dtype, "tir.abs", {std::move(x)}, std::move(span));
  return *value < 0 ? neg(std::move(x), std::move(span)) : x;
}

PrimExpr isnan(PrimExpr x, Span span) {
  return Asked(
      "isnan", [](double value) { return std::isnan(value); }, false, std::move(x),
      std::move(span));
}

PrimExpr isinf(PrimExpr x, Span span) {
  return Asked(
      "isinf", [](double value) { return std::isinf(value); }, false, std::move(x),
      std::move(span));
}

PrimExpr isfinite(PrimExpr x, Span span) {
  return Asked(
      "isfinite", [](double value) { return std::isfinite(value); }, true, std::move(x),
      std::move(span));
}

}  // namespace uir::tir
