/*!
 * \file checked_divisor.h
 * \brief Divisors whose value is checked where they divide.
 */
#ifndef UIR_TRANSFORM_REWRITE_CHECKED_DIVISOR_H_
#define UIR_TRANSFORM_REWRITE_CHECKED_DIVISOR_H_

#include <uir/ir/expr.h>
#include <uir/ir/span.h>

#include <string>

namespace uir::transform {

/*! \brief An integer in `tir.nonzero`; of lanes that are the same, one is checked. */
ir::PrimExpr CheckedDivisor(const ir::PrimExpr& divisor, const std::string& message);

/*!
 * \brief What the error of a division by 0 says: `floordiv at model.py:12: the divisor `y` is 0`.
 * \param name The operator.
 * \param span Its source; the text is without one if there is none.
 * \param divisor How the source calls the divisor.
 */
std::string ZeroDivisionText(const std::string& name, const tvm::ffi::Optional<ir::Span>& span,
                             const std::string& divisor);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_CHECKED_DIVISOR_H_
