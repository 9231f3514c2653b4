/*!
 * \file lower_kernel.h
 * \brief Lowers high-level functions of operator calls to tensor-level functions.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_LOWER_KERNEL_H_
#define UIR_TRANSFORM_LOWER_OPS_LOWER_KERNEL_H_

#include <uir/relay/function.h>
#include <uir/tir/function.h>

#include <string>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The result of lowering a kernel. */
struct LoweredKernel {
  /*! \brief The function; None if an operator has no lowering. */
  ffi::Optional<tir::PrimFunc> func;
  /*! \brief The operator without a lowering, such as `relay.topk`. */
  std::string missing;
};

/*!
 * \brief Lower a function of calls of operators, in A-normal form with types, to loops.
 *
 * The parameters are those of the function, followed by its results. The result is private.
 */
LoweredKernel LowerKernel(const relay::Function& kernel);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_LOWER_KERNEL_H_
