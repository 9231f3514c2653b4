/*!
 * \file constants.h
 * \brief The constant tensors of a module, which are in a separate file.
 */
#ifndef UIR_TARGET_CONSTANTS_H_
#define UIR_TARGET_CONSTANTS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/ir/module.h>

#include <cstdint>
#include <string>

namespace uir::target {

namespace ffi = ::tvm::ffi;

/*! \brief The attribute `constants` of a module. \throws TypeError unless it is an array of
 * tensors. */
ffi::Array<ffi::Tensor> ConstantsOf(const ir::IRModule& module);

/*! \throws ValueError if no library for a machine can hold constants. */
void CheckConstantBytes(const ffi::Array<ffi::Tensor>& constants, const std::string& isa);

/*! \brief The name in C of a constant. */
std::string ConstantName(int64_t index);

/*!
 * \brief The definition of a constant, whose bytes the assembler includes.
 *
 * It is an array, or if not all constants fit near code, a pointer to one that lies anywhere.
 */
std::string DefineConstant(const ffi::Array<ffi::Tensor>& constants, int64_t index);

}  // namespace uir::target

#endif  // UIR_TARGET_CONSTANTS_H_
