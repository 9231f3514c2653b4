/*!
 * \file total_expr.h
 * \brief Expressions that are safe to compute speculatively.
 */
#ifndef UIR_TRANSFORM_REWRITE_TOTAL_EXPR_H_
#define UIR_TRANSFORM_REWRITE_TOTAL_EXPR_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::transform {

/*! \brief Whether an expression reads no memory, and no divisor in it may be 0. */
bool IsTotal(const ir::PrimExpr& expr);

/*!
 * \brief Whether an expression has no effect, divides only by constants, and reads only elements
 * that are proved to be in bounds.
 */
bool IsTotalHere(const ir::PrimExpr& expr, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_TOTAL_EXPR_H_
