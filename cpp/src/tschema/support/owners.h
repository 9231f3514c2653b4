/*!
 * \file owners.h
 * \brief The registrations of the process: errors, owners of functions, packages.
 *
 * Global functions of the first loaded libtschema hold the state, so that a second copy of the
 * library, from another folder, shares it.
 */
#ifndef TSCHEMA_SRC_SUPPORT_OWNERS_H_
#define TSCHEMA_SRC_SUPPORT_OWNERS_H_

#include <tschema/registration_error.h>

#include <string>

namespace tschema {

/*! \brief Remember which library registered a global function. */
void SetFunctionOwner(const std::string& name, const std::string& owner);

/*! \brief The library that registered a global function, or a phrase if that is unknown. */
std::string FunctionOwner(const std::string& name);

/*! \brief Remember the digest of a registered package. */
void SetPackageDigest(const std::string& package, const std::string& digest);

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_OWNERS_H_
