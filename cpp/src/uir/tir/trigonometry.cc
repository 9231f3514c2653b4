// Functions of angles, and hyperbolic ones: calls of intrinsics.
#include <uir/tir/math_call.h>
#include <uir/tir/trigonometry.h>

#include <utility>

namespace uir::tir {

UIR_TIR_DEFINE_FLOAT_FUNCTION(sin)
UIR_TIR_DEFINE_FLOAT_FUNCTION(cos)
UIR_TIR_DEFINE_FLOAT_FUNCTION(tan)
UIR_TIR_DEFINE_FLOAT_FUNCTION(asin)
UIR_TIR_DEFINE_FLOAT_FUNCTION(acos)
UIR_TIR_DEFINE_FLOAT_FUNCTION(atan)
UIR_TIR_DEFINE_FLOAT_FUNCTION(sinh)
UIR_TIR_DEFINE_FLOAT_FUNCTION(cosh)
UIR_TIR_DEFINE_FLOAT_FUNCTION(tanh)
UIR_TIR_DEFINE_FLOAT_FUNCTION(asinh)
UIR_TIR_DEFINE_FLOAT_FUNCTION(acosh)
UIR_TIR_DEFINE_FLOAT_FUNCTION(atanh)

}  // namespace uir::tir
