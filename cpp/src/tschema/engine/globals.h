/*!
 * \file globals.h
 * \brief Registers the global functions of this library.
 */
#ifndef TSCHEMA_SRC_ENGINE_GLOBALS_H_
#define TSCHEMA_SRC_ENGINE_GLOBALS_H_

#include <tvm/ffi/function.h>

namespace tschema {

/*! \brief Set a global function unless another copy of this library has. */
inline void SetGlobalOnce(const char* name, const ::tvm::ffi::Function& function) {
  if (!::tvm::ffi::Function::GetGlobal(name)) ::tvm::ffi::Function::SetGlobal(name, function);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_ENGINE_GLOBALS_H_
