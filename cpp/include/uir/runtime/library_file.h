/*!
 * \file library_file.h
 * \brief Checks files of compiled libraries before they are mapped, and loads them; a file that has
 * changed is loaded again.
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
 * \brief Find what makes an object or a library unusable on every machine: it is empty, or its end
 * is missing. An access to a mapped page past the end of a file ends the process.
 * \param path An object or a library; files of other formats than ELF are only read by the system.
 * \return What is wrong, as `the file is empty`; none if the file is complete.
 */
std::optional<std::string> FindDamage(const std::string& path);

/*!
 * \brief The versions of symbols that a shared library asks of other libraries, as `GLIBC_2.17`.
 * \return The names, which objects and files of other formats than ELF lack; nullopt if the file
 * cannot be read, or its end is missing.
 */
std::optional<std::set<std::string>> NeededVersions(const std::string& path);

/*!
 * \brief Check that this process can load a library of compiled functions, without mapping it.
 * \throws RuntimeError If the file is missing, damaged, not a shared library, for processors of
 * another kind, or without a symbol `__tvm_ffi_...`.
 */
void CheckLibrary(const std::string& path);

/*!
 * \brief Load a library from a file, as the file is now.
 *
 * Loading it again gives the same module while that is in use. A file that was replaced since, or
 * written over, gives another one.
 *
 * \throws RuntimeError If `CheckLibrary` rejects it, or the system cannot load it.
 */
ffi::Module LoadLibrary(const std::string& path);

/*!
 * \brief Load a library from a copy that goes away, so that it shares no data with others.
 * \throws RuntimeError As `LoadLibrary`, or if no temporary file can be written.
 */
ffi::Module LoadCopy(const std::string& path);

}  // namespace uir::runtime

#endif  // UIR_RUNTIME_LIBRARY_FILE_H_
