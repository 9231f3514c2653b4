/*!
 * \file math_calls.h
 * \brief Whether the functions of mathematics that a function calls are inlined.
 */
#ifndef UIR_TARGET_MATH_CALLS_H_
#define UIR_TARGET_MATH_CALLS_H_

#include <uir/tir/function.h>

namespace uir::target {

/*!
 * \brief Whether a function has too many calls on vectors to inline them.
 *
 * An example is a matrix product with an activation, which is called once for each vector of sums.
 * If the calls were inlined, compilers would keep all their constants in registers during the loop
 * that adds the products, and the sums in memory: that took twice as long.
 */
bool CallsMathOutOfLine(const tir::PrimFuncNode* func);

}  // namespace uir::target

#endif  // UIR_TARGET_MATH_CALLS_H_
