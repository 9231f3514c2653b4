/*!
 * \file outlined_function.h
 * \brief Separate functions for the bindings of a kernel.
 *
 * In: bindings of a function, in order; the last one is the result. Out: a function with a
 * parameter for each value from outside, and with its own variables of dimensions.
 */
#ifndef UIR_TRANSFORM_REWRITE_OUTLINED_FUNCTION_H_
#define UIR_TRANSFORM_REWRITE_OUTLINED_FUNCTION_H_

#include <uir/relay/block.h>
#include <uir/relay/function.h>

#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief A function made from bindings, and the arguments of its call. */
struct OutlinedFunction {
  relay::Function func;
  std::vector<ir::RelayExpr> operands;
};

/*!
 * \brief Make a function from bindings, with the attribute `primitive`.
 *
 * The values from outside become parameters in the order of their first use; constants of one
 * element stay inside. Variables of dimensions that the parameters bind are replaced by new ones. A
 * dimension whose variables no parameter binds becomes a new variable too: `d0` for each `n * 4`.
 */
OutlinedFunction Outline(const std::vector<relay::Binding>& bindings);

/*!
 * \brief Make a function from one call, whose operands and result bind its dimensions.
 *
 * A dimension whose variables no earlier parameter binds becomes a variable, as in `Outline`. So
 * does a dimension of the result that the types of the parameters do not determine.
 * \param scope Parameters of the caller. If only the shape of one binds a variable of the call's
 * attributes, such as the first element of a range, it becomes an operand that is not read.
 */
OutlinedFunction OutlineCall(const relay::Call& call, const ffi::Array<relay::Var>& scope);

/*! \brief Whether the parameters of a function bind every dimension that its bindings use. */
bool BindsDimensions(const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_OUTLINED_FUNCTION_H_
