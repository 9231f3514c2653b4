/*!
 * \file hook_data.cc
 * \brief Data of objects that are not written field by field, as JSON text.
 */
#include "./hook_data.h"

#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/json.h>

namespace tschema {
namespace {

ffi::json::Value HookValue(const TypeCodec& codec, const ffi::Object* object) {
  const auto* entry = static_cast<const ffi::EnumObj*>(object);
  if (codec.form == DataForm::kEnumNumber) return entry->_int_index;
  if (codec.form == DataForm::kEnumName) return entry->_str_index;
  return codec.to_json(object);
}

}  // namespace

std::string HookData(const TypeCodec& codec, const ffi::Object* object) {
  return ffi::json::Stringify(HookValue(codec, object));
}

ffi::Any FromHookData(const TypeCodec& codec, std::string_view text) {
  ffi::json::Value data = ffi::json::Parse(ffi::String(text.data(), text.size()));
  int32_t type_index = codec.type->type_index;
  if (codec.form == DataForm::kEnumNumber) {
    return ffi::EnumObj::_GetByIntIndex(type_index, data.cast<int64_t>());
  }
  if (codec.form == DataForm::kEnumName) {
    return ffi::EnumObj::_GetByStrIndex(type_index, data.cast<ffi::String>());
  }
  return codec.from_json(data);
}

}  // namespace tschema
