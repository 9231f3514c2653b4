// A memoizing mutator, which replaces the uses of variables at the same time.
#include <tvm/ffi/cast.h>
#include <uir/tir/atom.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/node_copy.h>

#include <optional>
#include <utility>

namespace uir::transform {

ir::PrimExpr LinearMutator::VisitPrimExpr(ir::PrimExpr expr) {
  // An unshared expression has two references: its parent's, and the parameter.
  if (expr.use_count() <= 2 || tir::IsAtom(expr.get()))
    return StmtMutator::VisitPrimExpr(std::move(expr));
  const auto found = seen_.find(expr.get());
  if (found != seen_.end() && found->second.state == state_) return found->second.result;
  const int64_t state = state_;
  ir::PrimExpr result = StmtMutator::VisitPrimExpr(expr);
  // Bindings inside the expression do not affect the result outside, so the old state is valid.
  const ffi::Object* key = expr.get();
  seen_.insert_or_assign(key, Seen<ir::PrimExpr>{std::move(expr), result, state, 0});
  return result;
}

tir::Stmt LinearMutator::VisitStmt(tir::Stmt stmt) {
  if (stmt.use_count() <= 2) return StmtMutator::VisitStmt(std::move(stmt));
  const int64_t state = state_;
  const int64_t context = StmtContext();
  const ffi::Object* key = stmt.get();
  const auto found = seen_stmts_.find(key);
  const bool is_known = found != seen_stmts_.end() && found->second.state == state &&
                        found->second.context == context;
  if (is_known) {
    ReuseResult(stmt.get());
    return found->second.result;
  }
  tir::Stmt result = StmtMutator::VisitStmt(stmt);
  if (state_ != state || StmtContext() != context) return result;
  seen_stmts_.insert_or_assign(key, Seen<tir::Stmt>{std::move(stmt), result, state, context});
  return result;
}

tir::Stmt LinearMutator::VisitSeqStmt(const tir::SeqStmtNode* op) {
  return VisitFlat(op, [this](const tir::Stmt& stmt) { return VisitStmt(stmt); });
}

void LinearMutator::Replace(const ffi::ObjectRef& variable, ffi::ObjectRef by) {
  // Uses follow the binding, so earlier results become invalid only if this is a second binding.
  const ffi::ObjectRef* previous = FindReplacement(variable.get());
  if (previous != nullptr && !previous->same_as(by)) state_ = ++num_states_;
  // `StmtMutator` keeps the replacements of buffers; the uses of a `Var` reach `VisitVar`.
  if (!variable->IsInstance<tir::VarNode>()) StmtMutator::Replace(variable, by);
  replacements_.insert_or_assign(variable.get(), Replacement{variable, std::move(by)});
}

const ffi::ObjectRef* LinearMutator::FindReplacement(const ffi::Object* variable) const {
  const auto found = replacements_.find(variable);
  return found == replacements_.end() ? nullptr : &found->second.by;
}

tir::Buffer LinearMutator::UseOf(const tir::Buffer& buffer) const {
  const ffi::ObjectRef* replacement = FindReplacement(buffer.get());
  return replacement == nullptr ? buffer : As<tir::Buffer>(*replacement);
}

tir::Buffer LinearMutator::RewriteBuffer(const tir::BufferNode* op) {
  return StmtMutator::VisitBuffer(op);
}

tir::Buffer LinearMutator::VisitBuffer(const tir::BufferNode* op) {
  const auto buffer = ffi::GetRef<tir::Buffer>(op);
  tir::Buffer result = RewriteBuffer(op);
  Replace(buffer, result);
  return result;
}

ir::PrimExpr LinearMutator::VisitVar(const tir::VarNode* op) {
  const ffi::ObjectRef* replacement = FindReplacement(op);
  return replacement == nullptr ? ffi::GetRef<ir::PrimExpr>(op) : As<ir::PrimExpr>(*replacement);
}

tir::Stmt LinearMutator::VisitAttrStmt(const tir::AttrStmtNode* op) {
  ffi::Any node = VisitNote(op->node);
  tir::Stmt result = StmtMutator::VisitAttrStmt(op);
  if (node.same_as(op->node)) return result;
  const auto* attr = result.as<tir::AttrStmtNode>();
  return tir::AttrStmt(std::move(node), attr->attr_key, attr->value, attr->body, attr->span);
}

ffi::Any LinearMutator::VisitNote(const ffi::Any& node) {
  if (std::optional<tir::Var> var = node.as<tir::Var>()) return VisitPrimExpr(*std::move(var));
  const std::optional<tir::Buffer> buffer = node.as<tir::Buffer>();
  return buffer ? ffi::Any(UseOf(*buffer)) : node;
}

}  // namespace uir::transform
