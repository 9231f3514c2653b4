/*!
 * \file literal.h
 * \brief Defaults as the JSON IR writes them, made into FFI values.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_LITERAL_H_
#define TSCHEMA_SRC_DYNAMIC_LITERAL_H_

#include <tvm/ffi/any.h>

#include "./schema.h"

namespace tschema {
namespace dynamic {

/*!
 * \brief Make a default: a fresh container, or the value of a literal.
 * \throws ValueError if an enum has no such member.
 */
ffi::Any MakeLiteral(const Default& default_value, const TypeRef& type, const Schema& schema);

/*! \brief The function that makes a fresh container: the default of a reflected field. */
ffi::Any MakeFactory(const Default& default_value, const TypeRef& type);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_LITERAL_H_
