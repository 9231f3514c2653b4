/*!
 * \file exact_elements.h
 * \brief Elements of calls of operators that need no compiled code.
 *
 * In: a call, and the elements of its operands. Out: the elements of the result, if the operator
 * moves elements or is one of those that IEEE 754 rounds exactly, so that compiled code has the
 * same result: sums, differences, products, quotients, square roots and negations of `float32`.
 */
#ifndef UIR_TRANSFORM_REWRITE_EXACT_ELEMENTS_H_
#define UIR_TRANSFORM_REWRITE_EXACT_ELEMENTS_H_

#include <tvm/ffi/container/tensor.h>
#include <uir/relay/expr.h>

#include <optional>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The elements of a call; `nullopt` if only compiled code can compute them.
 * \param call A call of an operator, whose type is known and has constant dimensions.
 * \param operands The elements of its arguments.
 */
std::optional<ffi::Tensor> ExactElements(const relay::CallNode* call,
                                         const std::vector<ffi::Tensor>& operands);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_EXACT_ELEMENTS_H_
