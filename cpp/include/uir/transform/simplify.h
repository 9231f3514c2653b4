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
 * \brief Simplify the expressions of a statement, and choices and loops that are known.
 * \param stmt The statement.
 * \param analyzer What is known of the variables outside; it is left as it was.
 * \return The statement itself if nothing is simpler.
 */
tir::Stmt Simplify(tir::Stmt stmt, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_SIMPLIFY_H_
