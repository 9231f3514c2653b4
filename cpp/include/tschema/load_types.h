/*!
 * \file tschema/load_types.h
 * \brief Types from the JSON IR alone: no compiler needed.
 *
 * The object runtime owns such types as a compiled library owns its own: the same layout, the
 * same child slots, the same checks, so that compiled code works on their objects.
 */
#ifndef TSCHEMA_LOAD_TYPES_H_
#define TSCHEMA_LOAD_TYPES_H_

#include <string_view>

namespace tschema {

/*!
 * \brief Register the types of a package from its JSON IR: all of them, or none and an error.
 * \param json The text of the package's `schema.json`.
 * \param owner What messages call the declarations: the file's name.
 * \return Whether types were registered; false if all of them are registered with the same layouts.
 * \throws ValueError if the text is not the JSON IR, or a layout in it does not fit its fields.
 * \throws TypeError that names every type which needs compiled code: `post_init`, methods,
 *         structural methods of its own; and every function.
 * \throws RuntimeError if a type is registered with another layout, naming both owners, or
 *         builds on a type that is not registered.
 */
bool LoadTypes(std::string_view json, std::string_view owner);

}  // namespace tschema

#endif  // TSCHEMA_LOAD_TYPES_H_
