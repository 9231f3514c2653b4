/*!
 * \file global_function.cc
 * \brief Global functions that this library provides.
 */
#include "./global_function.h"

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>

#include <cstring>

#include "./ffi_release.h"
#include "./owners.h"

namespace tschema {

void SetGlobalFunction(const char* name, const ffi::Function& function) noexcept {
  try {
    if (!OwnFfiMismatch().empty() || ffi::Function::GetGlobal(name)) return;
    ffi::Function::SetGlobal(name, function);
  } catch (const std::exception& error) {
    RecordError(std::string("global function `") + name + "`: " + error.what());
  }
}

}  // namespace tschema
