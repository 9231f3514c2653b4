/*!
 * \file schema.h
 * \brief The parts of the JSON IR that registration uses, as plain structs.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_SCHEMA_H_
#define TSCHEMA_SRC_DYNAMIC_SCHEMA_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tschema {
namespace dynamic {

namespace ffi = ::tvm::ffi;

/*! \brief The type of a field. */
struct TypeRef {
  std::string kind;
  /*! \brief Type key of a node, dotted name of an enum; else empty. */
  std::string key;
  std::vector<TypeRef> args;

  /*! \brief As the registration tables spell it: `Optional[enum uir.tir.ForKind]`. */
  std::string Text() const;
};

struct Default {
  /*! \brief The literal as JSON has it. */
  ffi::Any value;
  /*! \brief `list` or `dict` for a fresh container, or empty. */
  std::string factory;
  /*! \brief Whether it is the value of the member's initializer, which only compiled code has. */
  bool is_initializer = false;
};

struct Field {
  std::string name;
  /*! \brief As every language but C++ sees it: optional, if the reference may be null. */
  TypeRef type;
  /*! \brief The declared type, if it differs. */
  std::optional<TypeRef> declared;
  std::string doc;
  std::optional<Default> default_value;
  bool kw_only = false;
  bool init = true;
  bool repr = true;
  /*! \brief Former names of the field. */
  std::vector<std::string> renamed_from;
  /*! \brief The value in objects of files that lack the field. */
  std::optional<Default> stored_default;
  /*! \brief `ignore`, `def`, `def_pattern`, or empty. */
  std::string structural;
  int64_t offset = 0;
  int64_t size = 0;
  int64_t align = 1;
};

/*! \brief The changes of a type to a field of an ancestor. */
struct Restatement {
  std::string name;
  std::optional<Default> default_value;
  bool init = true;
};

struct Layout {
  int64_t size = 0;
  int64_t offset = 0;
  int64_t depth = 0;
  int64_t child_slots = 0;
  std::string digest;
};

struct Type {
  std::string key;
  std::string parent;
  std::string doc;
  bool is_abstract = false;
  bool is_final = false;
  bool is_mutable = false;
  bool has_post_init = false;
  /*! \brief Whether a structural method is written by hand. */
  bool has_custom_methods = false;
  /*! \brief Whether C++ has virtual functions in the class. */
  bool is_polymorphic = false;
  /*! \brief Whether a reference of C++ may be null. */
  bool may_be_null = false;
  bool is_registered = true;
  /*! \brief The header of another library that has the class, or empty. */
  std::string extern_header;
  /*! \brief The form in script, or empty. */
  std::string script;
  TVMFFISEqHashKind structural = kTVMFFISEqHashKindTreeNode;
  /*! \brief Its own, in source order. */
  std::vector<Field> fields;
  /*! \brief Members that only C++ has. */
  std::vector<Field> unregistered;
  std::vector<Restatement> restated;
  /*! \brief Names of the constructor's arguments, in order. */
  std::vector<std::string> init;
  std::vector<std::string> methods;
  /*! \brief The keys that it had. */
  std::vector<std::string> former_keys;
  /*! \brief Names of fields that files may hold, and that it has no more. */
  std::vector<std::string> removed_fields;
  Layout layout;
};

struct Enum {
  std::map<std::string, int64_t> members;

  bool Contains(int64_t value) const;
};

/*! \brief A package's declarations, and those of other packages that they build on. */
struct Schema {
  Schema() = default;
  // The types keep their addresses when a schema is moved, and not when it is copied.
  Schema(Schema&&) = default;
  Schema& operator=(Schema&&) = default;

  std::string package;
  /*! \brief The package's own, a parent before its children. */
  std::vector<Type> types;
  std::vector<Type> imported;
  std::map<std::string, Enum> enums;
  /*! \brief Global names. */
  std::vector<std::string> functions;

  /*! \brief Own and imported types by key; filled in by `ReadSchema`. */
  std::unordered_map<std::string_view, const Type*> by_key;

  /*! \brief The type with a key, or null. */
  const Type* Find(std::string_view key) const;
  /*! \brief Whether a type is one of the package's own. */
  bool IsOwn(const Type& type) const {
    return !types.empty() && &types.front() <= &type && &type <= &types.back();
  }
  /*! \brief The type's ancestors from the root down, then the type itself. */
  std::vector<const Type*> Ancestry(const Type& type) const;
  /*! \brief All fields in memory order, after restatements. */
  std::vector<Field> Fields(const Type& type) const;
};

/*!
 * \brief Read the JSON IR.
 * \throws ValueError with the place where the text is not as expected.
 */
Schema ReadSchema(std::string_view json);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_SCHEMA_H_
