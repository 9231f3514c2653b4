/*!
 * \file tschema/binary.h
 * \brief Object graphs as bytes: a compact form with the same checks as the JSON form.
 *
 * Equal graphs of equal sharing give the same bytes.  Types and fields are named once in a file,
 * so that one that was written before a field with a default was added, or before fields were
 * reordered, is read as before.
 */
#ifndef TSCHEMA_BINARY_H_
#define TSCHEMA_BINARY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

#include <string_view>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The version of the binary form that is written, and the newest that is read. */
inline constexpr int kBinaryVersion = 1;

/*!
 * \brief Write a value and everything that it leads to.
 * \param value An object, or a plain value, a string or None.
 * \return The bytes.
 * \throws TypeError if it leads to something that has no such form, such as a function.
 * \throws ValueError if it leads back to itself.
 */
ffi::Bytes SaveBinary(ffi::AnyView value);

/*!
 * \brief Read what `SaveBinary` has written.
 * \param data Not used once the function has returned.
 * \return The value; its objects are checked, and made by the libraries that own their types.
 * \throws ValueError, TypeError that say what is wrong, and at which byte, value and field.
 */
ffi::Any LoadBinary(std::string_view data);

}  // namespace tschema

#endif  // TSCHEMA_BINARY_H_
