/*!
 * \file type_layout.cc
 * \brief The layouts of types, for compilers that emit accesses to fields.
 */
#include <tschema/type_info.h>
#include <tschema/type_key.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <array>

#include "../support/global_function.h"
#include "./attrs.h"
#include "./structural_names.h"

namespace tschema {
namespace {

using Facts = ffi::Map<ffi::String, ffi::Any>;

/*! \brief In the order of `FieldKind`. */
constexpr std::array<const char*, 19> kKindNames = {
    "bool",   "int8",   "int16",   "int32",   "int64",  "uint8", "uint16",
    "uint32", "uint64", "float32", "float64", "enum",   "dtype", "device",
    "string", "bytes",  "any",     "object",  "foreign"};
static_assert(kKindNames.size() == static_cast<size_t>(FieldKind::kForeign) + 1);

ffi::Any Text(const char* text) {
  return text == nullptr ? ffi::Any(nullptr) : ffi::Any(ffi::String(text));
}

const char* StructuralOf(const FieldInfo& field) {
  if (field.ignored) return "ignore";
  if (field.binds_pattern) return "def_pattern";
  return field.binds ? "def" : nullptr;
}

Facts Describe(const FieldInfo& field) {
  auto has = [&field](int64_t flag) { return (field.reflected->flags & flag) != 0; };
  return {{"name", ffi::String(field.name.data(), field.name.size())},
          {"offset", int64_t{field.offset}},
          {"size", field.reflected->size},
          {"align", field.reflected->alignment},
          {"kind", ffi::String(kKindNames[static_cast<size_t>(field.kind)])},
          {"type", ffi::String(field.type->text)},
          {"structural", Text(StructuralOf(field))},
          {"mutable", has(kTVMFFIFieldFlagBitMaskWritable)},
          {"init", !field.derived},
          {"kw_only", has(kTVMFFIFieldFlagBitMaskKwOnly)},
          {"has_default", field.has_default()}};
}

/*! \brief The last index that is surely a child's: what tvm-ffi reserved for the type. */
int64_t LastChildOf(int32_t type_index) {
  ffi::Any slots = GetTypeAttr(type_index, kChildSlotsAttr);
  return type_index + (slots == nullptr ? 0 : slots.cast<int64_t>());
}

Facts Describe(const TypeInfo& info) {
  ffi::Array<Facts> fields;
  for (const FieldInfo& field : info.fields) fields.push_back(Describe(field));
  auto kind = static_cast<size_t>(info.structural_kind);
  return {{"key", ffi::String(info.key.data(), info.key.size())},
          {"size", int64_t{info.size}},
          {"align", int64_t{alignof(TVMFFIObject)}},
          {"depth", int64_t{info.reflected->type_depth}},
          {"type_index", int64_t{info.type_index}},
          {"last_child", LastChildOf(info.type_index)},
          {"is_abstract", !info.is_concrete},
          {"structural", Text(kind < kStructuralNames.size() ? kStructuralNames[kind] : nullptr)},
          {"fields", fields}};
}

/*!
 * \brief The layout of a type, as a map whose keys Python's `layout` documents.
 * \throws ValueError if the type is not registered.
 */
Facts TypeLayout(const ffi::String& key) {
  const int32_t type_index = FindTypeIndex({key.data(), key.size()}).value_or(-1);
  bool is_known =
      type_index >= kTVMFFIStaticObjectBegin && TVMFFIGetTypeInfo(type_index)->metadata != nullptr;
  if (!is_known) TVM_FFI_THROW(ValueError) << "type `" << key << "` is not registered";
  return Describe(TypeInfoOf(type_index));
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.type_layout", ffi::Function::FromTyped(TypeLayout));
}

}  // namespace tschema
