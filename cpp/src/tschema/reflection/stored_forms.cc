/*!
 * \file stored_forms.cc
 * \brief Keeps former keys in a table, and forms of fields in attributes of their types.
 */
#include "./stored_forms.h"

#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <mutex>

#include "./attrs.h"

namespace tschema {
namespace {

constexpr const char* kTableFunction = "tschema.former_keys";

using Table = ffi::Dict<ffi::String, int32_t>;

/*! \brief Guards the table, since a library may register types while a thread loads a file. */
std::mutex& TableMutex() {
  static std::mutex* const mutex = new std::mutex();
  return *mutex;
}

/*! \brief The table of the first libtschema that is loaded, which all copies share. */
Table SharedTable() {
  static const Table table = [] {
    if (auto shared = ffi::Function::GetGlobal(kTableFunction)) return (*shared)().cast<Table>();
    Table fresh;
    ffi::reflection::GlobalDef().def(kTableFunction, [fresh]() { return fresh; });
    return fresh;
  }();
  return table;
}

/*! \brief A dictionary among the attributes of a type, or a fresh one. */
template <typename Dictionary>
Dictionary AttrOr(int32_t type_index, const char* name) {
  ffi::Any found = GetTypeAttr(type_index, name);
  return found == nullptr ? Dictionary() : found.cast<Dictionary>();
}

}  // namespace

bool AddFormerKey(int32_t type_index, const std::string& key) {
  const std::lock_guard<std::mutex> lock(TableMutex());
  Table table = SharedTable();
  const ffi::Optional<int32_t> known = table.Get(key);
  if (known.has_value()) return *known == type_index;
  table.Set(key, type_index);
  return true;
}

int32_t FindFormerKey(std::string_view key) {
  const std::lock_guard<std::mutex> lock(TableMutex());
  return SharedTable().Get(ffi::String(key.data(), key.size())).value_or(-1);
}

void AddFormerField(int32_t type_index, const std::string& name, const std::string& field) {
  FormerFields fields = FormerFieldsOf(type_index);
  if (fields.empty()) SetTypeAttr(type_index, kFormerFieldsAttr, fields);
  fields.Set(name, field);
}

FormerFields FormerFieldsOf(int32_t type_index) {
  return AttrOr<FormerFields>(type_index, kFormerFieldsAttr);
}

void AddStoredValue(int32_t type_index, const std::string& field, const ffi::Any& value) {
  StoredValues values = StoredValuesOf(type_index);
  if (values.empty()) SetTypeAttr(type_index, kStoredValuesAttr, values);
  values.Set(field, value);
}

StoredValues StoredValuesOf(int32_t type_index) {
  return AttrOr<StoredValues>(type_index, kStoredValuesAttr);
}

}  // namespace tschema
