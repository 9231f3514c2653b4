/*!
 * \file callees.h
 * \brief The external functions that a program calls, and a check that each of them exists.
 */
#ifndef UIR_SRC_DRIVER_CALLEES_H_
#define UIR_SRC_DRIVER_CALLEES_H_

#include <uir/ir/module.h>

#include <string>
#include <vector>

#include "./extern_source.h"

namespace uir::driver {

/*! \brief The global functions of tvm-ffi that a lowered module calls, in order of names. */
std::vector<std::string> GlobalCalleesOf(const ir::IRModule& module);

/*!
 * \brief Check that every function that a lowered module calls exists in this process.
 * \param module The module.
 * \param sources The sources that define functions.
 * \throws ValueError If a global function is not registered, or a symbol is defined neither by a
 *   source nor by a loaded library.
 */
void CheckCallees(const ir::IRModule& module, const std::vector<ExternSource>& sources);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_CALLEES_H_
