/*!
 * \file type_fields.h
 * \brief The fields of a type in script: `package.Type(field=value)`.
 */
#ifndef UIR_SCRIPT_PRINT_TYPE_FIELDS_H_
#define UIR_SCRIPT_PRINT_TYPE_FIELDS_H_

#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/any.h>

#include <string>
#include <string_view>
#include <vector>

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
  /*! \brief The type's key, without the package `uir`. */
  std::string path;
  /*! \brief In the order of the constructor, without spans. */
  std::vector<Argument> arguments;
  /*! \brief Whether fields are written without their names, as long as none is left out. */
  bool is_positional;
  /*! \brief Whether objects can be written in this form. */
  bool is_written;

  const Argument* Find(std::string_view name) const;

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
