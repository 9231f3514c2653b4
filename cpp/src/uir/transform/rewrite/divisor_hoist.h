/*!
 * \file divisor_hoist.h
 * \brief Hoists checks of divisors out of loops that do not change them.
 */
#ifndef UIR_TRANSFORM_REWRITE_DIVISOR_HOIST_H_
#define UIR_TRANSFORM_REWRITE_DIVISOR_HOIST_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Load and check divisors once, before the loop that divides by them.
 *
 * Checked loads that every iteration makes leave a serial loop if it changes neither the index nor
 * the memory. Buffers must not overlap. Without iterations, the hoisted check passes.
 */
tir::Stmt HoistDivisors(tir::Stmt body);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_DIVISOR_HOIST_H_
