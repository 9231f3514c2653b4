// The layouts of objects, from the run-time type information of tschema.
#include <tschema/type_info.h>
#include <tschema/type_key.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/near_names.h>
#include <uir/tir/object_layout.h>

#include <optional>
#include <string>
#include <vector>

namespace uir::tir {

namespace {

using tschema::FieldInfo;
using tschema::FieldKind;
using tschema::TypeExpr;

std::string_view View(const ffi::String& text) { return {text.data(), text.size()}; }

int32_t RequireType(std::string_view key) {
  if (const std::optional<int32_t> index = tschema::FindTypeIndex(key)) return *index;
  std::vector<std::string> known;
  static const ffi::Function list = ffi::Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys");
  for (const ffi::String& name : list().cast<ffi::Array<ffi::String>>()) known.emplace_back(name);
  TVM_FFI_THROW(TypeError) << "type `" << key << "` is not registered" << ir::DidYouMean(key, known)
                           << "; import the package that declares it";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The data type of a field with a plain value. */
std::optional<DLDataType> DTypeOfKind(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBool:
      return ir::BoolType();
    case FieldKind::kInt8:
      return ir::IntType(8);
    case FieldKind::kInt16:
      return ir::IntType(16);
    case FieldKind::kInt32:
    case FieldKind::kEnum:
      return ir::IntType(32);
    case FieldKind::kInt64:
      return ir::IntType(64);
    case FieldKind::kUInt8:
      return ir::UIntType(8);
    case FieldKind::kUInt16:
      return ir::UIntType(16);
    case FieldKind::kUInt32:
      return ir::UIntType(32);
    case FieldKind::kUInt64:
      return ir::UIntType(64);
    case FieldKind::kFloat32:
      return ir::FloatType(32);
    case FieldKind::kFloat64:
      return ir::FloatType(64);
    case FieldKind::kObject:
      return ir::kHandle;
    default:
      return std::nullopt;
  }
}

ffi::Optional<ObjectType> ReferenceTo(const TypeExpr& type, bool is_nullable) {
  switch (type.kind) {
    case TypeExpr::Kind::kOptional:
      return ReferenceTo(type.arguments[0], true);
    case TypeExpr::Kind::kObject:
      return ObjectType(std::string(tschema::TypeInfoOf(type.type_index).key), is_nullable);
    case TypeExpr::Kind::kArray:
      return ObjectType("ffi.Array", is_nullable);
    case TypeExpr::Kind::kMap:
      return ObjectType("ffi.Map", is_nullable);
    default:
      return std::nullopt;
  }
}

bool IsRegisteredSubtype(std::string_view key, std::string_view base_key) {
  if (key == base_key) return true;
  const std::optional<int32_t> index = tschema::FindTypeIndex(key);
  const std::optional<int32_t> base = tschema::FindTypeIndex(base_key);
  if (!index || !base) return false;
  const TVMFFITypeInfo* info = tschema::TypeInfoOf(*index).reflected;
  const int32_t depth = tschema::TypeInfoOf(*base).reflected->type_depth;
  return depth < info->type_depth && info->type_ancestors[depth]->type_index == *base;
}

}  // namespace

ObjectField FindObjectField(const ffi::String& type_key, const ffi::String& field) {
  const tschema::TypeInfo& type = tschema::TypeInfoOf(RequireType(View(type_key)));
  const FieldInfo* found = type.Find(View(field));
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const FieldInfo& other : type.fields) known.emplace_back(other.name);
    TVM_FFI_THROW(ValueError) << "type `" << type_key << "` has no field `" << field << "`"
                              << ir::DidYouMean(View(field), known);
  }
  const std::optional<DLDataType> dtype = DTypeOfKind(found->kind);
  if (!dtype) {
    TVM_FFI_THROW(TypeError) << "field `" << field << "` of `" << type_key << "` is a `"
                             << found->type->text << "`, which code cannot read; it reads numbers, "
                             << "booleans, enums and references to objects";
  }
  ffi::Optional<ObjectType> reference;
  if (found->kind == FieldKind::kObject) reference = ReferenceTo(*found->type, false);
  return {found->offset, *dtype, reference};
}

bool IsSubtype(const ffi::Optional<ObjectType>& type, const ObjectType& base) {
  if (!type.has_value() || (type.value()->nullable && !base->nullable)) return false;
  return IsRegisteredSubtype(View(type.value()->key), View(base->key));
}

}  // namespace uir::tir
