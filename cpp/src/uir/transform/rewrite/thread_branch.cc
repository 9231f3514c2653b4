// Branches in the bodies of threads.
#include "./thread_branch.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/reduce.h>
#include <uir/transform/linear_mutator.h>

#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsThreadScope(const ffi::Object* node) {
  const ffi::AnyView view(node);
  const auto* attr = view.as<tir::AttrStmtNode>();
  const auto* loop = view.as<tir::ForNode>();
  return (attr != nullptr && attr->attr_key == "thread_extent") ||
         (loop != nullptr && loop->kind == tir::ForKind::kThreadBinding);
}

/*! \brief Adds a uniform branch to the bodies of the innermost threads. */
class ThreadBrancher : public StmtRewriter {
 public:
  ThreadBrancher(const PrimExpr& condition, const ConditionValues& values)
      : condition_(condition), values_(values) {}

  Stmt Branch(const Stmt& body) {
    const bool is_innermost = tschema::Walk(body, [](const tir::StmtNode* stmt) {
      return IsThreadScope(stmt) ? tschema::kInterrupt : tschema::kAdvance;
    });
    if (!is_innermost) return VisitStmt(body);
    Stmt settled = SettleConditions(body, values_);
    if (settled.same_as(body) || tir::IntConstOf(condition_)) return settled;
    return tir::IfThenElse(condition_, std::move(settled), body);
  }

 protected:
  Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (!IsThreadScope(op)) return StmtRewriter::VisitAttrStmt(op);
    return tir::AttrStmt(op->node, op->attr_key, op->value, Branch(op->body), op->span);
  }
  Stmt VisitFor(const tir::ForNode* op) override {
    if (!IsThreadScope(op)) return StmtRewriter::VisitFor(op);
    return tir::For(op->loop_var, op->min, op->extent, op->kind, Branch(op->body),
                    op->thread_binding, op->annotations, op->step, op->span);
  }

 private:
  const PrimExpr& condition_;
  const ConditionValues& values_;
};

}  // namespace

Stmt BranchInThreads(const Stmt& body, const PrimExpr& condition, const ConditionValues& values) {
  return ThreadBrancher(condition, values).Branch(body);
}

}  // namespace uir::transform
