/*!
 * \file type_expr.h
 * \brief Reads a type as a schema spells it, and checks values against it.
 */
#ifndef TSCHEMA_SRC_REFLECTION_TYPE_EXPR_H_
#define TSCHEMA_SRC_REFLECTION_TYPE_EXPR_H_

#include <tschema/type_info.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "./children.h"

namespace tschema {

/*! \brief Parse `name[argument, ...]`; an unregistered name accepts any object. */
TypeExpr ParseTypeExpr(std::string_view text);

/*! \brief The type that a schema calls `int32`, `Array` and so on, without arguments. */
std::optional<TypeExpr> FindTypeExpr(std::string_view name);

/*! \brief Whether values of a type index are objects of the expected type or of one below it. */
bool IsInstance(int32_t type_index, int32_t expected);

/*!
 * \brief Whether a predicate holds for all parts of a container.
 * \param arguments The types of the elements, of the keys and the values, or of each tuple element.
 * \param takes Is called with an argument and a part.
 * \pre A tuple has as many elements as there are arguments.
 */
template <typename Type, typename Takes>
bool AllParts(const std::vector<Type>& arguments, bool is_tuple, const ffi::Object* container,
              Takes takes) {
  if (IsMapping(container->type_index())) {
    const ffi::MapBaseObj* mapping = MappingOf(container);
    return std::all_of(mapping->begin(), mapping->end(), [&](const auto& entry) {
      return takes(arguments[0], entry.first) && takes(arguments[1], entry.second);
    });
  }
  const Type* argument = arguments.data();
  for (const ffi::Any& element : *static_cast<const ffi::SeqBaseObj*>(container)) {
    if (!takes(*argument, element)) return false;
    if (is_tuple) ++argument;
  }
  return true;
}

/*! \brief The check of `TypeExpr::Accepts`. */
class TypeCheck {
 public:
  bool Accepts(const TypeExpr& type, const TVMFFIAny& value);

 protected:
  ~TypeCheck() = default;
  /*!
   * \brief Whether the parts of a container are of the types of the arguments.
   * \pre The container is of the type's kind, and a tuple of its length.
   */
  virtual bool AcceptsParts(const TypeExpr& type, const ffi::Object* container);
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_TYPE_EXPR_H_
