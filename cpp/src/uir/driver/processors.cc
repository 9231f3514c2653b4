/*!
 * \file processors.cc
 * \brief The flags of compilers for instruction sets.
 */
#include "./processors.h"

namespace uir::driver {

namespace {

/*! \brief The architecture of this machine and its baseline, as compilers call them. */
#if defined(__x86_64__)
constexpr const char* kArch = "x86_64";
constexpr const char* kBaseline = "x86-64";
#else
constexpr const char* kArch = "aarch64";
constexpr const char* kBaseline = "armv8-a";
#endif

}  // namespace

std::string ArchOf(const std::string& isa) {
  if (isa == "native" || isa == "generic") return "";
  const std::string arch = isa.rfind("x86-64", 0) == 0 ? "x86_64" : isa;
  return arch == kArch ? "" : arch;
}

std::string ThisArch() { return kArch; }

std::vector<std::string> FlagsOf(const std::string& isa) {
  if (isa == "generic" || isa == kArch) return {std::string("-march=") + kBaseline};
  // A cross compiler makes code for the baseline by default.
  if (isa == "aarch64") return {};
  return {"-march=" + isa};
}

}  // namespace uir::driver
