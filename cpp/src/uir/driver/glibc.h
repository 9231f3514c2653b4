/*!
 * \file glibc.h
 * \brief Which glibc a library works with.
 */
#ifndef UIR_SRC_DRIVER_GLIBC_H_
#define UIR_SRC_DRIVER_GLIBC_H_

#include <string>

#include "./c_compiler.h"

namespace uir::driver {

/*! \brief Whether a version of glibc is older than that of this system; false if it is empty. */
bool IsOlderGlibc(const std::string& version);

/*!
 * \brief Check that a shared library needs no symbols of a newer glibc.
 * \param path The library. Objects have no versions; a file that another process has just removed
 * from the cache passes, since its reader compiles it again.
 * \param glibc The newest version that it may need; empty for any.
 * \param compiler What linked it.
 * \throws RuntimeError If it needs a newer one.
 */
void CheckGlibc(const std::string& path, const std::string& glibc, const CCompiler& compiler);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_GLIBC_H_
