/*!
 * \file total_expr.h
 * \brief Expressions that can be computed where the program does not compute them.
 */
#ifndef UIR_TRANSFORM_REWRITE_TOTAL_EXPR_H_
#define UIR_TRANSFORM_REWRITE_TOTAL_EXPR_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::transform {

/*! \brief Whether an expression neither divides by what may be 0 nor reads memory. */
bool IsTotal(const ir::PrimExpr& expr);

/*!
 * \brief Whether an expression has no effect, divides by constants alone, and reads elements alone
 * that are proved to be in their buffers.
 */
bool IsTotalHere(const ir::PrimExpr& expr, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_TOTAL_EXPR_H_
