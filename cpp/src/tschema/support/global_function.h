/*!
 * \file global_function.h
 * \brief Global functions that this library provides.
 */
#ifndef TSCHEMA_SRC_SUPPORT_GLOBAL_FUNCTION_H_
#define TSCHEMA_SRC_SUPPORT_GLOBAL_FUNCTION_H_

#include <tvm/ffi/function.h>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Register a global function, unless a second copy of this library in the process has, or
 * this one is for another release of tvm-ffi.
 *
 * Nothing is thrown: a static initializer that throws ends the process.
 */
void SetGlobalFunction(const char* name, const ffi::Function& function) noexcept;

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_GLOBAL_FUNCTION_H_
