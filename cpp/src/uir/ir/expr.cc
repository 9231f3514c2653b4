// Constants, whose values must fit their data types.
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>

#include <cmath>

namespace uir::ir {

namespace {

/*! \brief Call a function of `uir.tir`, which `uir.ir` knows only by its name. */
PrimExpr CallBinary(const ffi::Function& function, const PrimExpr& a, const PrimExpr& b) {
  return function(a, b).cast<PrimExpr>();
}

}  // namespace

PrimExpr::PrimExpr(int32_t value) : PrimExpr(IntImm(IntType(32), value)) {}

PrimExpr& PrimExpr::operator+=(const PrimExpr& other) {
  static const ffi::Function add = ffi::Function::GetGlobalRequired("uir.tir.add");
  return *this = CallBinary(add, *this, other);
}

PrimExpr& PrimExpr::operator-=(const PrimExpr& other) {
  static const ffi::Function sub = ffi::Function::GetGlobalRequired("uir.tir.sub");
  return *this = CallBinary(sub, *this, other);
}

PrimExpr& PrimExpr::operator*=(const PrimExpr& other) {
  static const ffi::Function mul = ffi::Function::GetGlobalRequired("uir.tir.mul");
  return *this = CallBinary(mul, *this, other);
}

void IntImmNode::PostInit() {
  if (!IsScalar(dtype) || !(IsInteger(dtype) || IsBool(dtype))) {
    TVM_FFI_THROW(TypeError) << "IntImm: `dtype` must be a scalar integer or `bool`, got `" << dtype
                             << "`";
  }
  if (value < MinValue(dtype) || value > MaxValue(dtype)) {
    TVM_FFI_THROW(ValueError) << "IntImm: `value` must be between " << MinValue(dtype) << " and "
                              << MaxValue(dtype) << " for `" << dtype << "`, got " << value;
  }
}

void FloatImmNode::PostInit() {
  if (!IsScalar(dtype) || !IsFloat(dtype)) {
    TVM_FFI_THROW(TypeError) << "FloatImm: `dtype` must be a scalar floating-point type, got `"
                             << dtype << "`";
  }
  if (std::isfinite(value) && std::fabs(value) > MaxFinite(dtype)) {
    TVM_FFI_THROW(ValueError) << "FloatImm: `value` must be at most " << MaxFinite(dtype)
                              << " in magnitude for `" << dtype << "`, got " << value;
  }
}

void StringImmNode::PostInit() { dtype = kHandle; }

}  // namespace uir::ir
