/*!
 * \file c_compiler.cc
 * \brief Finds the C compiler, and knows its arguments.
 */
#include "./c_compiler.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>
#include <uir/driver/compiler.h>
#include <uir/target/c_flags.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>

#include "./glibc.h"
#include "./processors.h"

namespace uir::driver {

namespace {

namespace fs = std::filesystem;

bool IsProgram(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/*! \brief The path of a program, which is looked for as a shell would. */
std::optional<std::string> FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return IsProgram(name) ? std::optional(fs::absolute(name).string()) : std::nullopt;
  }
  const char* variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "/usr/bin:/bin" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path path = fs::path(folder) / name;
    if (!folder.empty() && IsProgram(path)) return fs::absolute(path).string();
  }
  return std::nullopt;
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

/*! \brief The command in `UIR_CC`: a path, which may have spaces, or words. */
std::vector<std::string> CommandOfVariable(const std::string& text) {
  std::vector<std::string> words = IsProgram(text) ? std::vector{text} : Words(text);
  const std::optional<std::string> program = FindProgram(words.front());
  if (!program) {
    TVM_FFI_THROW(RuntimeError) << "the C compiler `" << words.front()
                                << "`, which the environment variable `UIR_CC` names, is missing";
  }
  words.front() = *program;
  return words;
}

/*! \brief Finds a compiler for `FindCommand`; never destroyed, as Python may be gone by then. */
struct Fallback {
  std::mutex mutex;
  std::optional<ffi::Function> find;

  static Fallback& Global() {
    static Fallback* fallback = new Fallback;
    return *fallback;
  }

  std::optional<ffi::Function> Get() {
    const std::lock_guard<std::mutex> lock(mutex);
    return find;
  }
};

/*! \brief The compiler of the package `ziglang` in the Python of this process, or in `python3`. */
std::vector<std::string> CommandOfZig() {
  if (const std::optional<ffi::Function> find = Fallback::Global().Get()) {
    std::vector<std::string> words;
    for (const ffi::String& word : (*find)().cast<ffi::Array<ffi::String>>()) words.push_back(word);
    return words;
  }
  const std::optional<std::string> python = FindProgram("python3");
  if (!python) return {};
  const Outcome found = Run({{*python, "-c", "import ziglang"}, "/", std::chrono::seconds(30)});
  if (!found.Succeeded()) return {};
  return {*python, "-m", "ziglang", "cc"};
}

/*! \brief Which file a program is; another one at the same path is another program. */
using FileIdentity = std::tuple<std::string, dev_t, ino_t, off_t, int64_t, int64_t>;

FileIdentity IdentityOf(const std::vector<std::string>& command) {
  struct stat status = {};
  stat(command.front().c_str(), &status);
  return {ShellText(command), status.st_dev,         status.st_ino,
          status.st_size,     status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::string AskVersion(std::vector<std::string> command) {
  command.emplace_back("--version");
  const auto limit = std::min(TimeLimit(), std::chrono::milliseconds(60'000));
  const Outcome outcome = Run({command, "/", limit});
  if (!outcome.Succeeded()) {
    TVM_FFI_THROW(RuntimeError) << "the C compiler " << Describe(outcome, limit)
                                << "\ncommand: " << ShellText(command) << "\n"
                                << outcome.output;
  }
  return outcome.output;
}

/*! \brief The file of libtvm_ffi in this process, which compiled libraries are linked with. */
std::string TvmFfiLibrary() {
  Dl_info info = {};
  TVM_FFI_ICHECK(dladdr(reinterpret_cast<void*>(&TVMFFIGetVersion), &info) != 0);
  return fs::absolute(info.dli_fname).string();
}

/*! \brief An argument as the compiler reads it: Zig writes `x86_64_v3`. */
std::string Spelled(std::string flag, const CCompiler& compiler) {
  constexpr std::string_view kMarch = "-march=";
  if (flag.compare(0, kMarch.size(), kMarch) != 0 || !IsZig(compiler)) return flag;
  if (flag == "-march=armv8-a") return "-mcpu=generic";
  std::replace(flag.begin() + kMarch.size(), flag.end(), '-', '_');
  return flag;
}

/*! \brief Zig's name for a target system; empty for this system. */
std::string ZigTarget(const System& system) {
  if (system.arch.empty() && !IsOlderGlibc(system.glibc)) return "";
  const std::string arch = system.arch.empty() ? ThisArch() : system.arch;
  return arch + "-linux-gnu" + (system.glibc.empty() ? "" : "." + system.glibc);
}

/*! \brief A compiler with its version, which is queried once. */
CCompiler WithVersion(std::vector<std::string> command) {
  static std::mutex mutex;
  static std::map<FileIdentity, std::string> versions;
  const FileIdentity identity = IdentityOf(command);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = versions.find(identity);
    if (found != versions.end()) return {std::move(command), found->second};
  }
  std::string version = AskVersion(command);
  const std::lock_guard<std::mutex> lock(mutex);
  versions.emplace(identity, version);
  return {std::move(command), std::move(version)};
}

bool HasEnding(const std::string& file, const char* ending) {
  return fs::path(file).extension() == ending;
}

bool HasVariable() {
  const char* variable = std::getenv("UIR_CC");
  return variable != nullptr && !Words(variable).empty();
}

/*! \brief Zig's compiler, which does what another one cannot. */
CCompiler ZigFor(const std::string& what) {
  std::vector<std::string> zig = CommandOfZig();
  if (zig.empty()) {
    TVM_FFI_THROW(RuntimeError)
        << "the C compiler cannot compile " << what
        << "\nhelp: run `pip install uir[compiler]`, whose compiler can, or let `UIR_CC` name one";
  }
  return WithVersion(std::move(zig));
}

}  // namespace

const char* EndingOf(ObjectKind kind) { return kind == ObjectKind::kObject ? "o" : "so"; }

bool IsZig(const CCompiler& compiler) {
  const auto is_zig = [](const std::string& word) {
    const std::string name = fs::path(word).filename();
    return name == "zig" || name == "ziglang";
  };
  return std::any_of(compiler.command.begin(), compiler.command.end(), is_zig);
}

bool IsGcc(const CCompiler& compiler) {
  // All compilers of GCC print the name of the copyright holder.
  return compiler.version.find("Free Software Foundation") != compiler.version.npos;
}

std::vector<std::string> FindCommand() {
  if (HasVariable()) return CommandOfVariable(std::getenv("UIR_CC"));
  if (const std::optional<std::string> cc = FindProgram("cc")) return {*cc};
  std::vector<std::string> zig = CommandOfZig();
  if (zig.empty()) {
    TVM_FFI_THROW(RuntimeError)
        << "there is no C compiler: `cc` is not on `PATH`, `UIR_CC` is not set and the Python "
           "package `ziglang` is not installed\nhelp: run `pip install uir[compiler]`, or install "
           "a compiler such as gcc or clang";
  }
  return zig;
}

CCompiler FindCompiler(const CompileJob& job) {
  const System& system = job.system;
  if (!system.arch.empty() && !HasVariable()) return ZigFor("for `" + system.arch + "`");
  if (IsOlderGlibc(system.glibc) && !HasVariable()) {
    // Any compiler will do for a library without new symbols, which `CheckGlibc` checks.
    std::vector<std::string> zig = CommandOfZig();
    if (!zig.empty()) return WithVersion(std::move(zig));
  }
  CCompiler compiler = WithVersion(FindCommand());
  const auto is_llvm = [](const std::string& input) { return HasEnding(input, ".ll"); };
  const bool has_llvm = std::any_of(job.inputs.begin(), job.inputs.end(), is_llvm);
  const bool is_clang = compiler.version.find("clang") != compiler.version.npos;
  return has_llvm && !is_clang ? ZigFor("LLVM text") : compiler;
}

Command CompileCommand(const CCompiler& compiler, const CompileJob& job, const fs::path& folder) {
  std::vector<std::string> words = compiler.command;
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  words.insert(words.end(), std::begin(target::kCFlags), std::end(target::kCFlags));
  // Without `errno` and traps, roots and roundings of vectors are instructions; no value changes.
  add({"-O2", "-fno-math-errno", "-fno-trapping-math", "-fPIC"});
  // Inlined into an entry or into a part of a parallel loop, which call it once, the loops of a
  // product or a convolution got other registers, and took twice the time.
  if (IsGcc(compiler)) words.emplace_back("-fno-inline-functions-called-once");
  if (IsZig(compiler)) {
    const std::string target = ZigTarget(job.system);
    if (!target.empty()) add({"-target", target});
  }
  for (const std::string& flag : job.flags) words.push_back(Spelled(flag, compiler));
  words.insert(words.end(), job.inputs.begin(), job.inputs.end());
  add({"-o", job.name + "." + EndingOf(job.kind)});
  const auto is_object = [](const std::string& input) { return HasEnding(input, ".o"); };
  if (job.kind == ObjectKind::kSharedLibrary) {
    // An undefined symbol is an error when the library is loaded, and does not end the process when
    // the function is called. A build id would be a digest of the whole library.
    add({"-shared", "-Wl,-z,now", "-Wl,--build-id=none"});
    // On another machine, the program that loads the library finds libtvm_ffi there.
    if (job.system.arch.empty()) words.push_back(TvmFfiLibrary());
    // Without this flag, a function that the older glibc lacks would get no version, and
    // `CheckGlibc` would miss it.
    if (job.system.arch.empty() && IsOlderGlibc(job.system.glibc))
      words.emplace_back("-Wl,-z,defs");
    words.emplace_back("-lm");
  } else if (std::all_of(job.inputs.begin(), job.inputs.end(), is_object)) {
    add({"-r", "-nostdlib"});
  } else {
    words.emplace_back("-c");
  }
  return {std::move(words), folder, TimeLimit()};
}

std::vector<std::string> FlagsOfUnits(const CCompiler& compiler) {
  if (!IsGcc(compiler)) return {};
  return {"-fno-tree-pre", "-fno-code-hoisting", "-fno-gcse", "-fno-tree-bit-ccp",
          "-fno-tree-slp-vectorize"};
}

std::chrono::milliseconds TimeLimit() {
  const char* variable = std::getenv("UIR_CC_TIMEOUT");
  if (variable == nullptr || *variable == '\0') return std::chrono::seconds(300);
  char* end = nullptr;
  const double seconds = std::strtod(variable, &end);
  if (*end != '\0' || !(seconds > 0) || seconds > 1e9) {
    TVM_FFI_THROW(ValueError) << "the environment variable `UIR_CC_TIMEOUT` must be a positive "
                                 "number of seconds, got `"
                              << variable << "`";
  }
  return std::chrono::milliseconds(static_cast<int64_t>(std::ceil(seconds * 1000)));
}

std::string Describe(const Outcome& outcome, std::chrono::milliseconds time_limit) {
  std::ostringstream text;
  switch (outcome.ending) {
    case Ending::kExited:
      text << "failed with status " << outcome.code;
      break;
    case Ending::kCrashed:
      text << "crashed: " << strsignal(outcome.code) << " (signal " << outcome.code << ")";
      break;
    case Ending::kTimedOut:
      text << "took longer than " << static_cast<double>(time_limit.count()) / 1000
           << " seconds and was stopped; `UIR_CC_TIMEOUT` sets the limit";
      break;
    case Ending::kNotStarted:
      text << "could not be started: " << std::strerror(outcome.code);
      break;
  }
  return text.str();
}

ffi::Array<ffi::String> find_compiler() {
  ffi::Array<ffi::String> command;
  for (const std::string& word : FindCommand()) command.push_back(word);
  return command;
}

void set_fallback_compiler(ffi::Function find) {
  Fallback& fallback = Fallback::Global();
  const std::lock_guard<std::mutex> lock(fallback.mutex);
  fallback.find = std::move(find);
}

}  // namespace uir::driver
