/*!
 * \file ffi_release.h
 * \brief The release of tvm-ffi that a library was built for, against the loaded one.
 */
#ifndef TSCHEMA_SRC_SUPPORT_FFI_RELEASE_H_
#define TSCHEMA_SRC_SUPPORT_FFI_RELEASE_H_

#include <tvm/ffi/c_api.h>

#include <string>

namespace tschema {

/*!
 * \brief The message for a library that was built for another group of releases.
 * \param what Names the library in the message.
 * \param built The version whose headers it was built with.
 * \return Empty if the library runs with the loaded release.
 */
std::string FfiMismatch(const std::string& what, const TVMFFIVersion& built);

/*! \brief The message for this library, which then registers nothing. */
const std::string& OwnFfiMismatch();

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_FFI_RELEASE_H_
