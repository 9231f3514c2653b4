/*!
 * \file hook_data.cc
 * \brief Data of objects that are not written field by field, as JSON text.
 */
#include "./hook_data.h"

#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/json.h>

namespace tschema {
namespace {

ffi::json::Value HookValue(const TypeProgram& program, const ffi::Object* object) {
  const auto* entry = static_cast<const ffi::EnumObj*>(object);
  if (program.form == DataForm::kEnumNumber) return entry->_int_index;
  if (program.form == DataForm::kEnumName) return entry->_str_index;
  return program.to_json(object);
}

}  // namespace

std::string HookData(const TypeProgram& program, const ffi::Object* object) {
  return ffi::json::Stringify(HookValue(program, object));
}

ffi::Any FromHookData(const TypeProgram& program, std::string_view text) {
  ffi::json::Value data = ffi::json::Parse(ffi::String(text.data(), text.size()));
  int32_t type_index = program.type->type_index;
  if (program.form == DataForm::kEnumNumber) {
    return ffi::EnumObj::_GetByIntIndex(type_index, data.cast<int64_t>());
  }
  if (program.form == DataForm::kEnumName) {
    return ffi::EnumObj::_GetByStrIndex(type_index, data.cast<ffi::String>());
  }
  return program.from_json(data);
}

}  // namespace tschema
