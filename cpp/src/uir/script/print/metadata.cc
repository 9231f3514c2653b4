// Objects without syntax: tensors as their bytes in base64, other objects as JSON graphs.
#include "./metadata.h"

#include <tschema/json.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/base64.h>
#include <uir/ir/host_memory.h>

#include <cstring>
#include <vector>

#include "../syntax/literals.h"
#include "./printer_state.h"

namespace uir::script {

namespace {

constexpr std::string_view kTensor = "ffi.Tensor";

/*! \brief `float32;2,3;base64`, or None of a tensor that cannot be read. */
ffi::Optional<ffi::String> SaveTensor(const ffi::Tensor& tensor) {
  if (tensor.device().device_type != kDLCPU || !tensor.IsContiguous()) return std::nullopt;
  std::string text(Text(ffi::DLDataTypeToString(tensor.dtype())));
  for (size_t i = 0; i < tensor.shape().size(); ++i) {
    text += (i == 0 ? ";" : ",") + std::to_string(tensor.shape()[i]);
  }
  if (tensor.shape().empty()) text += ";";
  const size_t size = ffi::GetDataSize(*tensor.GetDLTensorPtr());
  const auto* data = static_cast<const char*>(tensor.data_ptr());
  text += ";" + std::string(ffi::Base64Encode(TVMFFIByteArray{data, size}));
  return ffi::String(text);
}

[[noreturn]] void FailTensor(const char* what) {
  TVM_FFI_THROW(ValueError) << "malformed tensor: " << what;
  TVM_FFI_UNREACHABLE();
}

std::vector<int64_t> ParseShape(const std::string& text) {
  std::vector<int64_t> shape;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string extent = text.substr(at, end - at);
    if (extent.empty() || extent.size() > 18 ||
        extent.find_first_not_of("0123456789") != extent.npos) {
      FailTensor("an extent is not a number");
    }
    shape.push_back(std::stoll(extent));
    at = end + 1;
  }
  return shape;
}

ffi::Tensor LoadTensor(const std::string& text) {
  const size_t shape_at = text.find(';');
  const size_t data_at = shape_at == text.npos ? text.npos : text.find(';', shape_at + 1);
  if (data_at == text.npos) FailTensor("expected a data type, a shape and data");
  const DLDataType dtype = ffi::StringToDLDataType(text.substr(0, shape_at));
  const std::vector<int64_t> shape = ParseShape(text.substr(shape_at + 1, data_at - shape_at - 1));
  const ffi::Bytes data = ffi::Base64Decode(ffi::String(text.substr(data_at + 1)));
  int64_t bits = dtype.bits * dtype.lanes;
  for (const int64_t extent : shape) {
    if (__builtin_mul_overflow(bits, extent, &bits)) FailTensor("the shape is too large");
  }
  if (static_cast<uint64_t>(bits + 7) / 8 != data.size()) {
    FailTensor("the data has not the size of the shape");
  }
  ffi::Tensor tensor =
      ffi::Tensor::FromNDAlloc(ir::HostMemory(), ffi::Shape(shape), dtype, DLDevice{kDLCPU, 0});
  std::memcpy(tensor.data_ptr(), data.data(), data.size());
  return tensor;
}

}  // namespace

ffi::Optional<ffi::String> SaveMetadata(ffi::AnyView value) {
  if (const std::optional<ffi::Tensor> tensor = value.as<ffi::Tensor>()) return SaveTensor(*tensor);
  try {
    return tschema::SaveJSON(value);
  } catch (const ffi::Error&) {
    // A function, or an address: it cannot leave the process.
    return std::nullopt;
  }
}

ffi::Any LoadMetadata(std::string_view key, const ffi::String& text) {
  if (key == kTensor) return LoadTensor(text);
  return tschema::LoadJSON(Text(text));
}

void PrintMetadata(Printer* printer, ffi::AnyView value) {
  PrinterState& state = printer->state();
  const std::string key = value.GetTypeKey();
  std::vector<ffi::Any>& values = state.metadata[key];
  size_t place = values.size();
  if (value.type_index() >= kTVMFFIStaticObjectBegin) {
    const ffi::Object* object = value.cast<ffi::ObjectRef>().get();
    place = state.metadata_places.try_emplace(object, place).first->second;
  }
  if (place == values.size()) values.emplace_back(value);
  printer->Write("metadata[");
  printer->WriteQuoted(key);
  printer->Write("][");
  printer->WriteInt(static_cast<int64_t>(place));
  printer->Write(']');
}

std::string MetadataLine(const PrinterState& state) {
  std::string line;
  for (const auto& [key, values] : state.metadata) {
    line += line.empty() ? "metadata = {" : ", ";
    AppendQuoted(&line, key);
    line += ": [";
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) line += ", ";
      const ffi::Optional<ffi::String> text = SaveMetadata(values[i]);
      text.has_value() ? AppendQuoted(&line, text.value()) : void(line += "None");
    }
    line += "]";
  }
  return line.empty() ? line : line + "}\n";
}

}  // namespace uir::script
