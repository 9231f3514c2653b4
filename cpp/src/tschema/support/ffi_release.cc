/*!
 * \file ffi_release.cc
 * \brief Compares releases of tvm-ffi, and stores that of this library in the library.
 */
#include "./ffi_release.h"

#include <tschema/registration_error.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/reflection/registry.h>

#include <array>
#include <sstream>
#include <string_view>

#include "./loaded_library.h"

namespace tschema {
namespace {

/*! \brief The version whose headers this library includes. */
constexpr TVMFFIVersion kBuilt = {TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR,
                                  TVM_FFI_VERSION_PATCH};

constexpr std::string_view OwnReleases() {
  for (const FfiGroup& group : kFfiGroups) {
    if (group.first_patch <= kBuilt.patch && kBuilt.patch <= group.last_patch) {
      return group.releases;
    }
  }
  return "an unknown release";
}

using Mark = std::array<char, 64>;

constexpr Mark MakeMark() {
  Mark mark{};
  size_t size = 0;
  for (std::string_view part : {std::string_view("libtschema for tvm-ffi "), OwnReleases()}) {
    for (char one : part) mark[size++] = one;
  }
  return mark;
}

/*! \brief Python's loader reads it in a file that the system cannot load. */
constexpr Mark kMark = MakeMark();

/*! \brief The releases that a version may be, for messages: those of its group. */
std::string ReleasesText(const TVMFFIVersion& version) {
  if (const FfiGroup* group = FfiGroupOf(version)) return group->releases;
  std::ostringstream text;
  text << version.major << "." << version.minor << "." << version.patch
       << ", which is unknown here";
  return text.str();
}

}  // namespace

std::string FfiMismatch(const std::string& what, const TVMFFIVersion& built) {
  TVMFFIVersion loaded;
  TVMFFIGetVersion(&loaded);
  if (IsCompatible(built, loaded)) return "";
  return what + " was built for tvm-ffi " + ReleasesText(built) + ", but tvm-ffi " +
         ReleasesText(loaded) +
         " is loaded; install a release that it was built for, or rebuild it";
}

const std::string& OwnFfiMismatch() {
  static const std::string text = FfiMismatch(LibraryOf(&kMark) + " (libtschema)", kBuilt);
  return text;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  KeepLoaded(&kMark);
  if (!OwnFfiMismatch().empty()) RecordError(OwnFfiMismatch());
}

}  // namespace tschema
