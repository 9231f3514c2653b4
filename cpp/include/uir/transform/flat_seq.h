/*!
 * \file uir/transform/flat_seq.h
 * \brief Construction of flat sequences.
 */
#ifndef UIR_TRANSFORM_FLAT_SEQ_H_
#define UIR_TRANSFORM_FLAT_SEQ_H_

#include <tvm/ffi/cast.h>
#include <uir/tir/stmt.h>
#include <uir/transform/node_copy.h>

#include <utility>

namespace uir::transform {

/*!
 * \brief Make a sequence of statements, with nested sequences flattened.
 * \param stmts The statements.
 * \param span The source location of the sequence.
 * \return The sequence, or the statement if there is only one.
 */
inline tir::Stmt FlatSeq(tvm::ffi::Array<tir::Stmt> stmts, tvm::ffi::Optional<ir::Span> span) {
  tir::Stmt flat = tir::flatten_seq(std::move(stmts));
  if (const auto seq = flat.as<tir::SeqStmt>()) Write(*seq)->span = std::move(span);
  return flat;
}

/*!
 * \brief Transform each statement of a sequence, and flatten results that are sequences.
 * \param op The sequence.
 * \param visit The transformation.
 * \return The sequence itself if it is unchanged, or the statement if only one is left.
 */
template <typename Visit>
tir::Stmt VisitFlat(const tir::SeqStmtNode* op, Visit visit) {
  tvm::ffi::Array<tir::Stmt> stmts = op->seq;
  bool is_flat = true;
  for (int64_t i = 0; i < static_cast<int64_t>(op->seq.size()); ++i) {
    tir::Stmt result = visit(op->seq[i]);
    if (result.same_as(op->seq[i])) continue;
    is_flat = is_flat && !result->IsInstance<tir::SeqStmtNode>();
    stmts.Set(i, std::move(result));
  }
  if (stmts.same_as(op->seq)) return tvm::ffi::GetRef<tir::Stmt>(op);
  if (is_flat && stmts.size() != 1) return tir::SeqStmt(std::move(stmts), op->span);
  return FlatSeq(std::move(stmts), op->span);
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_FLAT_SEQ_H_
