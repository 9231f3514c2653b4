/*!
 * \file decompose_kernel.h
 * \brief Decomposition of a kernel's operators without lowerings, by their declarations.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_DECOMPOSE_KERNEL_H_
#define UIR_TRANSFORM_LOWER_OPS_DECOMPOSE_KERNEL_H_

#include <uir/relay/function.h>

namespace uir::transform {

/*!
 * \brief Take apart the operators of a function that have no lowering of their own.
 *
 * Those on floats of 16 bits compute in `float32`: operands are converted before, results after.
 */
relay::Function DecomposeKernel(const relay::Function& kernel);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_DECOMPOSE_KERNEL_H_
