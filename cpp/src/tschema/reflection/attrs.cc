/*!
 * \file attrs.cc
 * \brief Attributes of types, over the C ABI.
 */
#include "./attrs.h"

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstring>

namespace tschema {

ffi::Any GetTypeAttr(int32_t type_index, const char* name) {
  TVMFFIByteArray key = {name, std::strlen(name)};
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&key);
  if (column == nullptr) return nullptr;
  int32_t row = type_index - column->begin_index;
  if (row < 0 || row >= column->size) return nullptr;
  return ffi::AnyView::CopyFromTVMFFIAny(column->data[row]);
}

void SetTypeAttr(int32_t type_index, const char* name, const ffi::Any& value) {
  TVMFFIByteArray key = {name, std::strlen(name)};
  TVMFFIAny raw = ffi::AnyView(value).CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(type_index, &key, &raw));
}

}  // namespace tschema
