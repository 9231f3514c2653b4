/*!
 * \file type_info.cc
 * \brief Builds type information for the engines from tvm-ffi's type table.
 */
#include <tschema/callable.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

#include "./attrs.h"
#include "./type_expr.h"

namespace tschema {

namespace detail {

PerType<TypeInfo> type_infos;

}  // namespace detail

namespace {

std::string_view View(const TVMFFIByteArray& bytes) { return {bytes.data, bytes.size}; }

/*! \brief The type as its schema spells it; empty for a field of foreign code. */
std::string SchemaType(const TVMFFIFieldInfo& field) {
  if (field.metadata.size == 0) return "";
  ffi::json::Value metadata = ffi::json::Parse(ffi::String(field.metadata));
  auto object = metadata.as<ffi::json::Object>();
  if (!object || object->count("tschema_type") == 0) return "";
  return (*object)["tschema_type"].cast<std::string>();
}

/*! \brief The type of a field of foreign code, as far as tvm-ffi knows it. */
std::string ForeignType(const TVMFFIFieldInfo& field) {
  switch (field.field_static_type_index) {
    case kTVMFFIBool:
      return "bool";
    case kTVMFFIInt:
      return "int" + std::to_string(field.size * 8);
    case kTVMFFIFloat:
      return "float" + std::to_string(field.size * 8);
    case kTVMFFIDataType:
      return "DataType";
    case kTVMFFIDevice:
      return "Device";
    default:
      return "Any";
  }
}

FieldKind IntegerKind(const TypeExpr& type, int64_t size) {
  bool is_signed = type.low < 0;
  switch (size) {
    case 1:
      return is_signed ? FieldKind::kInt8 : FieldKind::kUInt8;
    case 2:
      return is_signed ? FieldKind::kInt16 : FieldKind::kUInt16;
    case 4:
      return is_signed ? FieldKind::kInt32 : FieldKind::kUInt32;
    default:
      return is_signed ? FieldKind::kInt64 : FieldKind::kUInt64;
  }
}

#if !TSCHEMA_FFI_HAS_VISIT
bool IsPlainKind(TypeExpr::Kind kind) {
  using Kind = TypeExpr::Kind;
  return kind == Kind::kBool || kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kEnum ||
         kind == Kind::kDataType || kind == Kind::kDevice;
}
#endif

FieldKind KindOfSchemaType(const TypeExpr& type, int64_t size) {
  using Kind = TypeExpr::Kind;
  switch (type.kind) {
    case Kind::kBool:
      return FieldKind::kBool;
    case Kind::kInt:
      return IntegerKind(type, size);
    case Kind::kEnum:
      return FieldKind::kEnum;
    case Kind::kFloat:
      return size == 4 ? FieldKind::kFloat32 : FieldKind::kFloat64;
    case Kind::kDataType:
      return FieldKind::kDataType;
    case Kind::kDevice:
      return FieldKind::kDevice;
    case Kind::kString:
      return FieldKind::kString;
    case Kind::kBytes:
      return FieldKind::kBytes;
#if !TSCHEMA_FFI_HAS_VISIT
    case Kind::kOptional:
      if (IsPlainKind(type.arguments[0].kind)) return FieldKind::kForeign;
      [[fallthrough]];
#endif
    default:
      return size == sizeof(void*) ? FieldKind::kObject : FieldKind::kAny;
  }
}

/*! \brief The kind of a foreign field if it implies the layout; else `kForeign`, with a getter. */
FieldKind KindOfForeign(const TVMFFIFieldInfo& field, const TypeExpr& type) {
  int32_t index = field.field_static_type_index;
  bool is_word = field.size == sizeof(int64_t);
  if (index == kTVMFFIInt) return is_word ? FieldKind::kInt64 : FieldKind::kForeign;
  if (index >= kTVMFFIStaticObjectBegin && is_word) return FieldKind::kObject;
  if (index == kTVMFFIBool || index == kTVMFFIFloat || index == kTVMFFIDataType ||
      index == kTVMFFIDevice) {
    return KindOfSchemaType(type, field.size);
  }
  return FieldKind::kForeign;
}

FieldInfo MakeField(const TVMFFIFieldInfo& field) {
  std::string spelled = SchemaType(field);
  // Types live as long as the process, so this object is never freed.
  auto* type = new TypeExpr(ParseTypeExpr(spelled.empty() ? ForeignType(field) : spelled));
  FieldInfo info{};
  info.offset = static_cast<uint32_t>(field.offset);
  info.kind = spelled.empty() ? KindOfForeign(field, *type) : KindOfSchemaType(*type, field.size);
  info.ignored = (field.flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0;
  info.binds = (field.flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) != 0;
  info.binds_pattern = (field.flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) != 0;
  info.derived = (field.flags & kTVMFFIFieldFlagBitMaskInitOff) != 0;
  info.name = View(field.name);
  info.reflected = &field;
  info.type = type;
  return info;
}

bool IsEdge(const FieldInfo& field) {
  return field.kind == FieldKind::kObject || field.kind == FieldKind::kAny ||
         field.kind == FieldKind::kForeign;
}

void AddEdges(TypeInfo* info) {
  for (const FieldInfo& field : info->fields) {
    if (!IsEdge(field)) continue;
    info->edges.push_back(field);
    auto place = static_cast<uint16_t>(&field - info->fields.data());
    if (!field.ignored) info->children.push_back({field.offset, field.kind, place});
  }
  info->is_leaf = info->edges.empty();
}

void AddFields(const TVMFFITypeInfo* type, TypeInfo* info) {
  for (int32_t index = 0; index < type->num_fields; ++index) {
    info->fields.push_back(MakeField(type->fields[index]));
  }
}

/*! \brief A field is derived if the constructor does not take it; a parent's constructor may. */
void SetConstructor(int32_t type_index, TypeInfo* info) {
  ffi::Any constructor = GetTypeAttr(type_index, kConstructorAttr);
  if (constructor == nullptr) return;
  info->constructor = static_cast<const Callable*>(constructor.cast<void*>());
  const Rows<Parameter>& parameters = info->constructor->parameters;
  for (FieldInfo& field : info->fields) {
    field.derived =
        std::none_of(parameters.begin(), parameters.end(),
                     [&field](const Parameter& parameter) { return parameter.name == field.name; });
  }
}

std::unique_ptr<TypeInfo> BuildTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(type_index);
  auto info = std::make_unique<TypeInfo>();
  info->reflected = type;
  info->type_index = type_index;
  info->key = View(type->type_key);
  info->key_hash = type->type_key_hash;
  if (type->metadata != nullptr) {
    info->size = type->metadata->total_size;
    info->structural_kind = type->metadata->structural_eq_hash_kind;
    info->is_concrete =
        type->metadata->creator != nullptr || GetTypeAttr(type_index, kNewAttr) != nullptr;
  }
  for (int32_t depth = 0; depth < type->type_depth; ++depth) {
    AddFields(type->type_ancestors[depth], info.get());
  }
  AddFields(type, info.get());
  SetConstructor(type_index, info.get());
  AddEdges(info.get());
  ffi::Any hooks = GetTypeAttr(type_index, kHooksAttr);
  if (hooks != nullptr) info->hooks = *static_cast<const TypeHooks*>(hooks.cast<void*>());
  ffi::Any copy = GetTypeAttr(type_index, kCopyAttr);
  if (copy != nullptr) info->copy = reinterpret_cast<decltype(info->copy)>(copy.cast<void*>());
  ffi::Any script = GetTypeAttr(type_index, kScriptAttr);
  if (script != nullptr) info->script = script.cast<ffi::String>();
  ffi::Any create = GetTypeAttr(type_index, kCreateAttr);
  if (create != nullptr) {
    info->create = reinterpret_cast<decltype(info->create)>(create.cast<void*>());
  }
  return info;
}

}  // namespace

namespace detail {

void CheckTypeIndex(int32_t type_index) {
  if (0 <= type_index && type_index < kMaxTypes) return;
  TVM_FFI_THROW(RuntimeError) << "type index " << type_index << " is beyond " << kMaxTypes;
}

const TypeInfo* MakeTypeInfo(int32_t type_index) {
  static std::mutex mutex;
  CheckTypeIndex(type_index);
  std::lock_guard<std::mutex> lock(mutex);
  if (const TypeInfo* known = type_infos.Find(type_index)) return known;
  const TypeInfo* built = BuildTypeInfo(type_index).release();
  type_infos.Set(type_index, built);
  return built;
}

}  // namespace detail

std::vector<int32_t> TypesWithScript() {
  TVMFFIByteArray name = {kScriptAttr, std::strlen(kScriptAttr)};
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
  std::vector<int32_t> found;
  if (column == nullptr) return found;
  for (int32_t row = 0; row < column->size; ++row) {
    if (column->data[row].type_index != kTVMFFINone) found.push_back(column->begin_index + row);
  }
  return found;
}

const FieldInfo* TypeInfo::Find(std::string_view name) const {
  auto found = std::find_if(fields.begin(), fields.end(),
                            [name](const FieldInfo& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

ffi::ObjectPtr<ffi::Object> TypeInfo::Create() const {
  if (!is_concrete) {
    TVM_FFI_THROW(TypeError) << "objects of type `" << key << "` cannot be made";
  }
  if (create != nullptr) return create(type_index);
  if (reflected->metadata->creator == nullptr) {
    auto create = GetTypeAttr(type_index, kNewAttr).cast<ffi::Function>();
    return ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(
        create().cast<ffi::ObjectRef>());
  }
  TVMFFIObjectHandle handle;
  TVM_FFI_CHECK_SAFE_CALL(reflected->metadata->creator(&handle));
  return ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(
      static_cast<TVMFFIObject*>(handle));
}

ffi::Any FieldInfo::Read(const ffi::Object* object) const {
  ffi::Any value;
  const char* address = reinterpret_cast<const char*>(object) + offset;
  TVM_FFI_CHECK_SAFE_CALL(
      reflected->getter(const_cast<char*>(address), reinterpret_cast<TVMFFIAny*>(&value)));
  return value;
}

void FieldInfo::Write(ffi::Object* object, ffi::AnyView value) const {
  void* address = reinterpret_cast<char*>(object) + offset;
  if ((reflected->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) == 0) {
    TVMFFIAny raw = value.CopyToTVMFFIAny();
    auto setter = reinterpret_cast<TVMFFIFieldSetter>(reflected->setter);
    TVM_FFI_CHECK_SAFE_CALL(setter(address, &raw));
    return;
  }
  auto* function = static_cast<ffi::FunctionObj*>(reflected->setter);
  ffi::AnyView arguments[] = {address, value};
  ffi::Any result;
  function->CallPacked(arguments, 2, &result);
}

ffi::Any FieldInfo::MakeDefault() const {
  ffi::AnyView value = ffi::AnyView::CopyFromTVMFFIAny(reflected->default_value_or_factory);
  bool is_factory = (reflected->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) != 0;
  return is_factory ? value.cast<ffi::Function>()() : ffi::Any(value);
}

}  // namespace tschema
