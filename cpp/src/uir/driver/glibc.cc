/*!
 * \file glibc.cc
 * \brief Compares versions of glibc.
 */
#include "./glibc.h"

#include <tvm/ffi/error.h>
#include <uir/runtime/library_file.h>

#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

namespace uir::driver {

namespace {

std::string GlibcOfThisSystem() {
#if __has_include(<gnu/libc-version.h>)
  return gnu_get_libc_version();
#else
  return "";  // Without glibc: older than any version.
#endif
}

/*! \brief The numbers of a version; empty if it has anything else. */
std::vector<int> NumbersOf(std::string_view version) {
  std::istringstream stream{std::string(version)};
  std::vector<int> numbers;
  char point = '.';
  for (int number = 0; point == '.' && stream >> number; stream >> point) {
    numbers.push_back(number);
    point = '\0';
  }
  return stream.eof() ? numbers : std::vector<int>();
}

/*! \brief Whether symbols of a version, such as `GLIBC_2.34`, may be missing in a glibc. */
bool MayLack(const std::string& glibc, std::string_view version) {
  constexpr std::string_view kPrefix = "GLIBC_";
  if (version.substr(0, kPrefix.size()) != kPrefix) return false;
  const std::vector<int> needed = NumbersOf(version.substr(kPrefix.size()));
  // Names such as `GLIBC_ABI_DT_RELR` denote features of a loader.
  return needed.empty() || NumbersOf(glibc) < needed;
}

}  // namespace

bool IsOlderGlibc(const std::string& version) {
  static const std::vector<int> system = NumbersOf(GlibcOfThisSystem());
  return !version.empty() && NumbersOf(version) < system;
}

void CheckGlibc(const std::string& path, const std::string& glibc, const CCompiler& compiler) {
  if (glibc.empty()) return;
  const std::optional<std::set<std::string>> versions = runtime::NeededVersions(path);
  if (!versions) return;
  std::string missing;
  for (const std::string& version : *versions) {
    if (MayLack(glibc, version)) missing += (missing.empty() ? "`" : ", `") + version + "`";
  }
  if (missing.empty()) return;
  TVM_FFI_THROW(RuntimeError)
      << "the library needs symbols of " << missing << ", and shall work with glibc " << glibc
      << "; its compiler is `" << ShellText(compiler.command) << "`"
      << (IsZig(compiler)
              ? ""
              : "\nhelp: run `pip install uir[compiler]`, whose compiler links for older "
                "systems, and do not set `UIR_CC`");
}

}  // namespace uir::driver
