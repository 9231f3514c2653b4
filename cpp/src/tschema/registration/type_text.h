/*!
 * \file type_text.h
 * \brief Types as the tables spell them, turned into tvm-ffi's JSON type schemas.
 */
#ifndef TSCHEMA_SRC_REGISTRATION_TYPE_TEXT_H_
#define TSCHEMA_SRC_REGISTRATION_TYPE_TEXT_H_

#include <tschema/callable.h>

#include <string>
#include <string_view>

namespace tschema {

/*!
 * \brief tvm-ffi's type schema of a type.
 * \param text The type as the tables spell it: `Optional[uir.ir.Span]`, `enum uir.tir.ForKind`.
 * \return JSON: `{"type":"Optional","args":[{"type":"uir.ir.Span"}]}`.
 */
std::string TypeSchema(std::string_view text);

/*! \brief tvm-ffi's type schema of a callable: the result's first, then the parameters'. */
std::string CallableSchema(const Callable& callable);

/*! \brief The metadata of a function in tvm-ffi: its type schema, as JSON. */
std::string FunctionMetadata(std::string_view type_schema);

/*! \brief The metadata of a field, and its type as the schema spells it: sign, width, enum. */
std::string FieldMetadata(std::string_view type);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REGISTRATION_TYPE_TEXT_H_
