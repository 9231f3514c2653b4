// The element of a constant, decoded by its data type.
#include "./constant_element.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/tir/op.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "./element_formula.h"

namespace uir::transform {

namespace {

template <typename T>
T ReadElement(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

/*! \brief The value of a `float16` with these bits. */
double HalfOf(uint16_t bits) {
  const double sign = (bits >> 15) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  if (exponent == 31) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

double RealElement(const void* data, DLDataType dtype) {
  if (dtype.bits == 64) return ReadElement<double>(data);
  if (dtype.bits == 32) return ReadElement<float>(data);
  const auto bits = ReadElement<uint16_t>(data);
  if (dtype.code == kDLFloat) return HalfOf(bits);
  // A bfloat16 is the upper half of a float32.
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  return ReadElement<float>(&wide);
}

int64_t IntegerElement(const void* data, DLDataType dtype) {
  const bool is_signed = dtype.code == kDLInt;
  switch (dtype.bits) {
    case 8:
      return is_signed ? ReadElement<int8_t>(data) : ReadElement<uint8_t>(data);
    case 16:
      return is_signed ? ReadElement<int16_t>(data) : ReadElement<uint16_t>(data);
    case 32:
      return is_signed ? int64_t{ReadElement<int32_t>(data)} : int64_t{ReadElement<uint32_t>(data)};
    default:
      return ReadElement<int64_t>(data);
  }
}

}  // namespace

ir::PrimExpr ConstantElement(const relay::ConstantNode* constant) {
  const DLDataType dtype = constant->data.dtype();
  const DLTensor* tensor = constant->data.GetDLTensorPtr();
  const char* data = static_cast<const char*>(tensor->data) + tensor->byte_offset;
  if (ir::IsFloat(dtype)) return tir::make_const(RealElement(data, dtype), dtype);
  if (ir::IsBool(dtype)) return tir::make_const(ReadElement<uint8_t>(data) != 0, dtype);
  if (!ir::IsInteger(dtype)) {
    TVM_FFI_THROW(TypeError) << "a constant of data type `" << dtype << "` has no lowering";
  }
  return NumberIn(IntegerElement(data, dtype), dtype);
}

}  // namespace uir::transform
