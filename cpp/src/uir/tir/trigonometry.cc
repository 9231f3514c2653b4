// Functions of angles, and hyperbolic ones: calls of intrinsics.
#include <uir/tir/math_call.h>
#include <uir/tir/trigonometry.h>

#include <utility>

namespace uir::tir {

ir::PrimExpr sin(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("sin", std::move(x), std::move(span));
}

ir::PrimExpr cos(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("cos", std::move(x), std::move(span));
}

ir::PrimExpr tan(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("tan", std::move(x), std::move(span));
}

ir::PrimExpr asin(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("asin", std::move(x), std::move(span));
}

ir::PrimExpr acos(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("acos", std::move(x), std::move(span));
}

ir::PrimExpr atan(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("atan", std::move(x), std::move(span));
}

ir::PrimExpr sinh(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("sinh", std::move(x), std::move(span));
}

ir::PrimExpr cosh(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("cosh", std::move(x), std::move(span));
}

ir::PrimExpr tanh(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("tanh", std::move(x), std::move(span));
}

ir::PrimExpr asinh(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("asinh", std::move(x), std::move(span));
}

ir::PrimExpr acosh(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("acosh", std::move(x), std::move(span));
}

ir::PrimExpr atanh(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  return CallOnFloat("atanh", std::move(x), std::move(span));
}

}  // namespace uir::tir
