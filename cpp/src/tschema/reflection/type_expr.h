/*!
 * \file type_expr.h
 * \brief Reads a type as a schema spells it.
 */
#ifndef TSCHEMA_SRC_REFLECTION_TYPE_EXPR_H_
#define TSCHEMA_SRC_REFLECTION_TYPE_EXPR_H_

#include <tschema/type_info.h>

#include <string_view>

namespace tschema {

/*! \brief Parse `name[argument, ...]`; names that are registered nowhere stand for any object. */
TypeExpr ParseTypeExpr(std::string_view text);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_TYPE_EXPR_H_
