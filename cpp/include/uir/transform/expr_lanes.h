/*!
 * \file uir/transform/expr_lanes.h
 * \brief An expression for the lanes of vectors.
 */
#ifndef UIR_TRANSFORM_EXPR_LANES_H_
#define UIR_TRANSFORM_EXPR_LANES_H_

#include <uir/transform/substitute.h>

#include <optional>

namespace uir::transform {

/*!
 * \brief Replace variables by vectors, and vectorize the expressions that depend on them.
 * \param expr The expression for one lane.
 * \param vectors The lanes of variables, or one value for all of them.
 * \param lanes The lanes of each vector, at least 1.
 * \return The expression for all lanes, a scalar if it contains no vector; `nullopt` if an
 * expression that depends on a vector cannot be vectorized.
 */
std::optional<ir::PrimExpr> ExprLanes(const ir::PrimExpr& expr, const Substitution& vectors,
                                      int lanes);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_EXPR_LANES_H_
