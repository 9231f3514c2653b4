// Simplification bottom-up: the order of the nodes, and the attempts at each node.
#include "./rewrite_simplify.h"

#include <tschema/map.h>
#include <tschema/stack_guard.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <utility>

#include "./intrinsic.h"
#include "./prefetch.h"
#include "./queries.h"
#include "./speculatable.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief Whether an operation is a sum, or a term that the sum around it reads. */
bool IsSum(Case op, DLDataType dtype) {
  return Case::kAdd <= op && op <= Case::kFloorMod && IsIndex(dtype);
}

/*! \brief Whether a sum reads the operands of its operation: of products and divisions, those by
 * constants. */
bool ReadsOperands(Case op, const Operands& operands) {
  if (op == Case::kAdd || op == Case::kSub || IntConstOf(*operands.b)) return true;
  return op == Case::kMul && IntConstOf(*operands.a);
}

/*! \brief Whether an expression has the terms of a sum one by one, in their order. */
bool IsWrittenAs(const LinearForm& form, const PrimExpr& expr) {
  const PrimExpr* rest = &expr;
  const auto is_sum = [&] { return CaseOf(*rest) == Case::kAdd || CaseOf(*rest) == Case::kSub; };
  const bool begins_with_base = !form.terms.empty() && form.terms[0].scale < 0;
  if (form.base != 0 && !begins_with_base && is_sum()) {
    const Operands operands = OperandsOf(rest->get(), CaseOf(*rest));
    if (!IntConstOf(*operands.b)) return false;
    rest = operands.a;
  }
  for (size_t i = form.terms.size(); i-- > 0;) {
    const bool is_first = i == 0 && !begins_with_base;
    if (!is_first && !is_sum()) return false;
    const Case op = CaseOf(*rest);
    const PrimExpr& term = is_first ? *rest : *OperandsOf(rest->get(), op).b;
    const bool is_alone = form.terms[i].IsPlain() && std::abs(form.terms[i].scale) == 1;
    if (is_alone ? !term.same_as(form.terms[i].atom) : !IsArithmetic(CaseOf(term))) return false;
    if (!is_first) rest = OperandsOf(rest->get(), op).a;
  }
  return true;
}

}  // namespace

/*! \brief Visits the children of a node that has no method of its own. */
class RewriteSimplifier::Children : public tir::PrimExprMutator {
 public:
  Children(RewriteSimplifier* rewriter, const ir::PrimExprNode* node)
      : rewriter_(rewriter), node_(node) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (expr.get() != node_) return rewriter_->VisitPrimExpr(expr);
    node_ = nullptr;
    return PrimExprMutator::VisitPrimExpr(std::move(expr));
  }

 private:
  RewriteSimplifier* rewriter_;
  const ir::PrimExprNode* node_;
};

void RewriteSimplifier::ClearMemo() {
  memo_.Clear();
  memo_in_sum_.Clear();
}

PrimExpr RewriteSimplifier::Simplify(const PrimExpr& expr, Means means) {
  const bool is_in_sum = std::exchange(is_in_sum_, false);
  const Means outer = std::exchange(means_, means);
  if (outer != means) ClearMemo();
  is_root_ = true;
  PrimExpr result = VisitPrimExpr(expr);
  if (outer != means) ClearMemo();
  means_ = outer;
  is_in_sum_ = is_in_sum;
  return result;
}

PrimExpr RewriteSimplifier::VisitPrimExpr(const PrimExpr& expr) {
  const bool is_in_sum = std::exchange(is_in_sum_, false);
  const bool is_root = std::exchange(is_root_, false);
  const Case op = CaseOf(expr);
  if (IsLeaf(op)) return expr;
  if (op == Case::kVar) return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  MemoTable<PrimExpr>& memo = is_in_sum ? memo_in_sum_ : memo_;
  const bool is_shared = !is_root && expr.use_count() > 1;
  if (is_shared) {
    if (const PrimExpr* known = memo.Find(expr)) return *known;
  }
  PrimExpr result = VisitNode(expr, op);
  if (!is_in_sum) result = AsSumIfOne(std::move(result));
  if (is_shared) memo.Add(expr, result);
  return result;
}

PrimExpr RewriteSimplifier::VisitNode(const PrimExpr& expr, Case op) {
  if (!IsBinary(op)) return PrimExprFunctor::VisitPrimExpr(expr);
  if (tschema::EnoughStack()) return VisitBinary(expr.get(), op);
  return tschema::RunOnNewStack([&] { return VisitBinary(expr.get(), op); });
}

PrimExpr RewriteSimplifier::VisitBinary(const ir::PrimExprNode* op, Case kind) {
  const Operands operands = OperandsOf(op, kind);
  Prefetch(operands.a->get(), sizeof(tir::BinaryOpNode));
  Prefetch(operands.b->get(), sizeof(tir::BinaryOpNode));
  const bool is_sum = IsSum(kind, op->dtype) && ReadsOperands(kind, operands);
  is_in_sum_ = is_sum;
  PrimExpr a = VisitPrimExpr(*operands.a);
  // The right operand is simplified next, and would meet its variables first.
  if ((is_sum || IsOrdered(kind, a->dtype)) && IsBinary(CaseOf(*operands.b))) order_.Meet(a);
  is_in_sum_ = is_sum;
  PrimExpr b = VisitPrimExpr(*operands.b);
  return MakeOp(kind, std::move(a), std::move(b), {op, op->span, op->dtype});
}

PrimExpr RewriteSimplifier::AsSumIfOne(PrimExpr expr) {
  if (means_ == Means::kRules || !IsSum(CaseOf(expr), expr->dtype)) return expr;
  return AsSum(std::move(expr));
}

PrimExpr RewriteSimplifier::AsSum(PrimExpr expr) {
  bool is_split = false;
  LinearForm form = known_->ShortSumOf(expr, &is_split);
  const int64_t gain = form.num_read - form.Cost();
  const bool is_kept = means_ == Means::kAll && gain <= 0 && !(is_split && gain == 0);
  // What would be longer as a sum, as (x + y) * 2, stays a product.
  if (is_kept && gain < 0) return expr;
  const bool is_ordered = OrderTerms(&form) && IsWrittenAs(form, expr);
  if (is_kept && is_ordered) return expr;
  std::optional<PrimExpr> sum = ToExpr(form, expr->dtype, expr->span);
  if (!sum || (is_ordered && IsSame(*sum, expr))) return expr;
  if (listener_ != nullptr) listener_->OnSum(*sum);
  // Terms that were apart may have a common factor, as x and y in x * 2 + y * 2.
  const Case op = CaseOf(*sum);
  return op == Case::kAdd || op == Case::kSub ? VisitNode(*sum, op) : *std::move(sum);
}

/*! \brief Sort the terms, positive ones first; return whether they were sorted already. */
bool RewriteSimplifier::OrderTerms(LinearForm* form) {
  const auto precedes = [this](const LinearTerm& a, const LinearTerm& b) {
    if ((a.scale < 0) != (b.scale < 0)) return b.scale < 0;
    const int order = order_.Compare(a.atom, b.atom);
    if (order != 0) return order < 0;
    return std::make_pair(a.lower, a.upper) < std::make_pair(b.lower, b.upper);
  };
  LinearTerms& terms = form->terms;
  if (terms.size() < 2) return true;
  for (const LinearTerm& term : terms) order_.Meet(term.atom);
  if (std::is_sorted(terms.begin(), terms.end(), precedes)) return true;
  std::stable_sort(terms.begin(), terms.end(), precedes);
  return false;
}

PrimExpr RewriteSimplifier::VisitDefault(const ir::PrimExprNode* op) {
  return Children(this, op).VisitPrimExpr(ffi::GetRef<PrimExpr>(op));
}

PrimExpr RewriteSimplifier::VisitVar(const tir::VarNode* op) {
  const VarFacts* facts = known_->constraints.Find(op);
  if (facts != nullptr) {
    if (facts->value.has_value()) return facts->value.value();
    if (facts->bound.IsPoint() && ir::IsInteger(op->dtype)) {
      return MakeInt(op->dtype, facts->bound.min);
    }
  }
  if (!ir::IsBool(op->dtype)) return ffi::GetRef<PrimExpr>(op);
  return Settle(ffi::GetRef<PrimExpr>(op));
}

PrimExpr RewriteSimplifier::VisitNot(const tir::NotNode* op) {
  return MakeNot(VisitPrimExpr(op->a), {op, op->span, op->dtype});
}

PrimExpr RewriteSimplifier::MakeNot(const PrimExpr& a, const Place& place) {
  if (const std::optional<int64_t> value = IntConstOf(a)) {
    return MakeBool(*value == 0, ir::LanesOf(a->dtype));
  }
  if (std::optional<PrimExpr> result = ApplyRules({Case::kNot, 1, {&a}, 0}, place)) {
    return result.value();
  }
  const auto* before = static_cast<const tir::NotNode*>(place.node);
  if (before != nullptr && a.same_as(before->a)) return ffi::GetRef<PrimExpr>(before);
  return tir::Not(a, place.span);
}

PrimExpr RewriteSimplifier::VisitSelect(const tir::SelectNode* op) {
  const PrimExpr condition = VisitPrimExpr(op->condition);
  if (IsTrue(condition)) return VisitPrimExpr(op->true_value);
  if (IsFalse(condition)) return VisitPrimExpr(op->false_value);
  const PrimExpr true_value = VisitArm(op->true_value, condition, true);
  const PrimExpr false_value = VisitArm(op->false_value, condition, false);
  return MakeSelect(condition, true_value, false_value, {op, op->span, op->dtype});
}

PrimExpr RewriteSimplifier::MakeSelect(const PrimExpr& condition, const PrimExpr& a,
                                       const PrimExpr& b, const Place& place) {
  if (std::optional<PrimExpr> result =
          ApplyRules({Case::kSelect, 3, {&condition, &a, &b}, 0}, place)) {
    return result.value();
  }
  const auto* before = static_cast<const tir::SelectNode*>(place.node);
  const bool is_same = before != nullptr && condition.same_as(before->condition) &&
                       a.same_as(before->true_value) && b.same_as(before->false_value);
  return is_same ? ffi::GetRef<PrimExpr>(before) : tir::Select(condition, a, b, place.span);
}

/*! \brief Visit a value that may be computed where its condition does not hold. */
PrimExpr RewriteSimplifier::VisitArm(const PrimExpr& expr, const PrimExpr& condition, bool holds) {
  // Under its condition `x // max(n, 1)` may become `x // n`, which cannot be computed elsewhere.
  return SpeculationCheck::IsTotal(expr) ? VisitUnder(expr, condition, holds) : VisitPrimExpr(expr);
}

/*! \brief Visit a value that counts only where a condition holds, or does not. */
PrimExpr RewriteSimplifier::VisitUnder(const PrimExpr& expr, const PrimExpr& condition,
                                       bool holds) {
  // Large values are visited once, without the condition, even if they have several uses.
  const bool is_worth_it = ir::IsScalar(condition->dtype) && !IsLeaf(CaseOf(expr)) &&
                           SpeculationCheck::IsSmall(condition) && SpeculationCheck::IsSmall(expr);
  if (!is_worth_it) return VisitPrimExpr(expr);
  MemoTable<PrimExpr> memo = std::move(memo_);
  MemoTable<PrimExpr> memo_in_sum = std::move(memo_in_sum_);
  memo_ = {};
  memo_in_sum_ = {};
  known_->EnterCase(condition, holds);
  PrimExpr result = VisitPrimExpr(expr);
  known_->LeaveCase();
  memo_ = std::move(memo);
  memo_in_sum_ = std::move(memo_in_sum);
  return result;
}

PrimExpr RewriteSimplifier::VisitRamp(const tir::RampNode* op) {
  const PrimExpr base = VisitPrimExpr(op->base);
  const PrimExpr stride = VisitPrimExpr(op->stride);
  const Shape shape{Case::kRamp, 2, {&base, &stride}, op->lanes};
  if (std::optional<PrimExpr> result = ApplyRules(shape, {op, op->span, op->dtype})) {
    return result.value();
  }
  if (base.same_as(op->base) && stride.same_as(op->stride)) return ffi::GetRef<PrimExpr>(op);
  return tir::Ramp(base, stride, op->lanes, op->span);
}

PrimExpr RewriteSimplifier::VisitBroadcast(const tir::BroadcastNode* op) {
  const PrimExpr value = VisitPrimExpr(op->value);
  if (value.same_as(op->value)) return ffi::GetRef<PrimExpr>(op);
  return tir::Broadcast(value, op->lanes, op->span);
}

PrimExpr RewriteSimplifier::VisitCast(const tir::CastNode* op) {
  const PrimExpr value = VisitPrimExpr(op->value);
  if (IsLeaf(CaseOf(value)) || value->dtype == op->dtype) return tir::cast(value, op->dtype);
  const bool is_index = IsIndex(op->dtype);
  if (const auto log = is_index ? CeilOfLog2(value) : std::nullopt) return MakeInt(op->dtype, *log);
  if (value.same_as(op->value)) return ffi::GetRef<PrimExpr>(op);
  return tir::Cast(op->dtype, value, op->span);
}

PrimExpr RewriteSimplifier::VisitLet(const tir::LetNode* op) {
  const PrimExpr value = VisitPrimExpr(op->value);
  const Case kind = CaseOf(value);
  if (IsLeaf(kind) || kind == Case::kVar || kind == Case::kSizeVar) {
    known_->BindValue(op->var, value);
    return VisitPrimExpr(op->body);
  }
  known_->BindDefinition(op->var, value);
  const PrimExpr body = VisitPrimExpr(op->body);
  if (value.same_as(op->value) && body.same_as(op->body)) {
    return SettleLet(ffi::GetRef<tir::Let>(op));
  }
  return SettleLet(tir::Let(op->var, value, body, op->span));
}

/*! \brief Keep each variable bound by one node: a shared node may have several results. */
PrimExpr RewriteSimplifier::SettleLet(const tir::Let& let) {
  const auto [first, is_new] = lets_.emplace(let->var.get(), let);
  if (is_new || IsSame(first->second, let)) return first->second;
  const tir::VarNode* var = let->var.get();
  const tir::Var fresh(var->name, var->dtype, var->type_annotation, var->span);
  const auto rename = [&](const tir::VarNode* node) {
    return node == var ? ffi::Optional<PrimExpr>(fresh) : std::nullopt;
  };
  return tir::Let(fresh, let->value, tschema::Map(let->body, rename), let->span);
}

ffi::Array<PrimExpr> RewriteSimplifier::VisitArray(const ffi::Array<PrimExpr>& exprs) {
  ffi::Array<PrimExpr> result = exprs;
  for (int64_t i = 0; i < static_cast<int64_t>(exprs.size()); ++i) {
    const PrimExpr& before = exprs[i];
    PrimExpr after = VisitPrimExpr(before);
    if (!after.same_as(before)) result.Set(i, std::move(after));
  }
  return result;
}

/*! \brief A load whose mask is left out if it holds for all lanes. */
static PrimExpr WithoutFullMask(PrimExpr expr) {
  const auto* load = expr.as<tir::BufferLoadNode>();
  const auto* mask = load->predicate.value().as<tir::BroadcastNode>();
  if (mask == nullptr || !IsTrue(mask->value)) return expr;
  return tir::BufferLoad(load->buffer, load->indices, std::nullopt, load->span);
}

PrimExpr RewriteSimplifier::VisitBufferLoad(const tir::BufferLoadNode* op) {
  if (op->predicate.has_value()) return WithoutFullMask(VisitDefault(op));
  const ffi::Array<PrimExpr> indices = VisitArray(op->indices);
  if (indices.same_as(op->indices)) return ffi::GetRef<PrimExpr>(op);
  return tir::BufferLoad(op->buffer, indices, std::nullopt, op->span);
}

PrimExpr RewriteSimplifier::VisitCall(const tir::CallNode* op) {
  const Intrinsic intrinsic = IntrinsicOf(op);
  if (intrinsic == Intrinsic::kIfThenElse) return VisitIfThenElse(op);
  const ffi::Array<PrimExpr> args = VisitArray(op->args);
  if (intrinsic == Intrinsic::kLikely && IsLeaf(CaseOf(args[0]))) return args[0];
  if (std::optional<PrimExpr> folded = FoldCall(intrinsic, op->dtype, args)) return folded.value();
  const bool is_abs = intrinsic == Intrinsic::kAbs && ir::IsInteger(op->dtype);
  if (is_abs && known_->BoundOf(args[0]).min >= 0) return args[0];
  const bool is_same = args.same_as(op->args);
  PrimExpr call = is_same ? PrimExpr(ffi::GetRef<tir::Call>(op))
                          : PrimExpr(tir::Call(op->dtype, op->op, args, op->span));
  if (const std::optional<int64_t> value = KnownBits(intrinsic, call)) {
    return MakeInt(op->dtype, *value);
  }
  return Settle(std::move(call));
}

/*! \brief The value of an operation on bits, if all values of its operands have the same. */
std::optional<int64_t> RewriteSimplifier::KnownBits(Intrinsic intrinsic, const PrimExpr& call) {
  if (intrinsic < Intrinsic::kBitwiseAnd || !IsIndex(call->dtype)) return std::nullopt;
  const Congruence known = known_->CongruenceOf(call);
  if (known.coeff == 0) return known.base;
  const Interval bound = known_->BoundOf(call);
  return bound.IsPoint() ? std::optional<int64_t>(bound.min) : std::nullopt;
}

PrimExpr RewriteSimplifier::VisitIfThenElse(const tir::CallNode* op) {
  const PrimExpr condition = VisitPrimExpr(op->args[0]);
  if (IsTrue(condition)) return VisitPrimExpr(op->args[1]);
  if (IsFalse(condition)) return VisitPrimExpr(op->args[2]);
  const PrimExpr true_value = VisitUnder(op->args[1], condition, true);
  const PrimExpr false_value = VisitUnder(op->args[2], condition, false);
  if (IsSame(true_value, false_value)) return true_value;
  const bool is_same = condition.same_as(op->args[0]) && true_value.same_as(op->args[1]) &&
                       false_value.same_as(op->args[2]);
  if (is_same) return ffi::GetRef<PrimExpr>(op);
  return tir::Call(op->dtype, op->op, {condition, true_value, false_value}, op->span);
}

}  // namespace uir::arith
