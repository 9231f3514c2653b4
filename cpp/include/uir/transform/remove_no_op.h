/*!
 * \file uir/transform/remove_no_op.h
 * \brief Removal of statements without effect.
 */
#ifndef UIR_TRANSFORM_REMOVE_NO_OP_H_
#define UIR_TRANSFORM_REMOVE_NO_OP_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Remove the parts of a statement without effect.
 * \param stmt The statement; its bindings are not used outside.
 * \return The statement itself if nothing was removed; an empty sequence if everything was.
 */
tir::Stmt RemoveNoOp(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REMOVE_NO_OP_H_
