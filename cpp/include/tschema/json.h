/*!
 * \file tschema/json.h
 * \brief JSON serialization of object graphs, in the format of tvm-ffi's `ToJSONGraph`, streamed.
 *
 * Both sides read each other's files. A graph is a list of nodes that refer to each other by index;
 * a shared object is one node, and one object again when loaded. Saving and loading do not recurse,
 * so that only memory limits the depth of a graph.
 */
#ifndef TSCHEMA_JSON_H_
#define TSCHEMA_JSON_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <string_view>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The version of the JSON form: written by this library, and the newest that it reads. */
inline constexpr int kJSONVersion = 1;

/*!
 * \brief Save a value and all objects reachable from it.
 * \param value An object, or a plain value, a string or None.
 * \return UTF-8 text, without white space.
 * \throws TypeError if it refers to an object that cannot be saved, such as a function.
 * \throws ValueError if the graph has a cycle, or a String that is not UTF-8.
 */
ffi::String SaveJSON(ffi::AnyView value);

/*!
 * \brief Load the output of `SaveJSON` or of tvm-ffi.
 * \param text The text, not necessarily null-terminated; not used after the function returns.
 * \return The value; its objects are checked, and constructed by the owners of their types.
 * \throws ValueError, TypeError with the fault and its byte, node and field.
 */
ffi::Any LoadJSON(std::string_view text);

}  // namespace tschema

#endif  // TSCHEMA_JSON_H_
