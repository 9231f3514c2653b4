/*!
 * \file from_json_hook.cc
 * \brief A hook of tvm-ffi's reader on types whose fields hold tensors.
 */
#include "./from_json_hook.h"

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <string_view>

#include "../reflection/attrs.h"

namespace tschema {
namespace {

bool HoldsTensors(const TVMFFITypeInfo* type) {
  bool holds_tensors = false;
  ffi::reflection::ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* field) {
    const std::string_view metadata(field->metadata.data, field->metadata.size);
    // The type schema is text in the JSON of the metadata, so that its quotes are escaped.
    if (metadata.find(R"(\"ffi.Tensor\")") != metadata.npos) holds_tensors = true;
  });
  return holds_tensors;
}

}  // namespace

void RegisterFromJsonHook(int32_t type_index) {
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(type_index);
  if (!HoldsTensors(type)) return;
  auto refuse = [type](ffi::AnyView) -> ffi::Any {
    TVM_FFI_THROW(TypeError) << "tvm-ffi's reader cannot make the tensors of `"
                             << std::string_view(type->type_key.data, type->type_key.size)
                             << "`: load the text by `tschema.load_json`";
    TVM_FFI_UNREACHABLE();
  };
  SetTypeAttr(type_index, kDataFromJsonAttr, ffi::Function::FromTyped(refuse));
}

}  // namespace tschema
