// The types of options: checks and conversions of values.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/object.h>

#include <optional>

#include "./options.h"
#include "./type_lookup.h"

namespace uir::transform {

namespace {

template <typename T>
ffi::Any Convert(const ffi::Any& value) {
  std::optional<T> converted = value.try_cast<T>();
  return converted ? ffi::Any(*std::move(converted)) : ffi::Any();
}

}  // namespace

ffi::Any ConvertOption(const ffi::Any& value, const ffi::String& type_name) {
  if (type_name == "bool") return Convert<bool>(value);
  if (type_name == "int") return Convert<int64_t>(value);
  if (type_name == "float") return Convert<double>(value);
  if (type_name == "str") return Convert<ffi::String>(value);
  const int32_t type_index = TypeIndexOf(type_name);
  const bool is_object = value.type_index() >= ffi::TypeIndex::kTVMFFIStaticObjectBegin;
  return type_index >= 0 && is_object && IsBelow(value.type_index(), type_index) ? value
                                                                                 : ffi::Any();
}

bool IsOptionType(const ffi::String& type_name) {
  for (const char* plain : {"bool", "int", "float", "str"}) {
    if (type_name == plain) return true;
  }
  return TypeIndexOf(type_name) >= ffi::TypeIndex::kTVMFFIStaticObjectBegin;
}

}  // namespace uir::transform
