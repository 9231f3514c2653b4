/*!
 * \file outlined_function.h
 * \brief Functions of their own for bindings: what becomes one kernel.
 *
 * In: bindings of a function, in order, of which the last one is the result.  Out: a function with
 * a parameter for each value from outside, and with dimensions of its own.
 */
#ifndef UIR_TRANSFORM_REWRITE_OUTLINED_FUNCTION_H_
#define UIR_TRANSFORM_REWRITE_OUTLINED_FUNCTION_H_

#include <uir/relay/block.h>
#include <uir/relay/function.h>

#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief A function that was made of bindings, and the values that it takes. */
struct OutlinedFunction {
  relay::Function func;
  std::vector<ir::RelayExpr> operands;
};

/*!
 * \brief Make a function of bindings, with the attribute `primitive`.
 *
 * The values from outside become parameters in the order of their first use; constants of one
 * element stay inside. Variables of dimensions are new ones where the parameters bind them, and so
 * is a dimension whose variables no parameter binds: `n * 4` is `d0`, wherever it stands.
 */
OutlinedFunction Outline(const std::vector<relay::Binding>& bindings);

/*!
 * \brief Make a function of one value, whose dimensions its operands and its result bind.
 *
 * A dimension whose variables no parameter binds up to there becomes a variable, as in `Outline`;
 * one of the result too, unless the types of the parameters tell it.
 * \param scope Parameters of the caller. One becomes an operand, which is not read, where only its
 * shape binds a variable of the attributes, such as the first element of a range.
 */
OutlinedFunction OutlineCall(const relay::Call& call, const ffi::Array<relay::Var>& scope);

/*! \brief Whether the parameters of a function bind every dimension that its bindings use. */
bool BindsDimensions(const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_OUTLINED_FUNCTION_H_
