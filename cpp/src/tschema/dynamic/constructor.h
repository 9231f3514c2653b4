/*!
 * \file constructor.h
 * \brief The constructor of a dynamic type, which behaves like a compiled one.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_CONSTRUCTOR_H_
#define TSCHEMA_SRC_DYNAMIC_CONSTRUCTOR_H_

#include <tvm/ffi/function.h>

#include "./table.h"

namespace tschema {
namespace dynamic {

/*!
 * \brief Make the constructor of a concrete type.
 * \param table Must live as long as the process.
 * \param post_init The `PostInit` of an ancestor, which runs on each new object, or null.
 */
ffi::Function MakeConstructor(const Table& table, void (*post_init)(ffi::Object* self));

/*! \brief The constructor's tvm-ffi type schema: JSON. */
std::string ConstructorSchema(const Table& table);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_CONSTRUCTOR_H_
