/*!
 * \file library_file.h
 * \brief Checks files of compiled libraries before they are mapped, and loads them.
 */
#ifndef UIR_RUNTIME_LIBRARY_FILE_H_
#define UIR_RUNTIME_LIBRARY_FILE_H_

#include <tvm/ffi/extra/module.h>

#include <optional>
#include <set>
#include <string>

namespace uir::runtime {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Find out whether a file is unreadable, empty, or lacks its end.
 *
 * A process that maps a library without its end is killed when it accesses the missing pages.
 * \param path An object or a library. Only ELF files are checked for a missing end.
 * \return The damage, such as `the file is empty`; `nullopt` if the file is complete.
 */
std::optional<std::string> FindDamage(const std::string& path);

/*!
 * \brief The versions of symbols that a shared library needs from others, such as `GLIBC_2.17`.
 * \return The names; empty for objects and for files of another format than ELF; `nullopt` if the
 * file cannot be read, or its end is missing.
 */
std::optional<std::set<std::string>> NeededVersions(const std::string& path);

/*!
 * \brief Check that this process can load a library of compiled functions, without mapping it.
 * \throws RuntimeError If the file is missing, damaged, not a shared library, for processors of
 * another kind, or without a symbol `__tvm_ffi_...`.
 */
void CheckLibrary(const std::string& path);

/*!
 * \brief Load a library from the current contents of a file.
 *
 * Loading it again gives the same module while that is in use, unless the file was replaced or
 * overwritten since.
 *
 * \throws RuntimeError If `CheckLibrary` rejects it, or the system cannot load it.
 */
ffi::Module LoadLibrary(const std::string& path);

/*!
 * \brief Load a library from a temporary copy, so that it shares no data with other modules.
 * \throws RuntimeError As `LoadLibrary`, or if no temporary file can be written.
 */
ffi::Module LoadCopy(const std::string& path);

}  // namespace uir::runtime

#endif  // UIR_RUNTIME_LIBRARY_FILE_H_
