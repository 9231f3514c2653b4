// Small constants as nested lists of numbers, which read back bit for bit.
#include "./tensor_literal.h"

#include <uir/ir/dtype.h>

#include <cmath>
#include <cstring>

#include "../syntax/literals.h"

namespace uir::script {

namespace {

template <typename T>
T Load(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

/*! \brief The value of a format of 16 bits. */
double Decode16(uint16_t bits, int mantissa_bits) {
  const int exponent_bits = 15 - mantissa_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  if (exponent == (1 << exponent_bits) - 1) return NAN;  // Infinity is not written either.
  const double value =
      exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                    : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return (bits >> 15) != 0 ? -value : value;
}

std::optional<double> LoadFloat(const char* data, DLDataType dtype) {
  if (dtype.code == kDLBfloat && dtype.bits == 16) return Decode16(Load<uint16_t>(data), 7);
  if (dtype.code != kDLFloat) return std::nullopt;
  if (dtype.bits == 16) return Decode16(Load<uint16_t>(data), 10);
  if (dtype.bits == 32) return Load<float>(data);
  if (dtype.bits == 64) return Load<double>(data);
  return std::nullopt;
}

template <typename Signed, typename Unsigned>
int64_t LoadAs(const char* data, bool is_signed) {
  return is_signed ? static_cast<int64_t>(Load<Signed>(data))
                   : static_cast<int64_t>(Load<Unsigned>(data));
}

std::optional<int64_t> LoadInteger(const char* data, DLDataType dtype) {
  const bool is_signed = dtype.code == kDLInt;
  switch (dtype.bits) {
    case 8:
      return LoadAs<int8_t, uint8_t>(data, is_signed);
    case 16:
      return LoadAs<int16_t, uint16_t>(data, is_signed);
    case 32:
      return LoadAs<int32_t, uint32_t>(data, is_signed);
    case 64: {
      const int64_t value = Load<int64_t>(data);
      if (!is_signed && value < 0) return std::nullopt;
      return value;
    }
    default:
      return std::nullopt;
  }
}

bool AppendElement(std::string* out, const char* data, DLDataType dtype) {
  if (!ir::IsScalar(dtype)) return false;
  if (ir::IsBool(dtype)) {
    *out += *data != 0 ? "True" : "False";
    return dtype.bits == 8 && static_cast<unsigned char>(*data) <= 1;
  }
  if (ir::IsInteger(dtype)) {
    const std::optional<int64_t> value = LoadInteger(data, dtype);
    if (value) *out += std::to_string(*value);
    return value.has_value();
  }
  const std::optional<double> value = LoadFloat(data, dtype);
  if (!value || !std::isfinite(*value)) return false;
  AppendFloat(out, *value);
  return true;
}

class LiteralWriter {
 public:
  explicit LiteralWriter(const ffi::Tensor& tensor)
      : tensor_(tensor),
        data_(static_cast<const char*>(tensor.data_ptr()) + tensor.GetDLTensorPtr()->byte_offset),
        step_((tensor.dtype().bits * tensor.dtype().lanes + 7) / 8) {}

  bool Write(size_t axis, std::string* out) {
    if (axis == tensor_.shape().size()) {
      const bool is_written = AppendElement(out, data_, tensor_.dtype());
      data_ += step_;
      return is_written;
    }
    *out += '[';
    for (int64_t i = 0; i < tensor_.shape()[axis]; ++i) {
      if (i > 0) *out += ", ";
      if (!Write(axis + 1, out)) return false;
    }
    *out += ']';
    return true;
  }

 private:
  const ffi::Tensor& tensor_;
  const char* data_;
  int step_;
};

}  // namespace

std::optional<std::string> TensorLiteral(const ffi::Tensor& tensor) {
  const int64_t count = tensor.numel();
  // A list does not show the extents after an extent of 0.
  if (count > kMaxInlineElements || count == 0) return std::nullopt;
  std::string text;
  if (!LiteralWriter(tensor).Write(0, &text)) return std::nullopt;
  return text;
}

}  // namespace uir::script
