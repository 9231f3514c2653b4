// Bounds of integer expressions.
#include "./const_int_bound.h"

#include <tschema/stack_guard.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include <algorithm>

#include "./const_fold.h"
#include "./intrinsic.h"
#include "./queries.h"

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

/*! \brief Whether it is a sum of multiples of constants, which may leave few remainders. */
bool HasStride(const PrimExpr& expr, int depth) {
  constexpr int kMostTerms = 8;
  const Case op = CaseOf(expr);
  if (!IsRing(op) || depth == kMostTerms) return false;
  const Operands operands = OperandsOf(expr.get(), op);
  const auto is_constant = [](const PrimExpr& side) { return CaseOf(side) == Case::kIntImm; };
  if (op == Case::kMul) return is_constant(*operands.a) || is_constant(*operands.b);
  const auto has_stride = [depth](const PrimExpr& side) { return HasStride(side, depth + 1); };
  if (is_constant(*operands.a)) return has_stride(*operands.b);
  return has_stride(*operands.a) && (is_constant(*operands.b) || has_stride(*operands.b));
}

}  // namespace

Interval Apply(Case op, Interval a, Interval b) {
  switch (op) {
    case Case::kAdd:
      return Add(a, b);
    case Case::kSub:
      return Sub(a, b);
    case Case::kMul:
      return Mul(a, b);
    case Case::kDiv:
      return TruncDiv(a, b);
    case Case::kMod:
      return TruncMod(a, b);
    case Case::kFloorDiv:
      return FloorDiv(a, b);
    case Case::kFloorMod:
      return FloorMod(a, b);
    case Case::kMin:
      return Min(a, b);
    case Case::kMax:
      return Max(a, b);
    default:
      return {};
  }
}

Interval ConstIntBoundAnalyzer::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  if (op == Case::kVar) return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  if (!ir::IsInteger(expr->dtype)) return IntervalOf(expr->dtype);
  if (IsRing(op) && !known_->constraints.HasBounds()) return Fit(expr.get(), Exact(expr));
  // Results for sums are not memoized; those for their operands are.
  const bool is_cheap = IsRing(op) || IsCheap(expr, op);
  if (const Interval* known = is_cheap ? nullptr : memo_.Find(expr)) return *known;
  Interval bound = PrimExprFunctor::VisitPrimExpr(expr);
  if (known_->constraints.HasBounds()) {
    bound = Intersect(bound, known_->constraints.BoundOf(expr));
  }
  if (!is_cheap) memo_.Add(expr, bound);
  return bound;
}

Interval ConstIntBoundAnalyzer::Exact(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kRamp) return ExactOfRamp(static_cast<const tir::RampNode*>(expr.get()));
  if (op == Case::kBroadcast)
    return Exact(static_cast<const tir::BroadcastNode*>(expr.get())->value);
  if (!IsRing(op)) return VisitPrimExpr(expr);
  if (IsCheap(expr, op)) return ExactOfRing(expr, op);
  if (const Interval* known = exact_memo_.Find(expr)) return *known;
  const Interval exact = tschema::EnoughStack()
                             ? ExactOfRing(expr, op)
                             : tschema::RunOnNewStack([&] { return ExactOfRing(expr, op); });
  exact_memo_.Add(expr, exact);
  return exact;
}

Interval ConstIntBoundAnalyzer::ExactOfRing(const PrimExpr& expr, Case op) {
  const Operands operands = OperandsOf(expr.get(), op);
  const Interval a = Exact(*operands.a);
  return Apply(op, a, Exact(*operands.b));
}

Interval ConstIntBoundAnalyzer::ExactOfRamp(const tir::RampNode* op) {
  if (op->lanes < 1) return IntervalOf(op->dtype);
  const Interval first = Exact(op->base);
  const Interval stride = Exact(op->stride);
  return Union(first, Add(first, Mul(stride, Interval::Point(op->lanes - 1))));
}

Interval ConstIntBoundAnalyzer::Fit(const ir::PrimExprNode* op, Interval exact) {
  if (FitsType(exact, op->dtype)) return exact;
  const Interval all = IntervalOf(op->dtype);
  // What wraps around may be anything; a sum of indices is taken to fit.
  const bool is_index =
      IsIndex(ir::ElementOf(op->dtype)) && !known_->IsData(ffi::GetRef<PrimExpr>(op));
  const Interval fitting = Intersect(exact, all);
  // Constants wrap around too.
  return is_index && !fitting.IsEmpty() ? fitting : all;
}

Interval ConstIntBoundAnalyzer::FitQuotient(const tir::BinaryOpNode* op, Interval a, Interval b,
                                            Interval quotient) {
  const Interval all = IntervalOf(op->dtype);
  // Only the least integer divided by -1 overflows.
  const bool may_wrap = op->dtype.code == kDLInt && a.min <= all.min && b.Contains(-1);
  return may_wrap ? Fit(op, quotient) : Intersect(quotient, all);
}

Interval ConstIntBoundAnalyzer::VisitDefault(const ir::PrimExprNode* op) {
  return IntervalOf(op->dtype);
}

Interval ConstIntBoundAnalyzer::VisitIntImm(const ir::IntImmNode* op) {
  return Interval::Point(op->value);
}

Interval ConstIntBoundAnalyzer::VisitVar(const tir::VarNode* op) {
  const VarFacts* facts = known_->constraints.Find(op);
  const Interval all = IntervalOf(op->dtype);
  if (facts == nullptr) return all;
  if (facts->value.has_value()) return VisitPrimExpr(facts->value.value());
  return Intersect(all, facts->bound);
}

Interval ConstIntBoundAnalyzer::VisitSizeVar(const tir::SizeVarNode* op) {
  return Intersect(VisitVar(op), {0, Interval::kPosInf});
}

Interval ConstIntBoundAnalyzer::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (IsRing(kind)) return Fit(op, Exact(ffi::GetRef<PrimExpr>(op)));
  if (!IsArithmetic(kind)) return VisitDefault(op);
  const Interval a = VisitPrimExpr(op->a);
  const Interval b = VisitPrimExpr(op->b);
  const Interval result = Apply(kind, a, b);
  if (kind == Case::kFloorMod && b.IsPoint() && b.min > 0 && HasStride(op->a, 0)) {
    return Intersect(result, RemainderOf(known_->CongruenceOf(op->a), b.min));
  }
  const bool is_quotient = kind == Case::kDiv || kind == Case::kFloorDiv;
  return is_quotient ? FitQuotient(op, a, b, result) : result;
}

Interval FactBoundAnalyzer::VisitPrimExpr(const PrimExpr& expr) {
  const Interval bound = ConstIntBoundAnalyzer::VisitPrimExpr(expr);
  const bool is_sum = IsRing(CaseOf(expr)) && IsIndex(expr->dtype);
  if (!is_sum) return bound;
  const Interval both = Intersect(bound, known_->BoundByFactsOf(expr));
  return both.IsEmpty() ? bound : both;
}

Interval ConstIntBoundAnalyzer::VisitSelect(const tir::SelectNode* op) {
  return Union(VisitPrimExpr(op->true_value), VisitPrimExpr(op->false_value));
}

Interval ConstIntBoundAnalyzer::VisitCast(const tir::CastNode* op) {
  const Interval all = IntervalOf(op->dtype);
  const DLDataType from = op->value->dtype;
  if (ir::IsFloat(from)) return ThroughFloat(op);
  if (!ir::IsInteger(from) && !ir::IsBool(from)) return all;
  const Interval value = VisitPrimExpr(op->value);
  // Of `uint64` the upper half is not bounded, and becomes negative.
  const bool is_whole = from.code != kDLUInt || value.max != Interval::kPosInf;
  return is_whole && all.Contains(value) ? value : all;
}

/*! \brief Bounds of an integer that is converted to a floating-point number and back. */
Interval ConstIntBoundAnalyzer::ThroughFloat(const tir::CastNode* op) {
  const Interval all = IntervalOf(op->dtype);
  const auto* inner = op->value.as<tir::CastNode>();
  if (inner == nullptr || !ir::IsInteger(inner->value->dtype)) return all;
  // Smaller integers are exact in every type of as many bits.
  const int bits = inner->dtype.bits;
  const int64_t largest = bits >= 64 ? int64_t{1} << 53 : bits == 32 ? int64_t{1} << 24 : 256;
  const Interval value = VisitPrimExpr(inner->value);
  const bool is_exact = bits >= 16 && Interval{-largest, largest}.Contains(value);
  return is_exact && all.Contains(value) ? value : all;
}

Interval ConstIntBoundAnalyzer::VisitLet(const tir::LetNode* op) {
  known_->BindDefinition(op->var, op->value);
  return VisitPrimExpr(op->body);
}

Interval ConstIntBoundAnalyzer::VisitRamp(const tir::RampNode* op) {
  return Fit(op, ExactOfRamp(op));
}

Interval ConstIntBoundAnalyzer::VisitBroadcast(const tir::BroadcastNode* op) {
  return VisitPrimExpr(op->value);
}

Interval ConstIntBoundAnalyzer::VisitCall(const tir::CallNode* op) {
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
    case Intrinsic::kBitwiseOr:
    case Intrinsic::kBitwiseXor: {
      const Interval either = Union(VisitPrimExpr(op->args[0]), VisitPrimExpr(op->args[1]));
      if (either.min < 0 || either.max == Interval::kPosInf) return all;
      // No bit is above the highest one of either.
      int64_t ones = 1;
      while (ones < either.max) ones = 2 * ones + 1;
      return {0, ones};
    }
    case Intrinsic::kAbs: {
      const Interval value = VisitPrimExpr(op->args[0]);
      if (!ir::IsInteger(op->dtype) || value.min <= all.min) return all;
      const int64_t largest = std::max(value.max, -value.min);
      return {std::max({int64_t{0}, value.min, -value.max}), largest};
    }
    case Intrinsic::kLeadingZeros:
    case Intrinsic::kPopcount:
      return {0, op->args[0]->dtype.bits};
    case Intrinsic::kShiftLeft: {
      const Interval bits = VisitPrimExpr(op->args[1]);
      if (bits.min < 0 || bits.max >= 63 || op->args[0]->dtype != op->dtype) return all;
      const Interval factor = {int64_t{1} << bits.min, int64_t{1} << bits.max};
      const Interval exact = Mul(VisitPrimExpr(op->args[0]), factor);
      return FitsType(exact, op->dtype) ? exact : all;
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
