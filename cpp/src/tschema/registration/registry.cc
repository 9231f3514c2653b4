/*!
 * \file registry.cc
 * \brief Registration of a package: checks first, then all of it over the C ABI.
 */
#include <tschema/registry.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_key.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <string>
#include <string_view>

#include "../reflection/attrs.h"
#include "../reflection/stored_forms.h"
#include "../structural/structural_attrs.h"
#include "../support/ffi_release.h"
#include "../support/loaded_library.h"
#include "../support/owners.h"
#include "../traversal/traversal_hooks.h"
#include "./type_text.h"

namespace tschema {
namespace {

TVMFFIByteArray Bytes(std::string_view text) { return {text.data(), text.size()}; }

void RegisterField(int32_t type_index, const Field& field) {
  TVMFFIFieldInfo info{};
  ffi::Any default_value;
  std::string metadata = FieldMetadata(field.type);
  info.name = Bytes(field.name);
  info.doc = Bytes(field.doc);
  info.metadata = Bytes(metadata);
  info.flags = field.flags;
  info.size = field.access->size;
  info.alignment = field.access->alignment;
  info.offset = field.offset;
  info.getter = field.access->getter;
  info.setter = reinterpret_cast<void*>(field.access->setter);
  info.field_static_type_index = field.access->static_type_index;
  if (field.make_default != nullptr) default_value = field.make_default();
  info.default_value_or_factory = ffi::AnyView(default_value).CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(type_index, &info));
}

/*! \brief The C ABI's description of a callable; a view of all three arguments. */
TVMFFIMethodInfo MethodInfo(const Callable& callable, const ffi::Function& function,
                            const std::string& metadata) {
  TVMFFIMethodInfo info{};
  info.name = Bytes(callable.name);
  info.doc = Bytes(callable.doc);
  info.metadata = Bytes(metadata);
  info.method = ffi::AnyView(function).CopyToTVMFFIAny();
  return info;
}

void RegisterMethod(int32_t type_index, const Callable& method) {
  std::string metadata = FunctionMetadata(CallableSchema(method));
  ffi::Function function = MakeFunction(method);
  TVMFFIMethodInfo info = MethodInfo(method, function, metadata);
  if (method.is_static) info.flags |= kTVMFFIFieldFlagBitMaskIsStaticMethod;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMethod(type_index, &info));
}

void RegisterFunction(const Callable& callable, const ffi::Function& function,
                      const std::string& owner) {
  std::string metadata = FunctionMetadata(CallableSchema(callable));
  TVMFFIMethodInfo info = MethodInfo(callable, function, metadata);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionSetGlobalFromMethodInfo(&info, /*override=*/0));
  SetFunctionOwner(callable.name, owner);
}

void RegisterConstructor(int32_t type_index, const Type& type, const std::string& owner) {
  ffi::Function construct = MakeFunction(*type.constructor);
  RegisterFunction(*type.constructor, construct, owner);
  SetTypeAttr(type_index, "__ffi_init__", construct);
  if (type.copy != nullptr) {
    SetTypeAttr(type_index, "__ffi_shallow_copy__",
                ffi::Function::FromTyped([copy = type.copy](const ffi::Object* self) {
                  return ffi::ObjectRef(copy(self));
                }));
    SetTypeAttr(type_index, kCopyAttr, reinterpret_cast<void*>(type.copy));
  }
  SetTypeAttr(type_index, kConstructorAttr,
              static_cast<void*>(const_cast<Callable*>(type.constructor)));
  RegisterTraversalHooks(type_index, type.structural_kind, type.hooks.post_init != nullptr);
  auto create = [creator = type.create]() -> ffi::ObjectRef {
    TVMFFIObjectHandle handle;
    TVM_FFI_CHECK_SAFE_CALL(creator(&handle));
    return ffi::ObjectRef(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(
        static_cast<TVMFFIObject*>(handle)));
  };
  SetTypeAttr(type_index, kNewAttr, ffi::Function::FromTyped(create));
}

void RegisterType(const Type& type, const std::string& owner) {
  int32_t type_index = type.type_index();
  TVMFFITypeMetadata metadata{};
  metadata.doc = Bytes(type.doc);
  metadata.creator = type.create;
  metadata.total_size = type.size;
  metadata.structural_eq_hash_kind = type.structural_kind;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMetadata(type_index, &metadata));
  for (const Field& field : type.fields) RegisterField(type_index, field);
  for (const Callable& method : type.methods) RegisterMethod(type_index, method);
  SetTypeAttr(type_index, "__ffi_type_final__", type.is_final);
  SetTypeAttr(type_index, kChildSlotsAttr, type.child_slots);
  SetTypeAttr(type_index, kDigestAttr, ffi::String(type.digest));
  SetTypeAttr(type_index, kOwnerAttr, ffi::String(owner));
  SetTypeAttr(type_index, kHooksAttr, static_cast<void*>(const_cast<TypeHooks*>(&type.hooks)));
  RegisterStructuralAttrs(type_index, type.hooks);
  if (type.script != nullptr) SetTypeAttr(type_index, kScriptAttr, ffi::String(type.script));
  if (type.constructor != nullptr) RegisterConstructor(type_index, type, owner);
}

void RegisterStoredForm(const StoredForm& stored) {
  const int32_t type_index = RequireTypeIndex(stored.type);
  if (stored.name == nullptr) {
    return AddStoredValue(type_index, stored.field, stored.make_value());
  }
  if (stored.field != nullptr) return AddFormerField(type_index, stored.name, stored.field);
  if (AddFormerKey(type_index, stored.name)) return;
  RecordError("`" + std::string(stored.name) + "`, which type `" + stored.type +
              "` is renamed from, is the former key of another type");
}

/*! \brief The conflicts of a package with registered types; empty if there are none. */
class Conflicts {
 public:
  Conflicts(const Package& package, std::string owner)
      : package_(package), owner_(std::move(owner)) {
    for (const Unit* unit : package.units) {
      for (const ExternType& type : unit->externs) CheckExtern(type);
      for (const Type& type : unit->types) CheckType(type);
      for (const Callable& function : unit->functions) CheckFunction(function.name);
    }
  }

  /*! \brief Whether all types are registered with the same declarations, by the same library. */
  bool IsRepetition() const { return text_.empty() && num_known_ > 0 && num_new_ == 0; }

  /*! \brief Whether the registered types are dynamic, so that their functions are missing. */
  bool is_dynamic() const { return is_dynamic_; }

  std::string Text() const {
    if (text_.empty() && num_known_ > 0) {
      return "package `" + std::string(package_.name) + "` of " + owner_ +
             " declares types besides those that are registered under its name";
    }
    return text_;
  }

 private:
  void CheckType(const Type& type) {
    int32_t type_index = type.type_index();
    if (TVMFFIGetTypeInfo(type_index)->metadata == nullptr) {
      ++num_new_;
      return;
    }
    ffi::Any digest = GetTypeAttr(type_index, kDigestAttr);
    if (digest != nullptr && digest.cast<ffi::String>() == type.digest) {
      ++num_known_;
      CheckDeclaration(type, type_index);
      return;
    }
    ffi::Any other = GetTypeAttr(type_index, kOwnerAttr);
    Add("type", type.key,
        other == nullptr ? std::string("code that does not use tschema")
                         : std::string(other.cast<ffi::String>()),
        "with another layout");
  }

  /*! \brief Check that a type of another library is registered, and agrees with its header. */
  void CheckExtern(const ExternType& type) {
    const TVMFFITypeMetadata* metadata = TVMFFIGetTypeInfo(type.type_index())->metadata;
    std::string name = "type `" + std::string(type.key) + "` of another library ";
    if (std::string_view(type.key) != type.type_key) {
      AddLine(name + "has the key `" + type.type_key + "` in its header");
    } else if (metadata == nullptr) {
      AddLine(name + "is not registered: load that library first");
    } else if (metadata->total_size != type.size) {
      AddLine(name + "has " + std::to_string(metadata->total_size) + " bytes there, and " +
              std::to_string(type.size) + " in the header that this one was built with");
    }
  }

  /*! \brief Refuse code that a dynamic type lacks. */
  void CheckDeclaration(const Type& type, int32_t type_index) {
    if (GetTypeAttr(type_index, kDynamicAttr) == nullptr) return;
    is_dynamic_ = true;
    const TypeHooks& hooks = type.hooks;
    bool runs_post_init = TypeInfoOf(type_index).hooks.post_init != nullptr;
    bool has_code = type.methods.size > 0 || hooks.equal != nullptr || hooks.hash != nullptr ||
                    hooks.visit != nullptr || (hooks.post_init != nullptr && !runs_post_init);
    if (!has_code) return;
    Add("type", type.key, std::string(GetTypeAttr(type_index, kOwnerAttr).cast<ffi::String>()),
        "without the code that its library has; load the library first");
  }

  void CheckFunction(const char* name) {
    if (num_known_ > 0 && num_new_ == 0) return;  // A repetition brings its functions along.
    if (!ffi::Function::GetGlobal(name)) return;
    Add("global function", name, FunctionOwner(name), "already");
  }

  void Add(const char* what, const char* name, const std::string& other, const char* how) {
    AddLine(std::string(what) + " `" + name + "` is registered by " + other + " " + how);
  }

  void AddLine(const std::string& line) {
    text_ += (text_.empty() ? "" : "\n") + line + "; " + owner_ + " (package `" + package_.name +
             "`) is refused";
  }

  const Package& package_;
  std::string owner_;
  std::string text_;
  int num_known_ = 0;
  int num_new_ = 0;
  bool is_dynamic_ = false;
};

/*! \brief Empty if the package and this library run with the loaded tvm-ffi. */
std::string VersionMismatch(const Package& package, const std::string& owner) {
  const std::string what = owner + " (package `" + package.name + "`)";
  if (OwnFfiMismatch().empty()) return FfiMismatch(what, package.ffi_version);
  return what + " cannot be used: " + OwnFfiMismatch();
}

void RegisterMissingFunctions(const Package& package, const std::string& owner) {
  for (const Unit* unit : package.units) {
    for (const Callable& function : unit->functions) {
      if (ffi::Function::GetGlobal(function.name)) continue;
      RegisterFunction(function, MakeFunction(function), owner);
    }
  }
}

void RegisterChecked(const Package& package) {
  std::string owner = LibraryOf(&package);
  std::string mismatch = VersionMismatch(package, owner);
  if (!mismatch.empty()) return RecordError(mismatch);
  KeepLoaded(&package);
  Conflicts conflicts(package, owner);
  if (conflicts.IsRepetition()) {
    if (conflicts.is_dynamic()) RegisterMissingFunctions(package, owner);
    return;
  }
  std::string text = conflicts.Text();
  if (!text.empty()) return RecordError(text);
  for (const Unit* unit : package.units) {
    for (const Type& type : unit->types) RegisterType(type, owner);
  }
  for (const StoredForm& stored : package.stored_forms) RegisterStoredForm(stored);
  RegisterMissingFunctions(package, owner);
  SetPackageDigest(package.name, package.digest);
}

}  // namespace

void Register(const Package& package) noexcept {
  try {
    RegisterChecked(package);
  } catch (const std::exception& error) {
    RecordError(std::string("package `") + package.name + "`: " + error.what());
  }
}

void CheckRegistration() {
  ffi::Array<ffi::String> errors = RegistrationErrors();
  if (errors.empty()) return;
  std::string text;
  for (const ffi::String& error : errors) text += (text.empty() ? "" : "\n") + std::string(error);
  TVM_FFI_THROW(RuntimeError) << text;
}

}  // namespace tschema
