// Functions of floating-point numbers: calls of intrinsics, their operands checked.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/binary_math.h>
#include <uir/tir/math.h>
#include <uir/tir/math_call.h>
#include <uir/tir/op.h>

#include <string>
#include <utility>

namespace uir::tir {

void ThrowOperandOf(const char* name, const char* expected, const ir::PrimExpr& x) {
  TVM_FFI_THROW(TypeError) << name << ": operand `x` must be " << expected << ", got `" << x->dtype
                           << "` (x = " << ir::describe(x) << ")";
  TVM_FFI_UNREACHABLE();
}

ir::PrimExpr CallOnFloat(const char* name, ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  if (!ir::IsFloat(x->dtype)) ThrowOperandOf(name, "a floating-point number", x);
  const DLDataType dtype = x->dtype;
  return call_intrin(dtype, std::string("tir.") + name, {std::move(x)}, std::move(span));
}

ir::PrimExpr CallOnFloats(const char* name, ir::PrimExpr a, ir::PrimExpr b,
                          ffi::Optional<ir::Span> span) {
  const ffi::Tuple<ir::PrimExpr, ir::PrimExpr> operands = match_types(std::move(a), std::move(b));
  const ir::PrimExpr left = operands.get<0>();
  if (!ir::IsFloat(left->dtype)) ThrowOperandOf(name, "a floating-point number", left);
  return call_intrin(left->dtype, std::string("tir.") + name, {left, operands.get<1>()},
                     std::move(span));
}

ir::PrimExpr exp(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("exp", std::move(x), std::move(span));
}

ir::PrimExpr exp2(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("exp2", std::move(x), std::move(span));
}

ir::PrimExpr exp10(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("exp10", std::move(x), std::move(span));
}

ir::PrimExpr log(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("log", std::move(x), std::move(span));
}

ir::PrimExpr log2(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("log2", std::move(x), std::move(span));
}

ir::PrimExpr log10(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("log10", std::move(x), std::move(span));
}

ir::PrimExpr log1p(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("log1p", std::move(x), std::move(span));
}

ir::PrimExpr sqrt(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("sqrt", std::move(x), std::move(span));
}

ir::PrimExpr rsqrt(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("rsqrt", std::move(x), std::move(span));
}

ir::PrimExpr erf(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("erf", std::move(x), std::move(span));
}

ir::PrimExpr sigmoid(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("sigmoid", std::move(x), std::move(span));
}

ir::PrimExpr pow(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) {
  return CallOnFloats("pow", std::move(a), std::move(b), std::move(span));
}

ir::PrimExpr atan2(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) {
  return CallOnFloats("atan2", std::move(a), std::move(b), std::move(span));
}

ir::PrimExpr hypot(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) {
  return CallOnFloats("hypot", std::move(a), std::move(b), std::move(span));
}

ir::PrimExpr copysign(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) {
  return CallOnFloats("copysign", std::move(a), std::move(b), std::move(span));
}

ir::PrimExpr fmod(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) {
  return CallOnFloats("fmod", std::move(a), std::move(b), std::move(span));
}

ir::PrimExpr nextafter(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) {
  return CallOnFloats("nextafter", std::move(a), std::move(b), std::move(span));
}

}  // namespace uir::tir
