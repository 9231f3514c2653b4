// Replaces known conditions by their values.
#include "./condition_settler.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>

#include <optional>
#include <utility>

#include "./no_op.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsCallOf(const tir::CallNode* call, const ir::Op& op) { return call->op.same_as(op); }

/*! \brief The operators whose value depends on a condition. */
struct Operators {
  ir::Op likely = ir::get_op("tir.likely");
  ir::Op if_then_else = ir::get_op("tir.if_then_else");

  static const Operators& Get() {
    // Never destroyed, because passes may run during static destruction.
    static const auto* const operators = new Operators();
    return *operators;
  }
};

class ConditionSettler : public LinearMutator {
 public:
  explicit ConditionSettler(const ConditionValues& values) : values_(values) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    const auto value = values_.find(expr.get());
    if (value != values_.end()) return ir::IntImm(ir::BoolType(), value->second, expr->span);
    return LinearMutator::VisitPrimExpr(std::move(expr));
  }

 protected:
  PrimExpr VisitAnd(const tir::AndNode* op) override {
    PrimExpr a = VisitPrimExpr(op->a);
    PrimExpr b = VisitPrimExpr(op->b);
    if (a.same_as(op->a) && b.same_as(op->b)) return ffi::GetRef<PrimExpr>(op);
    if (HasEffect(a)) return tir::And(std::move(a), std::move(b), op->span);
    return tir::logical_and(std::move(a), std::move(b), op->span);
  }

  PrimExpr VisitOr(const tir::OrNode* op) override {
    PrimExpr a = VisitPrimExpr(op->a);
    PrimExpr b = VisitPrimExpr(op->b);
    if (a.same_as(op->a) && b.same_as(op->b)) return ffi::GetRef<PrimExpr>(op);
    if (HasEffect(a)) return tir::Or(std::move(a), std::move(b), op->span);
    return tir::logical_or(std::move(a), std::move(b), op->span);
  }

  PrimExpr VisitNot(const tir::NotNode* op) override {
    PrimExpr a = VisitPrimExpr(op->a);
    if (a.same_as(op->a)) return ffi::GetRef<PrimExpr>(op);
    return tir::logical_not(std::move(a), op->span);
  }

  PrimExpr VisitSelect(const tir::SelectNode* op) override {
    const PrimExpr condition = VisitPrimExpr(op->condition);
    const std::optional<int64_t> holds = ChoiceOf(condition, op->condition);
    // A `Select` computes both of its values.
    const PrimExpr& dropped = holds.value_or(0) != 0 ? op->false_value : op->true_value;
    if (!holds || HasEffect(dropped)) return LinearMutator::VisitSelect(op);
    return VisitPrimExpr(*holds != 0 ? op->true_value : op->false_value);
  }

  PrimExpr VisitCall(const tir::CallNode* op) override {
    const bool is_choice = IsCallOf(op, Operators::Get().if_then_else);
    if (!is_choice && !IsCallOf(op, Operators::Get().likely)) return LinearMutator::VisitCall(op);
    const PrimExpr condition = VisitPrimExpr(op->args[0]);
    const std::optional<int64_t> holds = ChoiceOf(condition, op->args[0]);
    if (!holds) return LinearMutator::VisitCall(op);
    return is_choice ? VisitPrimExpr(op->args[*holds != 0 ? 1 : 2]) : condition;
  }

  Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override {
    const std::optional<int64_t> holds = ChoiceOf(VisitPrimExpr(op->condition), op->condition);
    if (!holds) return VisitOpen(op);
    if (*holds != 0) return VisitStmt(op->then_case);
    return op->else_case.has_value() ? VisitStmt(op->else_case.value()) : NoOp(op->span);
  }

  Stmt VisitFor(const tir::ForNode* op) override {
    Stmt result = LinearMutator::VisitFor(op);
    const auto* loop = result.as<tir::ForNode>();
    if (loop == nullptr || !IsNoOp(loop->body) || loop->body.same_as(op->body)) return result;
    const bool has_effect = HasEffect(loop->min) || HasEffect(loop->extent) ||
                            (loop->step.has_value() && HasEffect(loop->step.value()));
    return has_effect ? result : NoOp(op->span);
  }

 private:
  /*! \brief The value of a condition that has become constant. */
  static std::optional<int64_t> ChoiceOf(const PrimExpr& condition, const PrimExpr& before) {
    return condition.same_as(before) ? std::nullopt : tir::IntConstOf(condition);
  }

  Stmt VisitOpen(const tir::IfThenElseNode* op) {
    Stmt result = LinearMutator::VisitIfThenElse(op);
    const auto* choice = result.as<tir::IfThenElseNode>();
    if (choice == nullptr || result.same_as(ffi::GetRef<Stmt>(op))) return result;
    const bool is_empty = IsNoOp(choice->then_case) &&
                          (!choice->else_case.has_value() || IsNoOp(choice->else_case.value()));
    return is_empty && !HasEffect(choice->condition) ? NoOp(op->span) : result;
  }

  const ConditionValues& values_;
};

}  // namespace

Stmt SettleConditions(Stmt stmt, const ConditionValues& values) {
  return values.empty() ? stmt : ConditionSettler(values).VisitStmt(std::move(stmt));
}

}  // namespace uir::transform
