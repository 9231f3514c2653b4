/*!
 * \file hook_data.cc
 * \brief Data of objects that are not written field by field, as JSON text.
 */
#include "./hook_data.h"

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/json.h>

#include "../reflection/attrs.h"

namespace tschema {
namespace {

ffi::json::Value HookValue(const TypeCodec& codec, const ffi::Object* object) {
  const auto* entry = static_cast<const ffi::EnumObj*>(object);
#if TSCHEMA_FFI_HAS_VISIT
  if (codec.form == DataForm::kEnumNumber) return entry->_int_index;
  if (codec.form == DataForm::kEnumName) return entry->_str_index;
#else
  if (codec.form == DataForm::kEnumName) return entry->_name;
#endif
  return codec.to_json(object);
}

}  // namespace

std::string HookData(const TypeCodec& codec, const ffi::Object* object) {
  return ffi::json::Stringify(HookValue(codec, object));
}

ffi::Any FromHookData(const TypeCodec& codec, std::string_view text) {
  ffi::json::Value data = ffi::json::Parse(ffi::String(text.data(), text.size()));
  int32_t type_index = codec.type->type_index;
#if TSCHEMA_FFI_HAS_VISIT
  if (codec.form == DataForm::kEnumNumber) {
    return ffi::EnumObj::_GetByIntIndex(type_index, data.cast<int64_t>());
  }
  if (codec.form == DataForm::kEnumName) {
    return ffi::EnumObj::_GetByStrIndex(type_index, data.cast<ffi::String>());
  }
#else
  if (codec.form == DataForm::kEnumName) {
    ffi::Any entries = GetTypeAttr(type_index, "__ffi_enum_entries__");
    return entries.cast<ffi::Dict<ffi::String, ffi::Any> >().at(data.cast<ffi::String>());
  }
#endif
  return codec.from_json(data);
}

}  // namespace tschema
