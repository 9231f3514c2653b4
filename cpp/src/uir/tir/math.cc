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

UIR_TIR_DEFINE_FLOAT_FUNCTION(exp)
UIR_TIR_DEFINE_FLOAT_FUNCTION(exp2)
UIR_TIR_DEFINE_FLOAT_FUNCTION(exp10)
UIR_TIR_DEFINE_FLOAT_FUNCTION(log)
UIR_TIR_DEFINE_FLOAT_FUNCTION(log2)
UIR_TIR_DEFINE_FLOAT_FUNCTION(log10)
UIR_TIR_DEFINE_FLOAT_FUNCTION(log1p)
UIR_TIR_DEFINE_FLOAT_FUNCTION(sqrt)
UIR_TIR_DEFINE_FLOAT_FUNCTION(rsqrt)
UIR_TIR_DEFINE_FLOAT_FUNCTION(erf)
UIR_TIR_DEFINE_FLOAT_FUNCTION(sigmoid)
UIR_TIR_DEFINE_FLOAT_FUNCTION_2(pow)
UIR_TIR_DEFINE_FLOAT_FUNCTION_2(atan2)
UIR_TIR_DEFINE_FLOAT_FUNCTION_2(hypot)
UIR_TIR_DEFINE_FLOAT_FUNCTION_2(copysign)
UIR_TIR_DEFINE_FLOAT_FUNCTION_2(fmod)
UIR_TIR_DEFINE_FLOAT_FUNCTION_2(nextafter)

}  // namespace uir::tir
