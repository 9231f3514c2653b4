/*!
 * \file no_op.h
 * \brief The statement that does nothing.
 */
#ifndef UIR_TRANSFORM_REWRITE_NO_OP_H_
#define UIR_TRANSFORM_REWRITE_NO_OP_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*! \brief Make the empty sequence. */
inline tir::Stmt NoOp(const tvm::ffi::Optional<ir::Span>& span) { return tir::SeqStmt({}, span); }

/*! \brief Whether a statement is an empty sequence. */
inline bool IsNoOp(const tir::Stmt& stmt) {
  const auto* seq = stmt.as<tir::SeqStmtNode>();
  return seq != nullptr && seq->seq.empty();
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_NO_OP_H_
