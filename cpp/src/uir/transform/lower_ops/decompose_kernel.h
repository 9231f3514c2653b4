/*!
 * \file decompose_kernel.h
 * \brief Decomposition of a kernel's operators without lowerings, by their declarations.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_DECOMPOSE_KERNEL_H_
#define UIR_TRANSFORM_LOWER_OPS_DECOMPOSE_KERNEL_H_

#include <uir/relay/function.h>

namespace uir::transform {

/*!
 * \brief Decompose the operators of a function without a lowering.
 *
 * Operators on floats of 16 bits compute in `float32`, with casts of the operands and results.
 */
relay::Function DecomposeKernel(const relay::Function& kernel);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_DECOMPOSE_KERNEL_H_
