/*!
 * \file and_of_ors.h
 * \brief Conditions as conjunctions of disjunctions.
 */
#ifndef UIR_TRANSFORM_REWRITE_AND_OF_ORS_H_
#define UIR_TRANSFORM_REWRITE_AND_OF_ORS_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::transform {

/*!
 * \brief Write the outermost logic of an expression as a conjunction of disjunctions, and simplify
 * these by each other.
 *
 * Logic with a part that can fail or has an effect stays, as does logic that would grow too large.
 * \param expr A simplified expression.
 * \param analyzer The facts that hold at the expression.
 */
ir::PrimExpr ToAndOfOrs(const ir::PrimExpr& expr, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_AND_OF_ORS_H_
