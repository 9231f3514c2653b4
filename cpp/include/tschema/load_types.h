/*!
 * \file tschema/load_types.h
 * \brief Registration of types at run time from the JSON IR, without a compiler.
 *
 * The object runtime owns such types. Layout, child slots and checks are those of a compiled
 * library, so that compiled code works on their objects.
 */
#ifndef TSCHEMA_LOAD_TYPES_H_
#define TSCHEMA_LOAD_TYPES_H_

#include <string_view>

namespace tschema {

/*!
 * \brief Register all types of a package from its JSON IR; none on error.
 * \param json The text of the package's `schema.json`.
 * \param owner The name of the declarations in messages, such as the file name.
 * \return Whether types were registered; false if all of them are registered with the same layouts.
 * \throws ValueError if the text is not the JSON IR, or a layout in it does not fit its fields.
 * \throws TypeError that names every type which needs compiled code: `post_init`, methods,
 *         hand-written structural methods; and every function.
 * \throws RuntimeError if a type is registered with another layout, naming both owners, or
 *         builds on a type that is not registered.
 */
bool LoadTypes(std::string_view json, std::string_view owner);

}  // namespace tschema

#endif  // TSCHEMA_LOAD_TYPES_H_
