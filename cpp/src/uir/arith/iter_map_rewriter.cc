// Reads index expressions as sums of digits of iterators.
#include "./iter_map_rewriter.h"

#include <uir/tir/arith.h>
#include <uir/tir/expr.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "./analyzer_state.h"
#include "./sub_expressions.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

std::vector<tir::Var> VarsOfRanges(const Ranges& ranges) {
  std::vector<tir::Var> vars;
  for (const auto& [var, range] : ranges) vars.push_back(var);
  return vars;
}

/*! \brief The greatest number that divides all scales; 0 if one is an expression. */
int64_t CommonScale(const IterSum& sum) {
  int64_t common = 0;
  for (const IterSplitExpr& term : sum.args) {
    const std::optional<int64_t> scale = IntConstOf(term->scale);
    if (!scale) return 0;
    common = Gcd(common, *scale);
  }
  return common;
}

/*! \brief The number of nodes of both sides, a shared one counted once. */
size_t NumNodes(const Comparison& comparison) {
  std::unordered_set<const ir::PrimExprNode*> seen;
  std::vector<PrimExpr> rest = {comparison.a, comparison.b};
  while (!rest.empty()) {
    const PrimExpr next = rest.back();
    rest.pop_back();
    if (!seen.insert(next.get()).second) continue;
    for (const PrimExpr& part : SubExpressionsOf(next)) rest.push_back(part);
  }
  return seen.size();
}

}  // namespace

IterMapRewriter::IterMapRewriter(const Analyzer& analyzer, const Ranges& ranges, Trivial trivial)
    : analyzer_(analyzer), fusion_(analyzer), depends_(VarsOfRanges(ranges)) {
  for (const auto& [var, range] : ranges) {
    const DLDataType dtype = var->dtype;
    // A variable is not an iterator if its range depends on another input variable.
    if (depends_(range->min) || depends_(range->extent)) continue;
    const PrimExpr min = analyzer->Simplify(range->min);
    const PrimExpr extent = analyzer->Simplify(range->extent);
    const bool is_trivial = IntConstOf(extent) == 1;
    // For an empty range any result is right.
    if (!IntConstOf(extent)) {
      analyzer->Assume(MakeBinary(Case::kLE, MakeInt(dtype, 1), extent, std::nullopt));
    }
    if (is_trivial && trivial == Trivial::kAsValue) {
      vars_.emplace(var.get(), IterSum{{}, min});
      continue;
    }
    const bool begins_at_zero = IntConstOf(min) == 0;
    const PrimExpr source =
        begins_at_zero ? PrimExpr(var) : MakeBinary(Case::kSub, var, min, std::nullopt);
    const IterMark mark(source, extent);
    vars_.emplace(var.get(), IterSum{{IterFusion::Whole(mark, MakeInt(dtype, 1))}, min});
    if (!is_trivial) inputs_.push_back(mark);
  }
}

std::optional<IterSum> IterMapRewriter::VisitPrimExpr(const PrimExpr& expr) {
  if (!depends_(expr)) return IterSum{{}, expr};
  if (!IsIndex(expr->dtype)) return std::nullopt;
  if (const std::optional<IterSum>* known = memo_.Find(expr)) return *known;
  std::optional<IterSum> sum = PrimExprFunctor::VisitPrimExpr(expr);
  memo_.Add(expr, sum);
  return sum;
}

std::optional<IterSum> IterMapRewriter::VisitVar(const tir::VarNode* op) {
  const auto found = vars_.find(op);
  if (found == vars_.end()) return std::nullopt;
  return found->second;
}

std::optional<IterSum> IterMapRewriter::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (kind == Case::kFloorDiv || kind == Case::kFloorMod) return Divide(kind, op->a, op->b);
  const PrimExpr expr = ffi::GetRef<PrimExpr>(op);
  if (!IsExact(expr)) return std::nullopt;
  if (kind != Case::kMul) return Sum(expr);
  const std::optional<IterSum> a = VisitPrimExpr(op->a);
  const std::optional<IterSum> b = VisitPrimExpr(op->b);
  if (!a || !b) return std::nullopt;
  return Multiply(*a, *b);
}

bool IterMapRewriter::IsExact(const PrimExpr& expr) {
  return IsRing(CaseOf(expr)) && StateOf(analyzer_.get()).IsExact(expr);
}

std::vector<IterMapRewriter::Summand> IterMapRewriter::SummandsOf(const PrimExpr& expr) {
  std::vector<Summand> summands;
  std::unordered_set<const ir::PrimExprNode*> seen;
  std::vector<Summand> rest = {{expr, 1}};
  while (!rest.empty()) {
    const Summand next = rest.back();
    rest.pop_back();
    const Case op = CaseOf(next.expr);
    // A sum with several uses is visited once, as a summand.
    const bool is_sum = (op == Case::kAdd || op == Case::kSub) && depends_(next.expr) &&
                        memo_.Find(next.expr) == nullptr && IsExact(next.expr);
    if (!is_sum || !seen.insert(next.expr.get()).second) {
      summands.push_back(next);
      continue;
    }
    const Operands operands = OperandsOf(next.expr.get(), op);
    rest.push_back({*operands.b, op == Case::kAdd ? next.sign : -next.sign});
    rest.push_back({*operands.a, next.sign});
  }
  return summands;
}

std::optional<IterSum> IterMapRewriter::Sum(const PrimExpr& expr) {
  IterSumBuilder builder(&fusion_, expr->dtype);
  for (const auto& [part, sign] : SummandsOf(expr)) {
    const std::optional<IterSum> sum = VisitPrimExpr(part);
    if (!sum) return std::nullopt;
    builder.Add(*sum, sign);
  }
  return builder.Build();
}

std::optional<IterSum> IterMapRewriter::Multiply(const IterSum& a, const IterSum& b) {
  if (!a.args.empty() && !b.args.empty()) return std::nullopt;
  const IterSum& sum = a.args.empty() ? b : a;
  const PrimExpr& factor = a.args.empty() ? a.base : b.base;
  IterSum result{{}, fusion_.Compute(Case::kMul, sum.base, factor)};
  for (const IterSplitExpr& term : sum.args) {
    const PrimExpr scale = fusion_.Compute(Case::kMul, term->scale, factor);
    if (IntConstOf(scale) == 0) continue;
    result.args.emplace_back(term->source, term->lower_factor, term->extent, scale);
  }
  return result;
}

std::optional<IterSum> IterMapRewriter::Divide(Case op, const PrimExpr& dividend,
                                               const PrimExpr& divisor) {
  const std::optional<IterSum> by = VisitPrimExpr(divisor);
  if (!by || !by->args.empty()) return std::nullopt;
  const PrimExpr number = analyzer_->Simplify(by->base);
  const bool is_positive = analyzer_->BoundOf(number).min >= 0 ||
                           analyzer_->CanProveLess(MakeInt(number->dtype, 0), number);
  if (!is_positive || IntConstOf(number) == 0) return std::nullopt;
  const std::optional<IterSum> sum = VisitPrimExpr(dividend);
  if (!sum) return std::nullopt;
  const std::optional<IterSum> fused = fusion_.Fuse(*sum);
  if (!fused) return std::nullopt;
  if (fused->args.empty()) return IterSum{{}, fusion_.Compute(op, fused->base, number)};
  return DivideTerm(op, *fused, number);
}

std::optional<IterSum> IterMapRewriter::DivideTerm(Case op, const IterSum& sum,
                                                   const PrimExpr& divisor) {
  const IterSplitExpr& term = sum.args[0];
  const bool is_quotient = op == Case::kFloorDiv;
  // Multiples of the divisor are all in the quotient.
  if (const std::optional<PrimExpr> scale = fusion_.ExactQuotient(term->scale, divisor)) {
    const PrimExpr base = fusion_.Compute(op, sum.base, divisor);
    if (!is_quotient) return IterSum{{}, base};
    return IterSum{{IterSplitExpr(term->source, term->lower_factor, term->extent, *scale)}, base};
  }
  const std::optional<PrimExpr> factor = fusion_.ExactQuotient(divisor, term->scale);
  if (!factor || !IntConstOf(term->scale) || *IntConstOf(term->scale) < 1) return std::nullopt;
  // (s * i + s * b + r) // (s * f) is (i + b) // f, for r from 0 to s - 1.
  const PrimExpr offset = fusion_.Compute(Case::kFloorDiv, sum.base, term->scale);
  const PrimExpr rest = fusion_.Compute(Case::kFloorMod, sum.base, term->scale);
  const std::optional<Shifted> shifted = Shift(op, term, offset, *factor);
  if (!shifted) return std::nullopt;
  const std::optional<IterSplitExpr> digits = Split(op, shifted->term, *factor);
  if (!digits) return std::nullopt;
  IterSum result{{}, is_quotient ? shifted->base : rest};
  const PrimExpr scale = is_quotient ? MakeInt(divisor->dtype, 1) : term->scale;
  if (IntConstOf((*digits)->extent) == 1 && IntConstOf(term->extent) != 1) return result;
  result.args.push_back(WithScale(*digits, scale));
  return result;
}

std::optional<IterMapRewriter::Shifted> IterMapRewriter::Shift(Case op, const IterSplitExpr& term,
                                                               const PrimExpr& base,
                                                               const PrimExpr& divisor) {
  if (const std::optional<PrimExpr> whole = fusion_.ExactQuotient(base, divisor)) {
    return Shifted{term, *whole};
  }
  const std::optional<int64_t> number = IntConstOf(divisor);
  const std::optional<int64_t> offset = IntConstOf(base);
  const std::optional<int64_t> extent = IntConstOf(term->extent);
  if (!number || !extent || fusion_.FirstOf(term->source) != 0) return std::nullopt;
  if (!offset) return ShiftBySymbol(op, term, base, divisor);
  const int64_t whole = *offset < 0 ? FloorDiv(*offset, *number) : 0;
  const int64_t rest = *offset - whole * *number;
  const DLDataType dtype = base->dtype;
  return Shifted{fusion_.Shifted(term, MakeInt(dtype, rest), rest), MakeInt(dtype, whole)};
}

std::optional<IterMapRewriter::Shifted> IterMapRewriter::ShiftBySymbol(Case op,
                                                                       const IterSplitExpr& term,
                                                                       const PrimExpr& base,
                                                                       const PrimExpr& divisor) {
  const int64_t number = *IntConstOf(divisor);
  const int64_t extent = *IntConstOf(term->extent);
  const PrimExpr rest = fusion_.Compute(Case::kFloorMod, base, divisor);
  const Interval offset = analyzer_->BoundOf(rest);
  if (offset.min < 0 || offset.max < 1 || offset.max >= number) return std::nullopt;
  if (!FitsType(Add(Interval::Point(extent), Interval::Point(offset.max)), divisor->dtype)) {
    return std::nullopt;
  }
  const auto last_quotient = [&](int64_t first) { return (extent - 1 + first) / number; };
  // The set of quotients, or of remainders, does not depend on the offset.
  const bool is_known =
      op == Case::kFloorMod
          ? extent >= number
          : last_quotient(offset.max) > 0 && last_quotient(offset.min) == last_quotient(offset.max);
  if (!is_known) return std::nullopt;
  return Shifted{fusion_.Shifted(term, rest, offset.max),
                 fusion_.Compute(Case::kFloorDiv, base, divisor)};
}

std::optional<IterSplitExpr> IterMapRewriter::Split(Case op, const IterSplitExpr& term,
                                                    const PrimExpr& divisor) {
  const DLDataType dtype = divisor->dtype;
  const PrimExpr one = MakeInt(dtype, 1);
  const bool is_quotient = op == Case::kFloorDiv;
  const IterSplitExpr none(term->source, term->lower_factor, one, one);
  if (analyzer_->CanProveLessEqual(term->extent, divisor)) {
    return is_quotient ? none : IterSplitExpr(term->source, term->lower_factor, term->extent, one);
  }
  std::optional<PrimExpr> upper = fusion_.ExactQuotient(term->extent, divisor);
  if (!upper) {
    // The highest digits may be fewer than the divisor has room for.
    const std::optional<int64_t> lower = IntConstOf(term->lower_factor);
    const std::optional<int64_t> extent = IntConstOf(term->extent);
    const std::optional<int64_t> all = IntConstOf(term->source->extent);
    const std::optional<int64_t> number = IntConstOf(divisor);
    if (!lower || !extent || !all || !number) return std::nullopt;
    if (*extent <= (*all - 1) / *lower) return std::nullopt;
    upper = MakeInt(dtype, (*extent - 1) / *number + 1);
  }
  if (!is_quotient) return IterSplitExpr(term->source, term->lower_factor, divisor, one);
  const PrimExpr lower = fusion_.Compute(Case::kMul, term->lower_factor, divisor);
  return IterSplitExpr(term->source, lower, *upper, one);
}

std::optional<IterSumExpr> IterMapRewriter::Index(const PrimExpr& expr) {
  const std::optional<IterSum> sum = VisitPrimExpr(expr);
  if (!sum) return std::nullopt;
  const std::optional<IterSum> fused = fusion_.FuseFromZero(*sum);
  if (!fused) return std::nullopt;
  return IterSumExpr({fused->args.begin(), fused->args.end()}, analyzer_->Simplify(fused->base));
}

IterSum IterMapRewriter::BestEffort(const PrimExpr& expr) {
  IterSumBuilder builder(&fusion_, expr->dtype);
  for (const auto& [part, sign] : SummandsOf(expr)) {
    if (const std::optional<IterSum> sum = VisitPrimExpr(part)) {
      builder.Add(*sum, sign);
    } else {
      builder.AddToBase(part, sign);
    }
  }
  IterSum result = builder.Build();
  fusion_.Join(&result.args);
  return result;
}

std::optional<IterMapRewriter::Limits> IterMapRewriter::LimitsOf(const Comparison& comparison) {
  const std::optional<IterSum> a = VisitPrimExpr(comparison.a);
  const std::optional<IterSum> b = VisitPrimExpr(comparison.b);
  if (!a || !b || comparison.op == Case::kEQ) return std::nullopt;
  IterSumBuilder builder(&fusion_, comparison.a->dtype);
  builder.Add(*a, 1);
  builder.Add(*b, -1);
  Limits limits{builder.Build(), std::nullopt, std::nullopt};
  IterSum& sum = limits.sum;
  if (sum.args.empty()) {
    // A condition that never holds leaves no values; one on other variables restricts no iterator.
    const int64_t difference = IntConstOf(sum.base).value_or(-1);
    const bool may_hold = difference < 0 || (difference == 0 && comparison.op == Case::kLE);
    return may_hold ? std::optional<Limits>(limits) : std::nullopt;
  }
  const int64_t common = CommonScale(sum);
  const std::optional<int64_t> first = IntConstOf(sum.args[0]->scale);
  const DLDataType dtype = sum.base->dtype;
  // sum + base + step <= 0, divided by the scale that all terms have.
  const PrimExpr step = MakeInt(dtype, comparison.op == Case::kLT ? 1 : 0);
  const PrimExpr base = fusion_.Compute(Case::kAdd, sum.base, step);
  const bool is_upper = !first || *first > 0;
  const PrimExpr divisor = MakeInt(dtype, std::max<int64_t>(common, 1));
  const PrimExpr opposite = fusion_.Compute(Case::kSub, MakeInt(dtype, 0), base);
  if (is_upper) {
    limits.high = fusion_.Compute(Case::kFloorDiv, opposite, divisor);
  } else {
    const PrimExpr most = fusion_.Compute(Case::kFloorDiv, opposite, divisor);
    limits.low = fusion_.Compute(Case::kSub, MakeInt(dtype, 0), most);
  }
  const PrimExpr scale = is_upper ? divisor : MakeInt(dtype, -std::max<int64_t>(common, 1));
  for (IterSplitExpr& term : sum.args) {
    term = IterSplitExpr(term->source, term->lower_factor, term->extent,
                         fusion_.Compute(Case::kFloorDiv, term->scale, scale));
  }
  sum.base = MakeInt(dtype, 0);
  return limits;
}

bool IterMapRewriter::Assume(const PrimExpr& predicate) {
  if (IsTrue(predicate)) return true;
  const std::optional<std::vector<Comparison>> comparisons = ComparisonsOf(predicate);
  if (!comparisons) return false;
  std::vector<std::pair<size_t, Comparison>> sorted;
  for (const Comparison& comparison : *comparisons) {
    if (!depends_(comparison.a) && !depends_(comparison.b)) continue;
    sorted.emplace_back(NumNodes(comparison), comparison);
  }
  // Shorter conditions come first: they may restrict parts of the sums of longer ones.
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [num_nodes, comparison] : sorted) {
    // Earlier results do not yet use the restricted iterators.
    memo_.Clear();
    const std::optional<Limits> limits = LimitsOf(comparison);
    if (!limits || !fusion_.Restrict(limits->sum, limits->low, limits->high)) return false;
  }
  memo_.Clear();
  return true;
}

}  // namespace uir::arith
