/*!
 * \file tensor_data.cc
 * \brief Tensors in saved graphs, and types whose fields hold tensors.
 */
#include "./tensor_data.h"

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/base64.h>
#include <tvm/ffi/extra/json.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../reflection/attrs.h"
#include "../structural/value.h"

namespace tschema {
namespace {

namespace json = ffi::json;

/*! \brief Memory of loaded tensors, aligned as DLPack asks. */
struct HostMemory {
  void AllocData(DLTensor* tensor) {
    constexpr size_t kAlignment = 64;
    const size_t size = (ffi::GetDataSize(*tensor) + kAlignment - 1) / kAlignment * kAlignment;
    tensor->data = std::aligned_alloc(kAlignment, size == 0 ? kAlignment : size);
    if (tensor->data == nullptr) {
      TVM_FFI_THROW(MemoryError) << "no memory for a tensor of " << size << " bytes";
    }
  }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

ffi::Any DataOfTensor(const ffi::Object* object) {
  const auto* tensor = static_cast<const ffi::TensorObj*>(object);
  CheckReadable(tensor, "saved");
  json::Array shape;
  for (int i = 0; i < tensor->ndim; ++i) shape.push_back(tensor->shape[i]);
  return json::Object{
      {"shape", shape},
      {"dtype", ffi::DLDataTypeToString(tensor->dtype)},
      {"data", ffi::Base64Encode(TVMFFIByteArray{DataOf(tensor), ffi::GetDataSize(*tensor)})}};
}

ffi::Any MemberOf(const json::Object& data, const char* name) {
  const auto found = data.find(ffi::String(name));
  if (found == data.end()) TVM_FFI_THROW(ValueError) << "a tensor must have `" << name << "`";
  return (*found).second;
}

/*! \brief The bytes of `count` elements, of which none may overflow. */
size_t CheckedSize(const std::vector<int64_t>& shape, DLDataType dtype) {
  size_t bits = static_cast<size_t>(dtype.bits) * dtype.lanes;
  size_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0) TVM_FFI_THROW(ValueError) << "a tensor must not have the extent " << extent;
    if (__builtin_mul_overflow(count, static_cast<size_t>(extent), &count)) {
      TVM_FFI_THROW(ValueError) << "the shape of a tensor is too large";
    }
  }
  if (bits == 0 || __builtin_mul_overflow(count, bits, &bits)) {
    TVM_FFI_THROW(ValueError) << "a tensor cannot have the data type and the shape";
  }
  return (bits + 7) / 8;
}

/*! \brief Check text that the decoder takes for granted. */
void CheckBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t end = text.find('=');
  if (end == text.npos) end = text.size();
  const std::string_view padding = text.substr(end);
  const bool is_padded = padding.empty() || padding == "=" || padding == "==";
  if (text.size() % 4 != 0 || !is_padded ||
      text.substr(0, end).find_first_not_of(kDigits) != text.npos) {
    TVM_FFI_THROW(ValueError) << "`data` of a tensor is not base64";
  }
}

ffi::Any TensorOfData(ffi::AnyView value) {
  const auto data = value.try_cast<json::Object>();
  if (!data) TVM_FFI_THROW(TypeError) << "the data of a tensor must be an object";
  std::vector<int64_t> shape;
  for (const ffi::Any& extent : MemberOf(*data, "shape").cast<json::Array>()) {
    shape.push_back(extent.cast<int64_t>());
  }
  const DLDataType dtype = ffi::StringToDLDataType(MemberOf(*data, "dtype").cast<ffi::String>());
  const auto text = MemberOf(*data, "data").cast<ffi::String>();
  CheckBase64({text.data(), text.size()});
  const ffi::Bytes bytes = ffi::Base64Decode(text);
  const size_t size = CheckedSize(shape, dtype);
  if (bytes.size() != size) {
    TVM_FFI_THROW(ValueError) << "a tensor of " << size << " bytes has " << bytes.size()
                              << " bytes of data";
  }
  ffi::Tensor tensor = ffi::Tensor::FromNDAlloc(
      HostMemory(), ffi::ShapeView(shape.data(), shape.size()), dtype, DLDevice{kDLCPU, 0});
  std::memcpy(tensor.data_ptr(), bytes.data(), size);
  return tensor;
}

/*! \brief Register the hook that makes tensors for tvm-ffi's reader. */
void RegisterSavedTensor() {
  const TVMFFIByteArray key = {kSavedTensorKey, std::strlen(kSavedTensorKey)};
  const int32_t type_index = TVMFFITypeGetOrAllocIndex(
      &key, /*static_type_index=*/-1, /*type_depth=*/1, /*num_child_slots=*/0,
      /*child_slots_can_overflow=*/1, ffi::TypeIndex::kTVMFFIObject);
  // Another copy of this library may have been faster.
  if (GetTypeAttr(type_index, kDataFromJsonAttr) != nullptr) return;
  SetTypeAttr(type_index, kDataFromJsonAttr, TensorFromJSON());
}

TVM_FFI_STATIC_INIT_BLOCK() { RegisterSavedTensor(); }

}  // namespace

ffi::Function TensorToJSON() { return ffi::Function::FromTyped(&DataOfTensor); }

ffi::Function TensorFromJSON() { return ffi::Function::FromTyped(&TensorOfData); }

}  // namespace tschema
