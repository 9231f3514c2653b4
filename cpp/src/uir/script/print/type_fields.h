/*!
 * \file type_fields.h
 * \brief The fields of a type in script: `package.Type(field=value)`.
 */
#ifndef UIR_SCRIPT_PRINT_TYPE_FIELDS_H_
#define UIR_SCRIPT_PRINT_TYPE_FIELDS_H_

#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/any.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "./declared_form.h"

namespace uir::script {

namespace ffi = ::tvm::ffi;

/*! \brief The constructor of a type, as script calls it. */
struct TypeFields {
  struct Argument {
    const tschema::FieldInfo* field;
    bool has_default;
    ffi::Any default_value;

    /*! \brief Whether a value may be left out. */
    bool IsDefault(const ffi::Any& value) const;
  };

  const tschema::TypeInfo* info;
  /*! \brief In the order of the constructor, without spans. */
  std::vector<Argument> arguments;
  /*! \brief Whether objects can be written by their fields. */
  bool is_written;
  /*! \brief The call of the type's key with the arguments by name. */
  DeclaredForm by_fields;
  /*! \brief The form that the declaration states. */
  std::optional<DeclaredForm> form;

  const Argument* Find(std::string_view name) const;
  /*! \brief The values of the arguments in an object. */
  std::vector<ffi::Any> Read(const ffi::Object* object) const;

  /*! \brief The information on a type, valid until the process ends. */
  static const TypeFields& Of(int32_t type_index);
};

/*! \brief The index of the type of a dotted name, or -1. */
int32_t FindType(std::string_view path);

/*! \brief The dotted names of all types that objects have. */
void ListTypes(std::vector<std::string>* names);

/*! \brief Whether a bare number in such a place is an expression. */
bool TakesExpr(const tschema::TypeExpr* expected);

/*! \brief The type of an argument of a container's type, with the last one repeated; or null. */
const tschema::TypeExpr* ArgumentType(const tschema::TypeExpr* expected, size_t index);

/*! \brief The type of an element of a sequence of a type; null if it may be anything. */
const tschema::TypeExpr* ElementType(const tschema::TypeExpr* expected, size_t index);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_TYPE_FIELDS_H_
