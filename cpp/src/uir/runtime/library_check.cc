/*!
 * \file library_check.cc
 * \brief Checks the headers of objects and libraries.
 *
 * Only ELF files are checked; the loaders of other systems check the files that they map.
 */
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>
#include <uir/runtime/library_file.h>
#include <uir/runtime/module.h>

#include <optional>
#include <set>
#include <string>

#include "./elf_file.h"

namespace uir::runtime {

namespace {

std::string CutOff(const LibraryFile& file) {
  return "the file is cut off after " + std::to_string(file.size()) +
         " bytes: it was not written or copied to the end";
}

#if __has_include(<elf.h>)

struct NamedMachine {
  unsigned number;
  const char* name;
};

constexpr NamedMachine kMachines[] = {
    {EM_X86_64, "x86-64"}, {EM_AARCH64, "aarch64"}, {EM_386, "i386"},   {EM_ARM, "arm"},
    {EM_PPC64, "ppc64"},   {EM_S390, "s390x"},      {EM_RISCV, "riscv"}};

constexpr unsigned kMachine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#else
    EM_NONE;  // Any is taken.
#endif

std::string MachineName(unsigned machine) {
  for (const NamedMachine& known : kMachines) {
    if (known.number == machine) return known.name;
  }
  return "number " + std::to_string(machine) + " of ELF";
}

/*! \brief The reason why this process cannot load a readable file; empty if it can. */
std::string FindObstacle(const LibraryFile& file) {
  const ElfFile elf(file);
  if (!elf.is_elf()) return "it is not a shared library";
  if (!elf.is_complete()) return CutOff(file);
  const Header& header = elf.header();
  const bool other = kMachine != EM_NONE && header.e_machine != kMachine;
  if (other || !elf.is_native()) {
    return "it is for processors of kind " + MachineName(header.e_machine) + ", and this one is " +
           MachineName(kMachine);
  }
  if (header.e_type == ET_REL) return "it is an object to link, not a shared library";
  if (header.e_type != ET_DYN) return "it is not a shared library";
  if (!elf.Defines("__tvm_ffi_")) {
    return "it has no compiled functions, whose symbols begin with `__tvm_ffi_`";
  }
  return "";
}

/*! \brief Whether a file is ELF whose end is missing. */
bool IsCutOff(const LibraryFile& file) {
  const ElfFile elf(file);
  return elf.is_elf() && !elf.is_complete();
}

std::set<std::string> VersionsIn(const LibraryFile& file) { return ElfFile(file).NeededVersions(); }

#else

std::set<std::string> VersionsIn(const LibraryFile&) { return {}; }
std::string FindObstacle(const LibraryFile&) { return ""; }
bool IsCutOff(const LibraryFile&) { return false; }

#endif

}  // namespace

std::optional<std::string> FindDamage(const std::string& path) {
  const LibraryFile file(path);
  if (!file.problem().empty()) return file.problem();
  if (IsCutOff(file)) return CutOff(file);
  return std::nullopt;
}

std::optional<std::set<std::string>> NeededVersions(const std::string& path) {
  const LibraryFile file(path);
  if (!file.problem().empty() || IsCutOff(file)) return std::nullopt;
  return VersionsIn(file);
}

ffi::Array<ffi::String> needed_versions(ffi::String path) {
  const std::optional<std::set<std::string>> versions = NeededVersions(path);
  if (!versions) {
    TVM_FFI_THROW(RuntimeError) << "cannot read `" << path
                                << "`: " << FindDamage(path).value_or("it has just changed");
  }
  ffi::Array<ffi::String> names;
  for (const std::string& name : *versions) names.push_back(name);
  return names;
}

void CheckLibrary(const std::string& path) {
  const LibraryFile file(path);
  const std::string problem = file.problem().empty() ? FindObstacle(file) : file.problem();
  if (!problem.empty()) TVM_FFI_THROW(RuntimeError) << "cannot load `" << path << "`: " << problem;
}

}  // namespace uir::runtime
