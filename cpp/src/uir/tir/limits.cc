// The limits of data types, as constants.
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/tir/limits.h>

#include <cmath>
#include <limits>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

void CheckScalarNumber(const char* name, DLDataType dtype) {
  if (ir::IsScalar(dtype) && (ir::IsNumber(dtype) || ir::IsBool(dtype))) return;
  TVM_FFI_THROW(TypeError) << name << ": `dtype` must be a scalar number, got `" << dtype << "`";
}

double MaxFiniteOf(const char* name, DLDataType dtype) {
  const double value = ir::MaxFinite(dtype);
  if (std::isfinite(value)) return value;
  TVM_FFI_THROW(TypeError) << name << ": the greatest value of `" << dtype << "` is not known";
  TVM_FFI_UNREACHABLE();
}

}  // namespace

PrimExpr min_value(DLDataType dtype, ffi::Optional<ir::Span> span) {
  CheckScalarNumber("min_value", dtype);
  if (!ir::IsFloat(dtype)) return ir::IntImm(dtype, ir::MinValue(dtype), std::move(span));
  return ir::FloatImm(dtype, -MaxFiniteOf("min_value", dtype), std::move(span));
}

PrimExpr max_value(DLDataType dtype, ffi::Optional<ir::Span> span) {
  CheckScalarNumber("max_value", dtype);
  if (dtype == ir::UIntType(64)) {
    TVM_FFI_THROW(ValueError) << "max_value: constants of `uint64` reach 2^63-1 only";
  }
  if (!ir::IsFloat(dtype)) return ir::IntImm(dtype, ir::MaxValue(dtype), std::move(span));
  return ir::FloatImm(dtype, MaxFiniteOf("max_value", dtype), std::move(span));
}

PrimExpr infinity(DLDataType dtype, ffi::Optional<ir::Span> span) {
  const bool has_infinity = dtype.code == kDLFloat || dtype.code == kDLBfloat;
  if (!has_infinity || !ir::IsScalar(dtype)) {
    TVM_FFI_THROW(TypeError) << "infinity: `dtype` must be a scalar floating-point type with an "
                             << "infinity, got `" << dtype << "`";
  }
  return ir::FloatImm(dtype, std::numeric_limits<double>::infinity(), std::move(span));
}

}  // namespace uir::tir
