/*!
 * \file checked_divisor.h
 * \brief Divisors with a check at the division.
 */
#ifndef UIR_TRANSFORM_REWRITE_CHECKED_DIVISOR_H_
#define UIR_TRANSFORM_REWRITE_CHECKED_DIVISOR_H_

#include <uir/ir/expr.h>
#include <uir/ir/span.h>

#include <string>

namespace uir::transform {

/*! \brief Wrap an integer in `tir.nonzero`; of a broadcast, only the element is checked. */
ir::PrimExpr CheckedDivisor(const ir::PrimExpr& divisor, const std::string& message);

/*!
 * \brief The message of a division by 0, such as `floordiv at model.py:12: the divisor `y` is 0`.
 * \param name The operator.
 * \param span Its source location, if known.
 * \param divisor The divisor, as written in the source.
 */
std::string ZeroDivisionText(const std::string& name, const tvm::ffi::Optional<ir::Span>& span,
                             const std::string& divisor);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_CHECKED_DIVISOR_H_
