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
 * \brief Put vectors in the place of variables, and compute with vectors what depends on them.
 * \param expr The expression for one lane.
 * \param vectors The lanes of variables, or one value for all of them.
 * \param lanes The lanes of each vector, at least 1.
 * \return The expression for all lanes, a scalar if it has no vector in it; none if something that
 * depends on a vector has no form for several lanes.
 */
std::optional<ir::PrimExpr> ExprLanes(const ir::PrimExpr& expr, const Substitution& vectors,
                                      int lanes);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_EXPR_LANES_H_
