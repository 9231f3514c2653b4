// Loops, conditions and blocks around the accesses of buffers.
#include "./access_visitor.h"

#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/logic.h>

#include <utility>

#include "./const_fold.h"
#include "./intrinsic.h"

namespace uir::arith {

using ir::PrimExpr;

void AccessVisitor::VisitPrimExpr(const PrimExpr& expr) {
  if (IsNew(expr)) StmtVisitor::VisitPrimExpr(expr);
}

void AccessVisitor::VisitStmt(const tir::Stmt& stmt) {
  if (IsNew(stmt)) StmtVisitor::VisitStmt(stmt);
}

void AccessVisitor::VisitLet(const tir::LetNode* op) {
  VisitPrimExpr(op->value);
  Inside([&] {
    Define(op->var, op->value);
    VisitPrimExpr(op->body);
  });
}

void AccessVisitor::VisitBind(const tir::BindNode* op) {
  VisitPrimExpr(op->value);
  Define(op->var, op->value);
}

void AccessVisitor::VisitCall(const tir::CallNode* op) {
  if (IntrinsicOf(op) != Intrinsic::kIfThenElse) return StmtVisitor::VisitCall(op);
  VisitPrimExpr(op->args[0]);
  Under(op->args[0], [&] { VisitPrimExpr(op->args[1]); });
  Under(tir::Not(op->args[0]), [&] { VisitPrimExpr(op->args[2]); });
}

void AccessVisitor::VisitFor(const tir::ForNode* op) {
  VisitPrimExpr(op->min);
  VisitPrimExpr(op->extent);
  Inside([&] {
    Define(op->loop_var, ir::Range(op->min, op->extent));
    VisitStmt(op->body);
  });
}

void AccessVisitor::VisitAttrStmt(const tir::AttrStmtNode* op) {
  VisitPrimExpr(op->value);
  const std::optional<tir::IterVar> thread = tir::LaunchedAxis(op);
  Inside([&] {
    if (thread) {
      const tir::Var var = (*thread)->var;
      Define(var, ir::Range(MakeInt(var->dtype, 0), op->value));
    }
    VisitStmt(op->body);
  });
}

void AccessVisitor::VisitIfThenElse(const tir::IfThenElseNode* op) {
  VisitPrimExpr(op->condition);
  Under(op->condition, [&] { VisitStmt(op->then_case); });
  if (!op->else_case.has_value()) return;
  Under(tir::Not(op->condition), [&] { VisitStmt(op->else_case.value()); });
}

void AccessVisitor::VisitBlockRealize(const tir::BlockRealizeNode* op) {
  VisitPrimExpr(op->predicate);
  for (const PrimExpr& value : op->iter_values) VisitPrimExpr(value);
  Inside([&] {
    for (size_t i = 0; i < op->iter_values.size(); ++i) {
      Define(op->block->iter_vars[i]->var, op->iter_values[i]);
    }
    Under(op->predicate, [&] { VisitStmt(op->block); });
  });
}

/*! \brief Whether this is the first visit of a node since the facts have changed. */
bool AccessVisitor::IsNew(const ffi::ObjectRef& node) {
  return node.use_count() <= 1 || seen_.insert(node.get()).second;
}

void AccessVisitor::Inside(const std::function<void()>& visit) {
  std::unordered_set<const ffi::Object*> seen = std::exchange(seen_, {});
  InScope(visit);
  seen_ = std::move(seen);
}

void AccessVisitor::Under(const PrimExpr& condition, const std::function<void()>& visit) {
  Inside([&] {
    Assume(condition);
    visit();
  });
}

}  // namespace uir::arith
