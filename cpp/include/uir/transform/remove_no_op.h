/*!
 * \file uir/transform/remove_no_op.h
 * \brief Removal of statements that do nothing.
 */
#ifndef UIR_TRANSFORM_REMOVE_NO_OP_H_
#define UIR_TRANSFORM_REMOVE_NO_OP_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Remove the parts of a statement that do nothing.
 * \param stmt The statement; what it binds is not used outside of it.
 * \return The statement itself if every part does something, an empty sequence if none does.
 */
tir::Stmt RemoveNoOp(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REMOVE_NO_OP_H_
