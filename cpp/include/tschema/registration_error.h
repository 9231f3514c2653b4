/*!
 * \file tschema/registration_error.h
 * \brief Errors of static initializers, which must not throw.
 */
#ifndef TSCHEMA_REGISTRATION_ERROR_H_
#define TSCHEMA_REGISTRATION_ERROR_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <string>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief Record an error for the loaders to raise, like those of `Register`. */
void RecordError(const std::string& text);

/*! \brief The recorded errors. */
ffi::Array<ffi::String> RegistrationErrors();

}  // namespace tschema

#endif  // TSCHEMA_REGISTRATION_ERROR_H_
