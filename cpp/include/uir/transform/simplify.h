/*!
 * \file uir/transform/simplify.h
 * \brief Simplification of statements.
 */
#ifndef UIR_TRANSFORM_SIMPLIFY_H_
#define UIR_TRANSFORM_SIMPLIFY_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Simplify the expressions of a statement, and remove constant conditionals and trivial
 * loops.
 * \param stmt The statement.
 * \param analyzer The facts about free variables; restored on return.
 * \return The statement itself if it cannot be simplified.
 */
tir::Stmt Simplify(tir::Stmt stmt, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_SIMPLIFY_H_
