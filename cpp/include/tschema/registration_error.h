/*!
 * \file tschema/registration_error.h
 * \brief Errors of static initializers, where nothing may throw.
 */
#ifndef TSCHEMA_REGISTRATION_ERROR_H_
#define TSCHEMA_REGISTRATION_ERROR_H_

#include <string>

namespace tschema {

/*! \brief Keep an error for the loaders to raise, as those of `Register` are. */
void RecordError(const std::string& text);

}  // namespace tschema

#endif  // TSCHEMA_REGISTRATION_ERROR_H_
