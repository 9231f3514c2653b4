/*!
 * \file checks.cc
 * \brief Who has registered what, which code is missing, and what builds on what.
 */
#include "./checks.h"

#include <tschema/type_info.h>
#include <tschema/type_key.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <set>

#include "../reflection/attrs.h"
#include "../support/owners.h"

namespace tschema {
namespace dynamic {
namespace {

constexpr const char* kRootKey = "ffi.Object";

std::string OwnerOf(int32_t type_index) {
  ffi::Any owner = GetTypeAttr(type_index, kOwnerAttr);
  return owner == nullptr ? "code that does not use tschema"
                          : std::string(owner.cast<ffi::String>());
}

bool HasDigest(int32_t type_index, const std::string& digest) {
  ffi::Any registered = GetTypeAttr(type_index, kDigestAttr);
  return registered != nullptr && registered.cast<ffi::String>() == digest;
}

void AddLine(std::string* text, const std::string& line) {
  *text += (text->empty() ? "" : "\n") + line;
}

std::string Refusal(const Schema& schema, const std::string& owner) {
  return "; " + owner + " (package `" + schema.package + "`) is refused";
}

void AddKeys(const TypeRef& ref, std::set<std::string>* keys) {
  for (const TypeRef& arg : ref.args) AddKeys(arg, keys);
  if (ref.kind == "node") keys->insert(ref.key);
}

/*! \brief The types that the package's own ones extend, or have in fields. */
std::set<std::string> MentionedKeys(const Schema& schema) {
  std::set<std::string> keys;
  for (const Type& type : schema.types) {
    keys.insert(type.parent);
    for (const Field& field : type.fields) AddKeys(field.type, &keys);
  }
  return keys;
}

/*! \brief `methods `a`, `b``, or an empty text. */
std::string MethodsOf(const Type& type) {
  std::string text;
  for (const std::string& name : type.methods) {
    text += (text.empty() ? "methods `" : ", `") + name + "`";
  }
  return text;
}

/*! \brief `members `a`, `b`, which only C++ has`, with those of parents; or an empty text. */
std::string MembersOf(const Type& type, const Schema& schema) {
  std::string text;
  for (const Type* one : schema.Ancestry(type)) {
    for (const Field& member : one->unregistered) {
      std::string owner = one == &type ? "" : " of `" + one->key + "`";
      text += (text.empty() ? "members `" : ", `") + member.name + "`" + owner;
    }
  }
  return text.empty() ? text : text + ", which only C++ has";
}

std::string CodeOf(const Type& type, const Schema& schema) {
  std::string text = MethodsOf(type);
  auto add = [&text](const char* what) { text += (text.empty() ? "" : ", ") + std::string(what); };
  if (type.has_post_init) add("`post_init`");
  if (std::string members = MembersOf(type, schema); !members.empty()) add(members.c_str());
  if (type.is_polymorphic) add("virtual functions");
  if (!type.extern_header.empty()) add(("`" + type.extern_header + "` of another library").c_str());
  for (const Field& field : type.fields) {
    bool is_initializer = field.default_value && field.default_value->is_initializer;
    if (is_initializer) add(("the initializer of `" + field.name + "`").c_str());
  }
  // An abstract type has no objects, so its structural methods are never called.
  if (type.has_custom_methods && !type.is_abstract) add("structural methods of its own");
  return text;
}

}  // namespace

RegisteredTypes::RegisteredTypes() {
  static const ffi::Function list = ffi::Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys");
  for (const ffi::String& key : list().cast<ffi::Array<ffi::String>>()) keys_.insert(key);
}

int32_t RegisteredTypes::Find(const std::string& key) const {
  if (keys_.count(key) == 0) return -1;
  const int32_t index = RequireTypeIndex(key);
  return TVMFFIGetTypeInfo(index)->metadata == nullptr ? -1 : index;
}

bool IsRegistered(const Schema& schema, const RegisteredTypes& registered,
                  const std::string& owner) {
  std::string text;
  size_t num_known = 0;
  for (const Type& type : schema.types) {
    int32_t index = registered.Find(type.key);
    if (index >= 0) {
      ++num_known;
      if (HasDigest(index, type.layout.digest)) continue;
      AddLine(&text, "type `" + type.key + "` is registered by " + OwnerOf(index) +
                         " with another layout" + Refusal(schema, owner));
    } else if (!type.is_abstract && ffi::Function::GetGlobal(type.key)) {
      AddLine(&text, "global function `" + type.key + "` is registered by " +
                         FunctionOwner(type.key) + " already" + Refusal(schema, owner));
    }
  }
  if (text.empty() && num_known > 0 && num_known < schema.types.size()) {
    text = "package `" + schema.package + "` of " + owner +
           " declares types besides those that are registered under its name";
  }
  if (!text.empty()) TVM_FFI_THROW(RuntimeError) << text;
  return num_known > 0;
}

void CheckNeedsNoCode(const Schema& schema, const std::string& owner) {
  std::string text;
  for (const Type& type : schema.types) {
    std::string code = CodeOf(type, schema);
    if (!code.empty()) AddLine(&text, "type `" + type.key + "` needs " + code);
  }
  for (const std::string& function : schema.functions) {
    if (ffi::Function::GetGlobal(function)) continue;
    AddLine(&text, "function `" + function + "` is not registered");
  }
  if (text.empty()) return;
  TVM_FFI_THROW(TypeError) << owner << " declares what only compiled code can do; build package `"
                           << schema.package << "` with `tschema build`, or load its library "
                           << "first\n"
                           << text;
}

void CheckImports(const Schema& schema, const RegisteredTypes& registered,
                  const std::string& owner) {
  std::string text;
  for (const std::string& key : MentionedKeys(schema)) {
    const Type* imported = schema.Find(key);
    if (key == kRootKey || (imported != nullptr && schema.IsOwn(*imported))) continue;
    int32_t index = registered.Find(key);
    if (index < 0) {
      AddLine(&text, "type `" + key + "` is not registered: load its package before " + owner);
    } else if (imported != nullptr && imported->extern_header.empty() &&
               !HasDigest(index, imported->layout.digest)) {
      AddLine(&text, "type `" + key + "` is registered by " + OwnerOf(index) +
                         " with another layout than " + owner + " builds on");
    }
  }
  if (!text.empty()) TVM_FFI_THROW(RuntimeError) << text;
}

PostInitHook InheritedPostInit(const Type& type, const Schema& schema,
                               const RegisteredTypes& registered) {
  const Type* ancestor = schema.Find(type.parent);
  while (ancestor != nullptr && !ancestor->has_post_init) {
    ancestor = schema.Find(ancestor->parent);
  }
  return ancestor == nullptr ? nullptr : TypeInfoOf(registered.Find(ancestor->key)).hooks.post_init;
}

}  // namespace dynamic
}  // namespace tschema
