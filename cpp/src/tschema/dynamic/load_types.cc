/*!
 * \file load_types.cc
 * \brief Registers dynamic types over the C ABI, after all checks.
 */
#include <tschema/load_types.h>
#include <tschema/registry.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_key.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <memory>
#include <mutex>
#include <vector>

#include "../reflection/attrs.h"
#include "../reflection/stored_forms.h"
#include "../registration/type_text.h"
#include "../support/global_function.h"
#include "../support/owners.h"
#include "../traversal/traversal_hooks.h"
#include "./checks.h"
#include "./constructor.h"
#include "./field_access.h"
#include "./literal.h"
#include "./table.h"

namespace tschema {
namespace dynamic {
namespace {

TVMFFIByteArray Bytes(std::string_view text) { return {text.data(), text.size()}; }

/*! \brief `TypeInfo::create` of dynamic types. */
ffi::ObjectPtr<ffi::Object> NewObject(int32_t type_index) { return TableOf(type_index)->New(); }

int64_t FlagsOf(const Field& field, const Type& type) {
  int64_t flags = type.is_mutable ? kWritable : 0;
  if (field.structural == "ignore") flags |= kIgnored;
  if (field.structural == "def") flags |= kSEqHashDefSimple;
  if (field.structural == "def_pattern") flags |= kSEqHashDefPattern;
  if (!field.repr) flags |= kReprOff;
  if (!field.init) flags |= kInitOff;
  if (field.kw_only) flags |= kKwOnly;
  if (!field.default_value) return flags;
  return flags | kHasDefault | (field.default_value->factory.empty() ? 0 : kDefaultFromFactory);
}

ffi::Any DefaultOf(const Field& field, const Schema& schema) {
  if (!field.default_value) return nullptr;
  return field.default_value->factory.empty()
             ? MakeLiteral(*field.default_value, field.type, schema)
             : MakeFactory(*field.default_value, field.type);
}

/*! \brief Registers a package whose checks are done. */
class Registration {
 public:
  Registration(const Schema& schema, const RegisteredTypes& registered, std::string owner)
      : schema_(schema), registered_(registered), owner_(std::move(owner)) {}

  void Run() {
    std::vector<int32_t> indices;
    for (const Type& type : schema_.types) indices.push_back(AllocateIndex(type));
    // A table may throw: all of them are made before anything is registered.
    std::vector<std::unique_ptr<Table>> tables;
    for (size_t at = 0; at < indices.size(); ++at) {
      tables.push_back(std::make_unique<Table>(schema_.types[at], indices[at], schema_));
    }
    for (std::unique_ptr<Table>& table : tables) Register(*table.release());
  }

 private:
  int32_t AllocateIndex(const Type& type) {
    const int32_t parent_index = RequireTypeIndex(type.parent);
    TVMFFIByteArray key = Bytes(type.key);
    auto depth = static_cast<int32_t>(type.layout.depth);
    int32_t index = TVMFFITypeGetOrAllocIndex(&key, /*static_type_index=*/-1, depth,
                                              static_cast<int32_t>(type.layout.child_slots),
                                              /*child_slots_can_overflow=*/1, parent_index);
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
    if (info->type_depth != depth || info->type_ancestors[depth - 1]->type_index != parent_index) {
      TVM_FFI_THROW(RuntimeError) << "type `" << type.key << "` has another parent than `"
                                  << type.parent << "` in code that is loaded";
    }
    return index;
  }

  void Register(const Table& table) {
    const Type& type = table.type();
    int32_t index = table.type_index();
    PublishTable(&table);
    TVMFFITypeMetadata metadata{};
    metadata.doc = Bytes(type.doc);
    metadata.total_size = static_cast<int32_t>(type.layout.size);
    metadata.structural_eq_hash_kind = type.structural;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMetadata(index, &metadata));
    for (const Field& field : type.fields) RegisterField(table, table.Find(field.name), field);
    auto* hooks = new TypeHooks;
    hooks->post_init = InheritedPostInit(type, schema_, registered_);
    SetTypeAttr(index, "__ffi_type_final__", type.is_final);
    SetTypeAttr(index, kChildSlotsAttr, type.layout.child_slots);
    SetTypeAttr(index, kDigestAttr, ffi::String(type.layout.digest));
    SetTypeAttr(index, kOwnerAttr, ffi::String(owner_));
    SetTypeAttr(index, kHooksAttr, static_cast<void*>(hooks));
    SetTypeAttr(index, kDynamicAttr, true);
    if (!type.script.empty()) SetTypeAttr(index, kScriptAttr, ffi::String(type.script));
    if (!type.is_abstract) RegisterConstructor(table, hooks->post_init);
    RegisterStoredForms(type, index);
  }

  void RegisterStoredForms(const Type& type, int32_t index) {
    for (const std::string& key : type.former_keys) AddFormerKey(index, key);
    for (const std::string& name : type.removed_fields) AddFormerField(index, name, "");
    for (const Field& field : type.fields) {
      for (const std::string& name : field.renamed_from) AddFormerField(index, name, field.name);
      if (field.stored_default) {
        ffi::Any value = MakeLiteral(*field.stored_default, field.type, schema_);
        AddStoredValue(index, field.name, value);
      }
    }
  }

  void RegisterField(const Table& table, const Slotted& slotted, const Field& field) {
    std::string metadata = FieldMetadata(slotted.text);
    ffi::Any default_value = DefaultOf(field, schema_);
    FieldAccess access = AccessOf(slotted);
    ffi::Function setter;
    TVMFFIFieldInfo info{};
    info.name = Bytes(field.name);
    info.doc = Bytes(field.doc);
    info.metadata = Bytes(metadata);
    info.flags = FlagsOf(field, table.type());
    info.size = field.size;
    info.alignment = field.align;
    info.offset = field.offset;
    info.getter = access.getter;
    info.setter = reinterpret_cast<void*>(access.setter);
    info.field_static_type_index = access.static_type_index;
    info.default_value_or_factory = ffi::AnyView(default_value).CopyToTVMFFIAny();
    if (access.setter == nullptr) {
      setter = MakeSetter(slotted);
      info.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
      info.setter = ffi::AnyView(setter).CopyToTVMFFIAny().v_obj;
    }
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(table.type_index(), &info));
  }

  void RegisterConstructor(const Table& table, PostInitHook post_init) {
    int32_t index = table.type_index();
    ffi::Function construct = MakeConstructor(table, post_init);
    std::string metadata = FunctionMetadata(ConstructorSchema(table));
    TVMFFIMethodInfo info{};
    info.name = Bytes(table.type().key);
    info.metadata = Bytes(metadata);
    info.method = ffi::AnyView(construct).CopyToTVMFFIAny();
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionSetGlobalFromMethodInfo(&info, /*override=*/0));
    SetFunctionOwner(table.type().key, owner_);
    SetTypeAttr(index, "__ffi_init__", construct);
    SetTypeAttr(index, kNewAttr,
                ffi::Function::FromTyped([index] { return ffi::ObjectRef(NewObject(index)); }));
    SetTypeAttr(index, kCreateAttr, reinterpret_cast<void*>(&NewObject));
    SetTypeAttr(index, "__ffi_shallow_copy__",
                ffi::Function::FromTyped([&table](const ffi::Object* self) -> ffi::ObjectRef {
                  return ffi::ObjectRef(table.Copy(self));
                }));
    RegisterTraversalHooks(index, table.type().structural, post_init != nullptr);
  }

  const Schema& schema_;
  const RegisteredTypes& registered_;
  std::string owner_;
};

/*! \throws ValueError if a registered type had a key that a type of the schema had too. */
void CheckFormerKeys(const Schema& schema) {
  for (const Type& type : schema.types) {
    for (const std::string& key : type.former_keys) {
      const int32_t other = FindFormerKey(key);
      if (other < 0 || FindTypeIndex(type.key) == other) continue;
      TVM_FFI_THROW(ValueError) << "`" << key << "`, which type `" << type.key
                                << "` is renamed from, is the former key of `"
                                << ffi::TypeIndexToTypeKey(other) << "` too";
    }
  }
}

bool LoadChecked(const Schema& schema, const std::string& owner) {
  CheckLayouts(schema);
  RegisteredTypes registered;
  if (IsRegistered(schema, registered, owner)) return false;
  CheckNeedsNoCode(schema, owner);
  CheckImports(schema, registered, owner);
  CheckFormerKeys(schema);
  Registration(schema, registered, owner).Run();
  SetPackageDigest(schema.package, PackageDigest(schema));
  return true;
}

}  // namespace
}  // namespace dynamic

bool LoadTypes(std::string_view json, std::string_view owner) {
  static std::mutex mutex;
  auto schema = std::make_unique<dynamic::Schema>(dynamic::ReadSchema(json));
  std::lock_guard<std::mutex> lock(mutex);
  if (!dynamic::LoadChecked(*schema, std::string(owner))) return false;
  // Tables refer to it, and live as long as the process.
  schema.release();
  return true;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.load_types",
                    ffi::Function::FromTyped([](const ffi::String& json, const ffi::String& owner) {
                      return LoadTypes({json.data(), json.size()}, {owner.data(), owner.size()});
                    }));
}

}  // namespace tschema
