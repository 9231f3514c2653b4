// Constants from plain numbers: elements of a data type, in the memory of the CPU.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/host_memory.h>
#include <uir/ir/script_text.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/expr.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

namespace uir::relay {

namespace {

/*! \brief The bits of a number in a format with fewer bits, rounded to nearest, ties to even. */
uint16_t RoundedBits(double value, int mantissa_bits, int min_exponent) {
  const int exponent_bits = 15 - mantissa_bits;
  const uint16_t sign = std::signbit(value) ? uint16_t{1} << 15 : 0;
  const auto special = static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | special | (1 << (mantissa_bits - 1)));
  value = std::fabs(value);
  if (std::isinf(value)) return static_cast<uint16_t>(sign | special);
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const double scaled = std::nearbyint(std::scalbn(value, mantissa_bits - exponent));
  const auto mantissa = static_cast<uint32_t>(scaled);
  // Below 2^mantissa_bits the number is subnormal; a carry out of the mantissa raises the exponent.
  const uint32_t biased =
      mantissa < (1U << mantissa_bits)
          ? mantissa
          : ((static_cast<uint32_t>(exponent - min_exponent) << mantissa_bits) + mantissa);
  if (biased >= special) return static_cast<uint16_t>(sign | special);
  return static_cast<uint16_t>(sign | biased);
}

template <typename T>
void Put(void* data, T value) {
  std::memcpy(data, &value, sizeof(T));
}

void PutInteger(void* data, DLDataType dtype, int64_t value) {
  if (value < ir::MinValue(dtype) || value > ir::MaxValue(dtype)) {
    TVM_FFI_THROW(TypeError) << value << " does not fit the data type `" << dtype << "`";
  }
  std::memcpy(data, &value, static_cast<size_t>(dtype.bits + 7) / 8);
}

void PutFloat(void* data, DLDataType dtype, double value) {
  if (dtype.code == kDLFloat && dtype.bits == 64) return Put(data, value);
  if (dtype.code == kDLFloat && dtype.bits == 32) return Put(data, static_cast<float>(value));
  if (dtype.code == kDLFloat && dtype.bits == 16) {
    return Put(data, RoundedBits(value, 10, -14));
  }
  if (dtype.code == kDLBfloat && dtype.bits == 16) {
    return Put(data, RoundedBits(value, 7, -126));
  }
  TVM_FFI_THROW(TypeError) << "a number cannot become a constant of data type `" << dtype << "`";
}

void PutNumber(void* data, DLDataType dtype, const ffi::Any& value) {
  const bool is_integer = ir::IsInteger(dtype) || ir::IsBool(dtype);
  if (!ir::IsScalar(dtype) || !(is_integer || ir::IsFloat(dtype))) {
    TVM_FFI_THROW(TypeError) << "a number cannot become a constant of data type `" << dtype << "`";
  }
  const std::optional<bool> flag = value.as<bool>();
  if (const auto integer = flag ? std::optional<int64_t>(*flag) : value.as<int64_t>()) {
    if (is_integer) return PutInteger(data, dtype, *integer);
    return PutFloat(data, dtype, static_cast<double>(*integer));
  }
  const auto real = value.as<double>();
  if (!real || is_integer) {
    TVM_FFI_THROW(TypeError) << "`" << ir::ScriptText(value) << "` does not fit the data type `"
                             << dtype << "`";
  }
  PutFloat(data, dtype, *real);
}

const char* UsualDataType(const ffi::Any& number) {
  if (number.type_index() == ffi::TypeIndex::kTVMFFIBool) return "bool";
  return number.type_index() == ffi::TypeIndex::kTVMFFIInt ? "int64" : "float32";
}

}  // namespace

ir::RelayExpr as_operand(ffi::Any value, ffi::Optional<ir::RelayExpr> like) {
  if (value.type_index() == ffi::TypeIndex::kTVMFFITensor) {
    TVM_FFI_THROW(TypeError) << "a tensor is not an operand: make a constant of it with "
                             << "`uir.relay.const`";
  }
  const ffi::Optional<ir::Type> type =
      like.has_value() ? like.value()->checked_type : ffi::Optional<ir::Type>();
  const auto* tensor = type.has_value() ? type.value().as<ir::TensorTypeNode>() : nullptr;
  if (tensor == nullptr) {
    TVM_FFI_THROW(TypeError) << "the data type of the number " << ir::ScriptText(value)
                             << " is not known, as no operand beside it has a tensor type: make a "
                             << "constant of it, `uir.relay.const(" << ir::ScriptText(value)
                             << ", \"" << UsualDataType(value) << "\")`";
  }
  return constant({value}, {}, tensor->dtype);
}

Constant constant(ffi::Array<ffi::Any> elements, ffi::Array<int64_t> shape, DLDataType dtype) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) {
      TVM_FFI_THROW(ValueError) << "constant: the shape has the extent " << extent;
    }
  }
  if (static_cast<int64_t>(elements.size()) != count) {
    TVM_FFI_THROW(ValueError) << "constant: a tensor of " << count << " elements, got "
                              << elements.size();
  }
  const std::vector<int64_t> extents(shape.begin(), shape.end());
  ffi::Tensor data = ffi::Tensor::FromNDAlloc(
      ir::HostMemory(), ffi::ShapeView(extents.data(), extents.size()), dtype, DLDevice{kDLCPU, 0});
  auto* next = static_cast<char*>(data.data_ptr());
  for (const ffi::Any& element : elements) {
    PutNumber(next, dtype, element);
    next += (dtype.bits + 7) / 8;
  }
  return Constant(std::move(data));
}

}  // namespace uir::relay
