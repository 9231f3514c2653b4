/*!
 * \file constant_power.h
 * \brief Powers with constant exponents, as products, quotients and roots.
 */
#ifndef UIR_TARGET_CONSTANT_POWER_H_
#define UIR_TARGET_CONSTANT_POWER_H_

#include <uir/tir/expr.h>

namespace uir::target {

namespace ffi = ::tvm::ffi;

/*!
 * \brief A call of `tir.pow` whose exponent is 2, 3, 4, -1, 0.5 or -0.5, in other operations.
 *
 * Infinities, -0.0 and NaN give what `pow` of C gives, Annex F. Integers have the exponents 2, 3
 * and 4 only.
 *
 * \return None for another exponent.
 */
ffi::Optional<ir::PrimExpr> ConstantPower(const tir::CallNode* call);

}  // namespace uir::target

#endif  // UIR_TARGET_CONSTANT_POWER_H_
