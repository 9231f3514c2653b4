/*!
 * \file views.h
 * \brief Values with the elements of another value, in the same order, in another shape.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_VIEWS_H_
#define UIR_TRANSFORM_ANALYSIS_VIEWS_H_

#include <tvm/ffi/container/tensor.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The call of an operator of the kind `view`; null for any other value.
 *
 * Its first operand has the elements.
 */
const relay::CallNode* ViewCallOf(const ir::RelayExpr& value);

/*! \brief A compact tensor's elements in the shape of a type with constant dimensions. */
ffi::Tensor ViewOf(const ffi::Tensor& tensor, const ir::TensorTypeNode* type);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_VIEWS_H_
