/*!
 * \file divisor_hoist.h
 * \brief Checks of divisors in front of the loops that do not change them.
 */
#ifndef UIR_TRANSFORM_REWRITE_DIVISOR_HOIST_H_
#define UIR_TRANSFORM_REWRITE_DIVISOR_HOIST_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Load and check divisors once, in front of the loop that divides by them.
 *
 * Serial loops lose the checked loads that each iteration makes, at an index and of memory that the
 * loop does not change. Buffers must not overlap. A loop that may have no iterations checks none.
 */
tir::Stmt HoistDivisors(tir::Stmt body);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_DIVISOR_HOIST_H_
