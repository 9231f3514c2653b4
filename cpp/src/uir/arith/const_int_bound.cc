// Bounds of integer expressions.
#include "./const_int_bound.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include "./analyzer_state.h"
#include "./const_fold.h"
#include "./intrinsic.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

/*! \brief Whether an operation on variables and constants is found again as fast as a memo. */
bool IsCheap(const PrimExpr& expr, Case op) {
  if (op == Case::kSizeVar) return true;
  if (!IsArithmetic(op)) return false;
  const Operands operands = OperandsOf(expr.get(), op);
  const auto is_leaf = [](const PrimExpr& operand) {
    const Case kind = CaseOf(operand);
    return kind == Case::kVar || kind == Case::kIntImm;
  };
  return is_leaf(*operands.a) && is_leaf(*operands.b);
}

}  // namespace

Interval BoundFinder::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  if (op == Case::kVar) return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  if (!ir::IsInteger(expr->dtype)) return IntervalOf(expr->dtype);
  const bool is_cheap = IsCheap(expr, op);
  if (const Interval* known = is_cheap ? nullptr : memo_.Find(expr)) return *known;
  Interval bound = PrimExprFunctor::VisitPrimExpr(expr);
  if (state_->knowledge.HasBounds()) {
    bound = Intersect(bound, state_->knowledge.BoundOf(expr));
  }
  if (!is_cheap) memo_.Set(expr, bound);
  return bound;
}

/*! \brief What wraps around may be anything; index arithmetic does not overflow. */
Interval BoundFinder::Fit(const tir::BinaryOpNode* op, Interval result) const {
  const Interval all = IntervalOf(op->dtype);
  if (all.Contains(result)) return result;
  return IsIndex(ir::ElementOf(op->dtype)) ? Intersect(result, all) : all;
}

Interval BoundFinder::VisitDefault(const ir::PrimExprNode* op) { return IntervalOf(op->dtype); }

Interval BoundFinder::VisitIntImm(const ir::IntImmNode* op) { return Interval::Point(op->value); }

Interval BoundFinder::VisitVar(const tir::VarNode* op) {
  const VarFacts* facts = state_->knowledge.Find(op);
  const Interval all = IntervalOf(op->dtype);
  if (facts == nullptr) return all;
  if (facts->value.has_value()) return VisitPrimExpr(facts->value.value());
  return Intersect(all, facts->bound);
}

Interval BoundFinder::VisitSizeVar(const tir::SizeVarNode* op) {
  return Intersect(VisitVar(op), {0, Interval::kPosInf});
}

Interval BoundFinder::VisitAdd(const tir::AddNode* op) {
  return Fit(op, Add(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitSub(const tir::SubNode* op) {
  return Fit(op, Sub(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitMul(const tir::MulNode* op) {
  return Fit(op, Mul(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitDiv(const tir::DivNode* op) {
  return Fit(op, TruncDiv(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitMod(const tir::ModNode* op) {
  return Fit(op, TruncMod(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitFloorDiv(const tir::FloorDivNode* op) {
  return Fit(op, FloorDiv(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitFloorMod(const tir::FloorModNode* op) {
  return Fit(op, FloorMod(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Interval BoundFinder::VisitMin(const tir::MinNode* op) {
  return Min(VisitPrimExpr(op->a), VisitPrimExpr(op->b));
}

Interval BoundFinder::VisitMax(const tir::MaxNode* op) {
  return Max(VisitPrimExpr(op->a), VisitPrimExpr(op->b));
}

Interval BoundFinder::VisitSelect(const tir::SelectNode* op) {
  return Union(VisitPrimExpr(op->true_value), VisitPrimExpr(op->false_value));
}

Interval BoundFinder::VisitCast(const tir::CastNode* op) {
  const Interval all = IntervalOf(op->dtype);
  const DLDataType from = op->value->dtype;
  if (!ir::IsInteger(from) && !ir::IsBool(from)) return all;
  const Interval value = VisitPrimExpr(op->value);
  return all.Contains(value) ? value : all;
}

Interval BoundFinder::VisitLet(const tir::LetNode* op) { return VisitPrimExpr(op->body); }

Interval BoundFinder::VisitRamp(const tir::RampNode* op) {
  const Interval first = VisitPrimExpr(op->base);
  if (op->lanes < 1) return IntervalOf(op->dtype);
  const Interval stride = VisitPrimExpr(op->stride);
  const Interval last = Add(first, Mul(stride, Interval::Point(op->lanes - 1)));
  const Interval all = IntervalOf(op->dtype);
  const Interval bound = Union(first, last);
  if (all.Contains(bound)) return bound;
  return IsIndex(ir::ElementOf(op->dtype)) ? Intersect(bound, all) : all;
}

Interval BoundFinder::VisitBroadcast(const tir::BroadcastNode* op) {
  return VisitPrimExpr(op->value);
}

Interval BoundFinder::VisitCall(const tir::CallNode* op) {
  const Interval all = IntervalOf(op->dtype);
  switch (IntrinsicOf(op)) {
    case Intrinsic::kIfThenElse:
      return Union(VisitPrimExpr(op->args[1]), VisitPrimExpr(op->args[2]));
    case Intrinsic::kBitwiseAnd: {
      // A number without sign has no bits that the result has not.
      const Interval a = VisitPrimExpr(op->args[0]);
      const Interval b = VisitPrimExpr(op->args[1]);
      if (a.min >= 0 && b.min >= 0) return {0, std::min(a.max, b.max)};
      if (a.min >= 0) return {0, a.max};
      return b.min >= 0 ? Interval{0, b.max} : all;
    }
    case Intrinsic::kShiftRight: {
      const Interval bits = VisitPrimExpr(op->args[1]);
      const bool is_valid = 0 <= bits.min && bits.max < 63 && op->args[0]->dtype == op->dtype;
      if (!is_valid) return all;
      const Interval divisor = {int64_t{1} << bits.min, int64_t{1} << bits.max};
      return FloorDiv(VisitPrimExpr(op->args[0]), divisor);
    }
    default:
      return all;
  }
}

}  // namespace uir::arith
