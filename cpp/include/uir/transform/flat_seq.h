/*!
 * \file uir/transform/flat_seq.h
 * \brief Sequences of statements that became others.
 */
#ifndef UIR_TRANSFORM_FLAT_SEQ_H_
#define UIR_TRANSFORM_FLAT_SEQ_H_

#include <tvm/ffi/cast.h>
#include <uir/tir/stmt.h>

#include <utility>

namespace uir::transform {

/*!
 * \brief Make something of each statement of a sequence, and put the parts of what became sequences
 * in their places.
 * \param op The sequence.
 * \param visit What becomes of a statement.
 * \return The sequence itself if no statement changed.
 */
template <typename Visit>
tir::Stmt VisitFlat(const tir::SeqStmtNode* op, Visit visit) {
  bool is_changed = false;
  tvm::ffi::Array<tir::Stmt> stmts;
  for (const tir::Stmt& stmt : op->seq) {
    tir::Stmt result = visit(stmt);
    is_changed |= !result.same_as(stmt);
    if (const auto* nested = result.as<tir::SeqStmtNode>()) {
      for (const tir::Stmt& part : nested->seq) stmts.push_back(part);
    } else {
      stmts.push_back(std::move(result));
    }
  }
  if (!is_changed) return tvm::ffi::GetRef<tir::Stmt>(op);
  return tir::SeqStmt(std::move(stmts), op->span);
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_FLAT_SEQ_H_
