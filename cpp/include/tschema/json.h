/*!
 * \file tschema/json.h
 * \brief Object graphs as JSON: the format of tvm-ffi's `ToJSONGraph`, written and read in streams.
 *
 * Either side reads what the other writes.  A graph is a list of nodes that refer to each other by
 * index; an object that is referred to twice is one node, and one object again when loaded.
 * Neither direction recurses, so that a graph may be as deep as memory allows.
 */
#ifndef TSCHEMA_JSON_H_
#define TSCHEMA_JSON_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <string_view>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The version of the JSON form that is written, and the newest that is read. */
inline constexpr int kJSONVersion = 1;

/*!
 * \brief Write a value and everything that it leads to.
 * \param value An object, or a plain value, a string or None.
 * \return UTF-8 text, without white space.
 * \throws TypeError if it leads to something that has no such form, such as a function.
 * \throws ValueError if it leads back to itself, or to a String that is not UTF-8.
 */
ffi::String SaveJSON(ffi::AnyView value);

/*!
 * \brief Read what `SaveJSON` or tvm-ffi has written.
 * \param text Not necessarily terminated; it is not used once the function has returned.
 * \return The value; its objects are checked, and made by the libraries that own their types.
 * \throws ValueError, TypeError that say what is wrong, and at which byte, node and field.
 */
ffi::Any LoadJSON(std::string_view text);

}  // namespace tschema

#endif  // TSCHEMA_JSON_H_
