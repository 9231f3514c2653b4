/*!
 * \file tschema/registration_error.h
 * \brief Errors of static initializers, where nothing may throw.
 */
#ifndef TSCHEMA_REGISTRATION_ERROR_H_
#define TSCHEMA_REGISTRATION_ERROR_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <string>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief Keep an error for the loaders to raise, as those of `Register` are. */
void RecordError(const std::string& text);

/*! \brief The errors recorded so far, one text each; none if all is well. */
ffi::Array<ffi::String> RegistrationErrors();

}  // namespace tschema

#endif  // TSCHEMA_REGISTRATION_ERROR_H_
