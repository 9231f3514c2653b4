/*!
 * \file uir/transform/hoist_if_then_else.h
 * \brief Hoisting of loop-invariant conditionals.
 */
#ifndef UIR_TRANSFORM_HOIST_IF_THEN_ELSE_H_
#define UIR_TRANSFORM_HOIST_IF_THEN_ELSE_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Hoist conditionals that are the whole body of a loop and do not depend on its variable.
 *
 * The loops of both branches bind the same variables; run `ConvertSSA` afterwards.
 *
 * \param stmt The statement.
 * \return The statement itself if there is no such loop.
 */
tir::Stmt HoistIfThenElse(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_HOIST_IF_THEN_ELSE_H_
