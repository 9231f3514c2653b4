// The shared parts of expressions that all their branches compute.
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/anticipated_exprs.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::tir {

using ir::PrimExpr;

std::vector<PrimExpr> AnticipatedExprs::CommonOf(const PrimExpr& a, const PrimExpr& b) {
  BitSet common = FactsOf(a).parts;
  common.Intersect(FactsOf(b).parts);
  std::vector<PrimExpr> found;
  for (const size_t number : common.Numbers()) found.push_back(parts_[number]);
  return found;
}

AnticipatedExprs::Facts AnticipatedExprs::FactsOf(const PrimExpr& expr) {
  Facts before = std::exchange(current_, {});
  VisitPrimExpr(expr);
  return std::exchange(current_, std::move(before));
}

void AnticipatedExprs::Add(const Facts& facts) {
  current_.parts.Unite(facts.parts);
  current_.variables.Unite(facts.variables);
  current_.has_effect |= facts.has_effect;
}

/*! \brief Visit an expression that is computed only under a condition. */
void AnticipatedExprs::VisitMaybe(const PrimExpr& expr) {
  Facts facts = FactsOf(expr);
  facts.parts = {};
  Add(facts);
}

void AnticipatedExprs::VisitChoice(const PrimExpr& condition, const PrimExpr& a,
                                   const PrimExpr& b) {
  VisitPrimExpr(condition);
  Facts first = FactsOf(a), second = FactsOf(b);
  first.parts.Intersect(second.parts);
  second.parts = {};
  Add(first);
  Add(second);
}

void AnticipatedExprs::VisitPrimExpr(const PrimExpr& expr) {
  const auto kind = static_cast<PrimExprCase>(kPrimExprCases.CaseOf(expr.get()));
  const bool is_leaf = PrimExprCase::kIntImm <= kind && kind <= PrimExprCase::kSizeVar;
  if (is_leaf || expr.use_count() == 1) return PrimExprVisitor::VisitPrimExpr(expr);
  auto found = known_.find(expr.get());
  if (found == known_.end()) {
    Facts before = std::exchange(current_, {});
    PrimExprVisitor::VisitPrimExpr(expr);
    AddPart(expr);
    found = known_.emplace(expr.get(), std::exchange(current_, std::move(before))).first;
  }
  Add(found->second);
}

/*! \brief Add an expression, described by the current facts, to the parts of these. */
void AnticipatedExprs::AddPart(const PrimExpr& expr) {
  constexpr size_t kMostParts = 2048;
  if (current_.has_effect || parts_.size() == kMostParts) return;
  for (const size_t var : current_.variables.Numbers()) parts_with_[var].Add(parts_.size());
  current_.parts.Add(parts_.size());
  parts_.push_back(expr);
}

size_t AnticipatedExprs::NumberOf(const VarNode* var) {
  const size_t number = variables_.emplace(var, variables_.size()).first->second;
  parts_with_.resize(variables_.size());
  return number;
}

void AnticipatedExprs::VisitVar(const VarNode* op) { current_.variables.Add(NumberOf(op)); }

void AnticipatedExprs::VisitSelect(const SelectNode* op) {
  VisitChoice(op->condition, op->true_value, op->false_value);
}

void AnticipatedExprs::VisitAnd(const AndNode* op) {
  VisitPrimExpr(op->a);
  VisitMaybe(op->b);
}

void AnticipatedExprs::VisitOr(const OrNode* op) {
  VisitPrimExpr(op->a);
  VisitMaybe(op->b);
}

void AnticipatedExprs::VisitLet(const LetNode* op) {
  VisitPrimExpr(op->value);
  const size_t var = NumberOf(op->var.get());
  Facts body = FactsOf(op->body);
  body.parts.Subtract(parts_with_[var]);
  body.variables.Remove(var);
  Add(body);
}

// The parts of a reduction depend on its own variables.
void AnticipatedExprs::VisitReduce(const ReduceNode*) { current_.has_effect = true; }

void AnticipatedExprs::VisitCall(const CallNode* op) {
  const auto* callee = op->op.as<ir::OpNode>();
  const bool has_effect = callee == nullptr || effect_kind(tvm::ffi::GetRef<ir::Op>(callee)) >
                                                   CallEffectKind::kReadState;
  current_.has_effect |= has_effect;
  if (callee != nullptr && callee->name == "tir.if_then_else") {
    return VisitChoice(op->args[0], op->args[1], op->args[2]);
  }
  PrimExprVisitor::VisitCall(op);
}

}  // namespace uir::tir
