/*!
 * \file c_compiler.h
 * \brief The C compiler of this machine: its path, its version, and its commands.
 */
#ifndef UIR_SRC_DRIVER_C_COMPILER_H_
#define UIR_SRC_DRIVER_C_COMPILER_H_

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "./process.h"

namespace uir::driver {

/*! \brief A C compiler and its version. */
struct CCompiler {
  /*! \brief The absolute path of the program, and its first arguments. */
  std::vector<std::string> command;
  /*! \brief The output of `--version`. */
  std::string version;
};

/*! \brief The target systems of code. */
struct System {
  /*! \brief Their processors, as in `aarch64`; empty for those of this machine. */
  std::string arch;
  /*! \brief Their oldest glibc, as in `2.17`; empty for that of this machine. */
  std::string glibc;
};

/*! \brief The kind of a compiled file. */
enum class ObjectKind { kSharedLibrary, kObject };

/*! \brief The ending of a file of this kind, without a dot. */
const char* EndingOf(ObjectKind kind);

/*! \brief `UIR_CC`, else `cc`, else that of the Python package `ziglang`; see `find_compiler`. */
std::vector<std::string> FindCommand();

/*! \brief Whether a compiler is of GCC, by its version. */
bool IsGcc(const CCompiler& compiler);

/*! \brief Whether a compiler is Zig's, by one of the names that it is called by. */
bool IsZig(const CCompiler& compiler);

/*! \brief A run of the compiler in a folder. */
struct CompileJob {
  /*! \brief The files in the folder: C, assembly, LLVM text and objects, by their endings. */
  std::vector<std::string> inputs;
  /*! \brief Further arguments. */
  std::vector<std::string> flags;
  /*! \brief The systems that it compiles for. */
  System system;
  /*! \brief The kind of the output. */
  ObjectKind kind;
  /*! \brief The name of the output, without its ending. */
  std::string name = "module";
};

/*!
 * \brief A compiler that can do a job: that of `FindCommand`, or Zig's if that one cannot.
 *
 * The version of a compiler is queried once in a process, and again when its program changes.
 *
 * \throws RuntimeError If there is none; the message names the package to install.
 */
CCompiler FindCompiler(const CompileJob& job);

/*! \brief The command for a job, which runs in a folder. */
Command CompileCommand(const CCompiler& compiler, const CompileJob& job,
                       const std::filesystem::path& folder);

/*!
 * \brief Arguments by which a compiler leaves out passes that find little in emitted kernels.
 *
 * These have their vectors, and their common and invariant expressions as variables. In large
 * modules the passes take a sixth of the time of GCC.
 */
std::vector<std::string> FlagsOfUnits(const CCompiler& compiler);

/*! \brief The time limit of the compiler: `UIR_CC_TIMEOUT` seconds, 300 by default. */
std::chrono::milliseconds TimeLimit();

/*! \brief The failure of a run, such as ``failed with status 1``. */
std::string Describe(const Outcome& outcome, std::chrono::milliseconds time_limit);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_C_COMPILER_H_
