/*!
 * \file loaded_library.h
 * \brief Libraries of this process, by addresses in them.
 */
#ifndef TSCHEMA_SRC_SUPPORT_LOADED_LIBRARY_H_
#define TSCHEMA_SRC_SUPPORT_LOADED_LIBRARY_H_

#include <string>

namespace tschema {

/*! \brief The file of the library that holds an address; "?" if it is not known. */
std::string LibraryOf(const void* address);

/*!
 * \brief Keep the library of an address in the process, also after its last `dlclose`.
 *
 * Registered types and functions point into their library, and so do the objects of its types.
 */
void KeepLoaded(const void* address);

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_LOADED_LIBRARY_H_
