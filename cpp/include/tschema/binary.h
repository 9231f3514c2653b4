/*!
 * \file tschema/binary.h
 * \brief Binary serialization of object graphs: a compact form with the same checks as the JSON
 * form.
 *
 * Graphs of equal structure and equal sharing give the same bytes. A file names its types and
 * fields once, so that files from before a field with a default was added, or before fields were
 * reordered, stay readable.
 */
#ifndef TSCHEMA_BINARY_H_
#define TSCHEMA_BINARY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <string_view>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The version of the binary form: written by this library, and the newest that it reads. */
inline constexpr int kBinaryVersion = 1;

/*!
 * \brief Save a value and all objects reachable from it.
 * \param value An object, or a plain value, a string or None.
 * \return The bytes.
 * \throws TypeError if it refers to an object that cannot be saved, such as a function.
 * \throws ValueError if the graph has a cycle.
 */
ffi::Bytes SaveBinary(ffi::AnyView value);

/*!
 * \brief Load the output of `SaveBinary`.
 * \param data The bytes; not used after the function returns.
 * \return The value; its objects are checked, and constructed by the owners of their types.
 * \throws ValueError, TypeError with the fault and its byte, value and field.
 */
ffi::Any LoadBinary(std::string_view data);

}  // namespace tschema

#endif  // TSCHEMA_BINARY_H_
