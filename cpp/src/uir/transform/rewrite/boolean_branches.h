/*!
 * \file boolean_branches.h
 * \brief Simplification of the operands of `and` and `or` by each other.
 */
#ifndef UIR_TRANSFORM_REWRITE_BOOLEAN_BRANCHES_H_
#define UIR_TRANSFORM_REWRITE_BOOLEAN_BRANCHES_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::transform {

/*!
 * \brief Simplify the second operand of `and` under the first one, and that of `or` under the
 * negation of the first one. Likewise the first operand, if the second can be computed anywhere.
 */
ir::PrimExpr SimplifyBooleanBranches(const ir::PrimExpr& expr, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_BOOLEAN_BRANCHES_H_
