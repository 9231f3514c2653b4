/*!
 * \file views.h
 * \brief Values that are the elements of another value, in order, in another shape.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_VIEWS_H_
#define UIR_TRANSFORM_ANALYSIS_VIEWS_H_

#include <tvm/ffi/container/tensor.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The call of an operator of the kind `view` that a value is; null for other values.
 *
 * Its first operand has the elements.
 */
const relay::CallNode* ViewCallOf(const ir::RelayExpr& value);

/*! \brief The elements of a compact tensor in the shape of a type, whose dimensions are constant.
 */
ffi::Tensor ViewOf(const ffi::Tensor& tensor, const ir::TensorTypeNode* type);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_VIEWS_H_
