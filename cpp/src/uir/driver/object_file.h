/*!
 * \file object_file.h
 * \brief From C text to compiled files, through the cache.
 */
#ifndef UIR_SRC_DRIVER_OBJECT_FILE_H_
#define UIR_SRC_DRIVER_OBJECT_FILE_H_

#include <tvm/ffi/string.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "./c_compiler.h"
#include "./work_folder.h"

namespace uir::driver {

namespace ffi = ::tvm::ffi;

/*! \brief A file by its name. */
struct NamedFile {
  std::string name;
  std::string content;
};

/*! \brief All that a compiled file is made from, apart from the compiler. */
struct CSource {
  ffi::String text;
  /*! \brief Further arguments of the compiler. */
  std::vector<std::string> flags;
  /*! \brief The content of `constants.bin`; without it the file does not exist. */
  ffi::Bytes constants;
  /*! \brief The file of the text, whose ending determines its language; none if empty. */
  std::string file = "module.c";
  /*! \brief Objects that are linked with it. */
  std::vector<NamedFile> objects;
  /*! \brief The target systems. */
  System system;
};

/*! \brief A compiled file: to be opened at once, since others may remove it from the cache. */
struct ObjectFile {
  std::filesystem::path path;
  /*! \brief Where it is, if not in the cache. */
  std::optional<WorkFolder> folder;
};

/*!
 * \brief Compile a text, or find its compiled file in the cache.
 * \throws RuntimeError If there is no compiler, or it fails; the sources are kept. If a library
 * needs a newer glibc than its systems have.
 */
ObjectFile Compile(const CSource& source, ObjectKind kind);

/*! \brief Compile a text without the cache. */
ObjectFile CompileAgain(const CSource& source, ObjectKind kind);

/*! \brief Remove a file from the cache if it differs from a newly compiled one. */
void RemoveIfDifferent(const std::filesystem::path& cached, const std::filesystem::path& again);

/*! \brief The content of a compiled file. */
std::string CompiledContent(const CSource& source, ObjectKind kind);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_OBJECT_FILE_H_
