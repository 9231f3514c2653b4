/*!
 * \file extern_source.h
 * \brief The sources of external functions, which are compiled and linked with a program.
 */
#ifndef UIR_SRC_DRIVER_EXTERN_SOURCE_H_
#define UIR_SRC_DRIVER_EXTERN_SOURCE_H_

#include <uir/ir/module.h>

#include <string>
#include <vector>

#include "./object_file.h"

namespace uir::driver {

/*! \brief A text that defines external functions. */
struct ExternSource {
  /*! \brief `c`, `asm` or `llvm`. */
  std::string language;
  std::string text;
  /*! \brief The functions that it defines. */
  std::vector<std::string> symbols;

  /*! \brief The name of its file, after its first function and its language: `extern_f.c`. It
   * differs from all files of the program. */
  std::string FileName() const;
};

/*! \brief The sources of the external functions of a module, each text once, in order of symbols.
 */
std::vector<ExternSource> ExternSourcesOf(const ir::IRModule& module);

/*!
 * \brief Compile a source with the flags of the program that calls it.
 *
 * In C the calls of the program are compiled with it, so that wrong arguments are errors.
 *
 * \throws RuntimeError If the compiler fails, or there is none for the language.
 */
NamedFile CompileExtern(const ExternSource& source, const CSource& program);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_EXTERN_SOURCE_H_
