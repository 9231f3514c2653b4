/*!
 * \file math_calls.h
 * \brief Whether the functions of mathematics that a function calls are inlined.
 */
#ifndef UIR_TARGET_MATH_CALLS_H_
#define UIR_TARGET_MATH_CALLS_H_

#include <uir/tir/function.h>

namespace uir::target {

/*!
 * \brief Whether a function has so many calls on vectors that it shall not inline them.
 *
 * Such a function is that of a product of matrices with an activation, once for each vector of
 * sums. Were they inlined, a compiler would keep the constants of all of them in registers through
 * the loop that adds the products, and the sums in memory: it took twice as long.
 */
bool CallsMathOutOfLine(const tir::PrimFuncNode* func);

}  // namespace uir::target

#endif  // UIR_TARGET_MATH_CALLS_H_
