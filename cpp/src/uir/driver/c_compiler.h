/*!
 * \file c_compiler.h
 * \brief The C compiler of this machine: where it is, which one it is, and how it is called.
 */
#ifndef UIR_SRC_DRIVER_C_COMPILER_H_
#define UIR_SRC_DRIVER_C_COMPILER_H_

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "./process.h"

namespace uir::driver {

/*! \brief A C compiler that has told its version. */
struct CCompiler {
  /*! \brief The absolute path of the program, and its first arguments. */
  std::vector<std::string> command;
  /*! \brief What it prints for `--version`. */
  std::string version;
};

/*! \brief The systems that code is for. */
struct System {
  /*! \brief Their processors, as in `aarch64`; empty for those of this machine. */
  std::string arch;
  /*! \brief Their oldest glibc, as in `2.17`; empty for that of this one. */
  std::string glibc;
};

/*! \brief What the compiler makes. */
enum class ObjectKind { kSharedLibrary, kObject };

/*! \brief The ending of a file of this kind, without a dot. */
const char* EndingOf(ObjectKind kind);

/*! \brief `UIR_CC`, else `cc`, else that of the Python package `ziglang`; see `find_compiler`. */
std::vector<std::string> FindCommand();

/*! \brief Whether a compiler is Zig's, by one of the names that it is called by. */
bool IsZig(const CCompiler& compiler);

/*! \brief What the compiler shall do in a folder. */
struct CompileJob {
  /*! \brief The files there: C, assembly, LLVM text and objects, by their endings. */
  std::vector<std::string> inputs;
  /*! \brief Further arguments. */
  std::vector<std::string> flags;
  /*! \brief The systems that it compiles for. */
  System system;
  /*! \brief What is made. */
  ObjectKind kind;
  /*! \brief The name of the file that is made, without its ending. */
  std::string name = "module";
};

/*!
 * \brief A compiler that can do a job: that of `FindCommand`, or Zig's where that one cannot.
 *
 * The version of a compiler is asked for once in a process, and again when its program changes.
 *
 * \throws RuntimeError If there is none, and the message names the package to install.
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

/*! \brief What was wrong with a run, such as ``failed with status 1``. */
std::string Describe(const Outcome& outcome, std::chrono::milliseconds time_limit);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_C_COMPILER_H_
