/*!
 * \file no_op.h
 * \brief The empty statement, and stores without an effect.
 */
#ifndef UIR_TRANSFORM_REWRITE_NO_OP_H_
#define UIR_TRANSFORM_REWRITE_NO_OP_H_

#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>

#include <cstdint>
#include <optional>

namespace uir::transform {

/*! \brief Make the empty sequence. */
inline tir::Stmt NoOp(const tvm::ffi::Optional<ir::Span>& span) { return tir::SeqStmt({}, span); }

/*! \brief Whether a statement is an empty sequence. */
inline bool IsNoOp(const tir::Stmt& stmt) {
  const auto* seq = stmt.as<tir::SeqStmtNode>();
  return seq != nullptr && seq->seq.empty();
}

/*! \brief The value of a mask that is uniform. */
inline std::optional<int64_t> MaskConstOf(const ir::PrimExpr& mask) {
  const auto* broadcast = mask.as<tir::BroadcastNode>();
  return tir::IntConstOf(broadcast == nullptr ? mask : broadcast->value);
}

/*! \brief The load of a store that copies within a buffer; null for any other store. */
inline const tir::BufferLoadNode* CopyWithin(const tir::BufferStoreNode* op) {
  const auto* load = op->value.as<tir::BufferLoadNode>();
  const bool is_copy = load != nullptr && load->buffer.same_as(op->buffer) &&
                       !load->predicate.has_value() && !op->predicate.has_value();
  return is_copy ? load : nullptr;
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_NO_OP_H_
