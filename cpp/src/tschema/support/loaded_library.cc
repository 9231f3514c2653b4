/*!
 * \file loaded_library.cc
 * \brief Libraries as the system's loader knows them.
 */
#include "./loaded_library.h"

#include <dlfcn.h>

namespace tschema {

std::string LibraryOf(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "?";
}

void KeepLoaded(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return;
  // It finds no program, which stays in any case.
  dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace tschema
