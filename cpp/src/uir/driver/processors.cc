/*!
 * \file processors.cc
 * \brief What instruction sets mean to compilers.
 */
#include "./processors.h"

namespace uir::driver {

namespace {

/*! \brief The processors of this machine, and what all of their kind have, as compilers say. */
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
  // The compiler for another machine makes code for all of its kind, but for what is said.
  if (isa == "aarch64") return {};
  return {"-march=" + isa};
}

}  // namespace uir::driver
