/*!
 * \file uir/transform/hoist_if_then_else.h
 * \brief Choices, moved out of loops in which they are always the same.
 */
#ifndef UIR_TRANSFORM_HOIST_IF_THEN_ELSE_H_
#define UIR_TRANSFORM_HOIST_IF_THEN_ELSE_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Move choices out of the loops whose whole body they are, and whose variables they do not
 * depend on.
 *
 * The loops of two branches bind the same variables; `ConvertSSA` tells them apart.
 *
 * \param stmt The statement.
 * \return The statement itself if there is no such loop.
 */
tir::Stmt HoistIfThenElse(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_HOIST_IF_THEN_ELSE_H_
