// A mutator of statements that maintains an analyzer with the facts in scope.
#include <tvm/ffi/cast.h>
#include <uir/arith/constraint.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/block.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/effects.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../analysis/stated_condition.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief The parts of a conjunction that do not depend on memory; `true` if there are none. */
PrimExpr WithoutMemory(const PrimExpr& condition) {
  if (!DependsOnMemory(condition)) return condition;
  PrimExpr kept = ir::IntImm(ir::BoolType(), 1);
  std::vector<PrimExpr> rest = {condition};
  // Only the first parts of a very long conjunction are searched.
  constexpr int kMostParts = 64;
  for (int i = 0; i < kMostParts && !rest.empty(); ++i) {
    const PrimExpr part = std::move(rest.back());
    rest.pop_back();
    if (const auto* both = part.as<tir::AndNode>()) {
      rest.push_back(both->b);
      rest.push_back(both->a);
    } else if (!DependsOnMemory(part)) {
      kept = tir::And(part, kept);
    }
  }
  return kept;
}

PrimExpr Zero(DLDataType dtype) { return ir::IntImm(dtype, 0); }

/*! \brief Assume that no factor of a product is 0, as in a loop whose extent it is. */
void AssumeNoFactorIsZero(const arith::Analyzer& analyzer, const PrimExpr& extent) {
  const auto* product = extent.as<tir::MulNode>();
  if (product == nullptr) return;
  for (const PrimExpr& factor : {product->a, product->b}) {
    if (factor.as<tir::MulNode>() != nullptr) {
      AssumeNoFactorIsZero(analyzer, factor);
    } else if (!tir::IntConstOf(factor)) {
      analyzer->Assume(tir::not_equal(factor, Zero(factor->dtype)));
    }
  }
}

}  // namespace

void AnalyzingMutator::BindLoop(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent,
                                const ffi::Optional<PrimExpr>& step) {
  if (DependsOnMemory(min) || DependsOnMemory(extent)) return;
  analyzer_->Bind(var, ir::Range(min, extent));
  AssumeNoFactorIsZero(analyzer_, extent);
  if (!step.has_value()) return;
  const auto* step_value = step.value().as<ir::IntImmNode>();
  const auto* min_value = min.as<ir::IntImmNode>();
  if (step_value == nullptr || min_value == nullptr || step_value->value <= 0) return;
  analyzer_->BindModular(var, step_value->value, min_value->value);
}

/*! \throws ValueError if the variable has known facts, so that this is a second binding. */
void AnalyzingMutator::CheckIsNew(const tir::Var& var, const ffi::Object* at) const {
  if (!arith::IsKnown(analyzer_, var)) return;
  ir::ThrowAt(at, "ValueError",
              "variable `" + std::string(var->name) +
                  "` is bound again where another binding of it holds; run `ConvertSSA` before "
                  "this pass");
}

Stmt AnalyzingMutator::VisitFor(const tir::ForNode* op) {
  CheckIsNew(op->loop_var, op);
  const arith::ConstraintScope scope(analyzer_);
  PrimExpr min = VisitPrimExpr(op->min);
  PrimExpr extent = VisitPrimExpr(op->extent);
  ffi::Optional<PrimExpr> step = op->step;
  if (step.has_value()) step = VisitPrimExpr(step.value());
  BindLoop(op->loop_var, min, extent, step);
  Stmt body = VisitStmt(op->body);
  const bool is_same = min.same_as(op->min) && extent.same_as(op->extent) &&
                       body.same_as(op->body) && step.same_as(op->step);
  if (is_same) return ffi::GetRef<Stmt>(op);
  return tir::For(op->loop_var, std::move(min), std::move(extent), op->kind, std::move(body),
                  op->thread_binding, op->annotations, std::move(step), op->span);
}

Stmt AnalyzingMutator::VisitIn(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent,
                               const Stmt& body) {
  const arith::ConstraintScope scope(analyzer_);
  BindLoop(var, min, extent, std::nullopt);
  return VisitStmt(body);
}

Stmt AnalyzingMutator::VisitWhile(const tir::WhileNode* op) {
  const arith::ConstraintScope scope(analyzer_);
  return LinearMutator::VisitWhile(op);
}

Stmt AnalyzingMutator::VisitUnder(const Stmt& stmt, const PrimExpr& condition) {
  const PrimExpr known = WithoutMemory(condition);
  // Without a new fact, results for shared statements remain valid.
  const bool is_known = tir::IntConstOf(known) == 1;
  const arith::ConstraintScope scope =
      is_known ? arith::ConstraintScope(analyzer_) : arith::ConstraintScope(analyzer_, known);
  return VisitStmt(stmt);
}

Stmt AnalyzingMutator::VisitIfThenElse(const tir::IfThenElseNode* op) {
  return VisitBranches(op, VisitPrimExpr(op->condition));
}

Stmt AnalyzingMutator::VisitBranches(const tir::IfThenElseNode* op, PrimExpr condition) {
  Stmt then_case = VisitUnder(op->then_case, condition);
  ffi::Optional<Stmt> else_case = op->else_case;
  bool is_same = condition.same_as(op->condition) && then_case.same_as(op->then_case);
  if (else_case.has_value()) {
    else_case = VisitUnder(else_case.value(), tir::Not(condition));
    is_same = is_same && else_case.value().same_as(op->else_case.value());
  }
  if (is_same) return ffi::GetRef<Stmt>(op);
  return tir::IfThenElse(std::move(condition), std::move(then_case), std::move(else_case),
                         op->span);
}

Stmt AnalyzingMutator::VisitAttrStmt(const tir::AttrStmtNode* op) {
  const arith::ConstraintScope scope(analyzer_);
  const std::optional<tir::IterVar> launch = tir::LaunchedAxis(op);
  if (launch && (*launch)->var->dtype == op->value->dtype) {
    analyzer_->Bind((*launch)->var, ir::Range(Zero(op->value->dtype), op->value));
  }
  return LinearMutator::VisitAttrStmt(op);
}

Stmt AnalyzingMutator::VisitAssertStmt(const tir::AssertStmtNode* op) {
  Stmt result = LinearMutator::VisitAssertStmt(op);
  const auto* check = result.as<tir::AssertStmtNode>();
  if (check != nullptr) analyzer_->Assume(WithoutMemory(check->condition));
  return result;
}

Stmt AnalyzingMutator::VisitEvaluate(const tir::EvaluateNode* op) {
  Stmt result = LinearMutator::VisitEvaluate(op);
  const auto* after = result.as<tir::EvaluateNode>();
  if (after == nullptr) return result;
  const std::optional<PrimExpr> stated = StatedConditionOf(after);
  if (stated) analyzer_->Assume(WithoutMemory(*stated));
  return result;
}

Stmt AnalyzingMutator::VisitBind(const tir::BindNode* op) {
  CheckIsNew(op->var, op);
  Stmt result = LinearMutator::VisitBind(op);
  const auto* bind = result.as<tir::BindNode>();
  if (bind == nullptr) return result;
  const bool is_integer = ir::IsInteger(bind->value->dtype);
  if (!is_integer && !ir::IsBool(bind->value->dtype)) return result;
  arith::BindDefinition(analyzer_, bind->var, bind->value);
  const bool is_plain =
      bind->value.as<ir::IntImmNode>() != nullptr || bind->value.as<tir::VarNode>() != nullptr;
  if (is_plain) {
    analyzer_->Bind(bind->var, bind->value);
  } else if (is_integer && ir::IsScalar(bind->value->dtype) &&
             !arith::IsData(analyzer_, bind->var)) {
    analyzer_->Assume(tir::EQ(bind->var, bind->value));
  }
  return result;
}

Stmt AnalyzingMutator::VisitBlock(const tir::BlockNode* op) {
  const arith::ConstraintScope scope(analyzer_);
  for (const tir::IterVar& axis : op->iter_vars) {
    CheckIsNew(axis->var, op);
    const bool is_known = axis->dom.has_value() && !DependsOnMemory(axis->dom.value()->min) &&
                          !DependsOnMemory(axis->dom.value()->extent);
    if (is_known) analyzer_->Bind(axis->var, axis->dom.value());
  }
  return LinearMutator::VisitBlock(op);
}

tir::IterVar AnalyzingMutator::VisitIterVar(const tir::IterVarNode* op) {
  if (!op->dom.has_value()) return ffi::GetRef<tir::IterVar>(op);
  // The variable is not replaced, even if its value is known.
  ir::Range dom = VisitRange(op->dom.value().get());
  if (dom.same_as(op->dom.value())) return ffi::GetRef<tir::IterVar>(op);
  return tir::IterVar(op->var, std::move(dom), op->iter_type, op->thread_tag, op->span);
}

}  // namespace uir::transform
