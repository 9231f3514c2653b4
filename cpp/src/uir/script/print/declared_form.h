/*!
 * \file declared_form.h
 * \brief The forms of types: their fields by name, and what their declarations state by `script`.
 */
#ifndef UIR_SCRIPT_PRINT_DECLARED_FORM_H_
#define UIR_SCRIPT_PRINT_DECLARED_FORM_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uir::script {

namespace ffi = ::tvm::ffi;

struct TypeFields;

/*! \brief A call with the fields of an object, in an expression or in the head of a statement. */
struct DeclaredForm {
  enum class Kind : uint8_t {
    /*! \brief `toy.clamp({value}, low={low})` */
    kCall,
    /*! \brief `for {var} in toy.steps({extent})`, above the suite. */
    kFor,
    /*! \brief `with toy.region({buffer}) as {var}`, above the suite; the variable may be absent. */
    kWith,
    /*! \brief `{var} = toy.load({address})` */
    kAssign,
  };

  struct Argument {
    /*! \brief Index in `TypeFields::arguments`. */
    size_t index;
    std::string name;
    /*! \brief Whether it is written without its name, as long as no earlier one is left out. */
    bool is_positional;
  };

  Kind kind = Kind::kCall;
  /*! \brief The dotted name of the call, without the package `uir`. */
  std::string path;
  std::vector<Argument> arguments;
  /*! \brief The argument of the type that is the variable that a statement binds. */
  std::optional<size_t> target;
  /*! \brief The one that is the suite of a statement. */
  std::optional<size_t> suite;

  /*! \brief The data type of the variable, if the text states none: that of the first expression
   * among the values of the fields, or int32. */
  DLDataType TargetType(const TypeFields& type, const std::vector<ffi::Any>& values) const;
};

/*! \brief `path(field=value)` for all fields of a type. */
DeclaredForm FormOfFields(const TypeFields& type);

/*!
 * \brief Parse the form that a type declares.
 * \throws ValueError if the text does not fit the type.
 */
DeclaredForm ParseDeclaredForm(const TypeFields& type, std::string_view text);

/*!
 * \brief The type that declares a form with a name, or null.
 * \throws ValueError if several types do.
 */
const TypeFields* FindDeclaredForm(std::string_view path);

/*! \brief The names of all declared forms. */
void ListDeclaredForms(std::vector<std::string>* names);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_DECLARED_FORM_H_
