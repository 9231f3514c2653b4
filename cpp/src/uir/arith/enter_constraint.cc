// The facts about variables and sums that conditions and ranges imply.
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "./analyzer_state.h"
#include "./intrinsic.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief The comparison that holds where another one does not. */
Case NegatedComparison(Case op) {
  switch (op) {
    case Case::kEQ:
      return Case::kNE;
    case Case::kNE:
      return Case::kEQ;
    case Case::kLT:
      return Case::kGE;
    case Case::kLE:
      return Case::kGT;
    case Case::kGT:
      return Case::kLE;
    default:
      return Case::kLT;
  }
}

/*! \brief The quotient rounded up, of a positive divisor. */
int64_t CeilDiv(int64_t a, int64_t b) { return -FloorDiv(-a, b); }

/*! \brief The values of `term` for which `scale * term + rest >= 0`. */
Interval SolveNonNegative(int64_t scale, int64_t rest) {
  if (rest == Interval::kPosInf || rest == Interval::kNegInf) return {};
  if (scale > 0) return {CeilDiv(-rest, scale), Interval::kPosInf};
  return {Interval::kNegInf, FloorDiv(rest, -scale)};
}

/*! \brief Move the ends of an interval to members of a congruence class; none may be left. */
Interval Tighten(Interval bound, Congruence values) {
  if (values.coeff <= 1) return bound;
  int64_t low = bound.min;
  int64_t high = bound.max;
  if (low != Interval::kNegInf) {
    __builtin_sub_overflow(values.base, low, &low);
    if (__builtin_add_overflow(bound.min, FloorMod(low, values.coeff), &low)) return bound;
  }
  if (high != Interval::kPosInf) {
    __builtin_sub_overflow(high, values.base, &high);
    if (__builtin_sub_overflow(bound.max, FloorMod(high, values.coeff), &high)) return bound;
  }
  return {low, high};
}

/*! \brief The parts `x < y` and `x < z` of `x < min(y, z)`; none for other comparisons. */
std::vector<PrimExpr> PartsOf(Case op, const PrimExpr& a, const PrimExpr& b) {
  if (op == Case::kGT) return PartsOf(Case::kLT, b, a);
  if (op == Case::kGE) return PartsOf(Case::kLE, b, a);
  if (op != Case::kLT && op != Case::kLE) return {};
  if (CaseOf(b) == Case::kMin && ir::IsInteger(b->dtype)) {
    const Operands operands = OperandsOf(b.get(), Case::kMin);
    return {MakeBinary(op, a, *operands.a, std::nullopt),
            MakeBinary(op, a, *operands.b, std::nullopt)};
  }
  if (CaseOf(a) == Case::kMax && ir::IsInteger(a->dtype)) {
    const Operands operands = OperandsOf(a.get(), Case::kMax);
    return {MakeBinary(op, *operands.a, b, std::nullopt),
            MakeBinary(op, *operands.b, b, std::nullopt)};
  }
  return {};
}

const tir::VarNode* AsVar(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  const bool is_var = op == Case::kVar || op == Case::kSizeVar;
  return is_var ? static_cast<const tir::VarNode*>(expr.get()) : nullptr;
}

}  // namespace

void State::Assume(const PrimExpr& condition, bool holds) {
  std::vector<std::pair<PrimExpr, bool>> rest = {{condition, holds}};
  // A condition of very many parts would make every question slow.
  constexpr int kMostParts = 64;
  for (int i = 0; i < kMostParts && !rest.empty(); ++i) {
    auto [part, part_holds] = std::move(rest.back());
    rest.pop_back();
    const Case op = CaseOf(part);
    if (op == (part_holds ? Case::kAnd : Case::kOr)) {
      const Operands operands = OperandsOf(part.get(), op);
      rest.emplace_back(*operands.b, part_holds);
      rest.emplace_back(*operands.a, part_holds);
      continue;
    }
    if (op == Case::kNot) {
      rest.emplace_back(static_cast<const tir::NotNode*>(part.get())->a, !part_holds);
      continue;
    }
    if (const auto* call = part.as<tir::CallNode>()) {
      if (IntrinsicOf(call) == Intrinsic::kLikely) rest.emplace_back(call->args[0], part_holds);
    }
    if (const tir::VarNode* var = AsVar(part)) {
      const VarFacts* known = constraints.Find(var);
      if (known != nullptr && known->condition.has_value()) {
        rest.emplace_back(known->condition.value(), part_holds);
      }
    }
    if (IsComparison(op)) {
      const Operands operands = OperandsOf(part.get(), op);
      const Case comparison = part_holds ? op : NegatedComparison(op);
      AssumeComparison(comparison, *operands.a, *operands.b);
      for (PrimExpr& each : PartsOf(comparison, *operands.a, *operands.b)) {
        rest.emplace_back(std::move(each), true);
      }
    }
    constraints.AddFact({std::move(part), part_holds});
  }
}

void State::EnterCase(const PrimExpr& condition, bool holds) {
  constraints.Enter();
  Assume(condition, holds);
  ClearMemos();
}

void State::LeaveCase() {
  const int64_t version = constraints.version();
  constraints.Leave();
  if (constraints.version() != version) ClearMemos();
}

void State::ClearMemos() {
  is_data_.ClearMemo();
  bounds_.ClearMemo();
  congruences_.ClearMemo();
  sums_.ClearMemo();
  rewriter.ClearMemo();
}

bool State::ProveByCases(const PrimExpr& condition) {
  constexpr size_t kMostTried = 8;
  const std::vector<Fact>& facts = constraints.facts();
  const auto is_disjunction = [](const Fact& fact) {
    return CaseOf(fact.condition) == (fact.holds ? Case::kOr : Case::kAnd);
  };
  const auto end = facts.rbegin() + static_cast<int>(std::min(facts.size(), kMostTried));
  const auto found = std::find_if(facts.rbegin(), end, is_disjunction);
  if (found == end) return false;
  const Fact fact = *found;
  const Operands operands = OperandsOf(fact.condition.get(), CaseOf(fact.condition));
  const auto holds_if = [&](const PrimExpr& part) {
    EnterCase(part, fact.holds);
    const bool holds = IsTrue(rewriter.Simplify(condition, Means::kAll));
    LeaveCase();
    return holds;
  };
  return holds_if(*operands.a) && holds_if(*operands.b);
}

void State::AssumeComparison(Case op, const PrimExpr& a, const PrimExpr& b) {
  if (op == Case::kGT) return AssumeComparison(Case::kLT, b, a);
  if (op == Case::kGE) return AssumeComparison(Case::kLE, b, a);
  if (!IsIndex(a->dtype)) return AssumeConstBound(op, a, b);
  std::optional<LinearForm> difference = Difference(b, a);
  if (!difference || difference->IsConstant()) return;
  if (op == Case::kNE) return AssumeNonZero(*std::move(difference));
  if (op == Case::kLT && __builtin_sub_overflow(difference->base, 1, &difference->base)) return;
  AssumeNonNegative(*difference);
  if (op != Case::kEQ) return;
  AssumeRemainder(*difference);
  if (difference->Scale(-1)) AssumeNonNegative(std::move(*difference));
}

/*! \brief Bound a variable, also of a type that wraps around, by a comparison with a constant. */
void State::AssumeConstBound(Case op, const PrimExpr& a, const PrimExpr& b) {
  if (op == Case::kNE || !ir::IsInteger(a->dtype)) return;
  const bool is_upper = AsVar(a) != nullptr;
  const tir::VarNode* var = is_upper ? AsVar(a) : AsVar(b);
  const std::optional<int64_t> end = IntConstOf(is_upper ? b : a);
  if (var == nullptr || !end) return;
  if (op == Case::kEQ) return Restrict(ffi::GetRef<tir::Var>(var), Interval::Point(*end), {});
  const int64_t strict = op == Case::kLT ? 1 : 0;
  // A strict comparison with the least or the greatest constant gives no bound.
  int64_t last = 0;
  const bool overflows = is_upper ? __builtin_sub_overflow(*end, strict, &last)
                                  : __builtin_add_overflow(*end, strict, &last);
  if (overflows) return;
  Interval bound;
  (is_upper ? bound.max : bound.min) = last;
  Restrict(ffi::GetRef<tir::Var>(var), bound, {});
}

/*! \brief Take that a sum is not 0; a variable that is not an end of its range is above or below.
 */
void State::AssumeNonZero(LinearForm form) {
  const LinearTerm& term = form.terms[0];
  const tir::VarNode* var = AsVar(term.atom);
  const bool is_var = form.terms.size() == 1 && var != nullptr && term.IsPlain() &&
                      (term.scale == 1 || term.scale == -1);
  if (is_var) {
    const int64_t value = -form.base * term.scale;
    const Interval known = BoundOf(term.atom);
    Interval bound;
    if (known.min == value) bound.min = value + 1;
    if (known.max == value) bound.max = value - 1;
    if (bound.min <= bound.max) Restrict(ffi::GetRef<tir::Var>(var), bound, {});
  }
  constraints.AddNonZero(std::move(form));
}

void State::AssumeNonNegative(LinearForm form) {
  const Interval whole = BoundOf(form);
  for (const LinearTerm& term : form.terms) {
    const tir::VarNode* var = term.IsPlain() ? AsVar(term.atom) : nullptr;
    if (var == nullptr && form.terms.size() > 1) continue;
    // The others at their largest leave the most room.
    LinearForm others = form;
    others.terms.clear();
    for (const LinearTerm& other : form.terms) {
      if (&other != &term) others.terms.push_back(other);
    }
    const Interval bound = SolveNonNegative(term.scale, BoundOf(others).max);
    if (var != nullptr) {
      Restrict(ffi::GetRef<tir::Var>(var), bound, {});
    } else {
      RestrictDividend(term, bound);
      std::optional<PrimExpr> digits = ToExpr(LinearForm::Of(term), term.atom->dtype, std::nullopt);
      if (digits) constraints.AddBound(*std::move(digits), bound);
    }
  }
  if (form.terms.size() > 1 && whole.min < 0) constraints.AddNonNegative(std::move(form));
}

/*! \brief Of `x // 8` from 2 to 3 take that `x` is from 16 to 31. */
void State::RestrictDividend(const LinearTerm& term, Interval quotient) {
  const tir::VarNode* var = AsVar(term.atom);
  if (var == nullptr || term.upper != 0 || term.lower == 1 || term.is_trunc) return;
  Interval bound = Mul(quotient, Interval::Point(term.lower));
  bound.max = Add(bound, Interval::Point(term.lower - 1)).max;
  Restrict(ffi::GetRef<tir::Var>(var), bound, {});
}

/*! \brief Of `x % 4 - 1 == 0` take what `x` is modulo 4, whichever way the remainder is rounded. */
void State::AssumeRemainder(const LinearForm& form) {
  if (form.terms.size() != 1) return;
  const LinearTerm& term = form.terms[0];
  const tir::VarNode* var = AsVar(term.atom);
  const bool is_remainder =
      var != nullptr && term.lower == 1 && term.upper != 0 && (term.scale == 1 || term.scale == -1);
  if (!is_remainder) return;
  const int64_t remainder = term.scale == 1 ? -form.base : form.base;
  const int64_t least = term.is_trunc ? -term.upper + 1 : 0;
  if (remainder < least || remainder >= term.upper) return;
  Restrict(ffi::GetRef<tir::Var>(var), {}, MakeCongruence(term.upper, remainder));
}

void State::Restrict(const tir::Var& var, Interval bound, Congruence congruence) {
  const VarFacts* known = constraints.Find(var.get());
  VarFacts facts = known == nullptr ? VarFacts{var, {}, {}, std::nullopt} : *known;
  const Interval both = Intersect(facts.bound, bound);
  // Do not store an empty interval: arithmetic on it is undefined.
  if (!Intersect(both, IntervalOf(var->dtype)).IsEmpty()) facts.bound = both;
  facts.congruence = Intersect(facts.congruence, congruence);
  const Interval tight = Tighten(facts.bound, facts.congruence);
  if (!Intersect(tight, IntervalOf(var->dtype)).IsEmpty()) facts.bound = tight;
  SamplePoints::MoveIntoRange(&facts);
  constraints.SetVar(std::move(facts));
}

void State::BindValue(const tir::Var& var, const PrimExpr& value) {
  constraints.SetVar({var, {}, {}, value, IsData(value)});
}

void State::BindDefinition(const tir::Var& var, const PrimExpr& value) {
  if (ir::IsBool(value->dtype) && ir::IsScalar(value->dtype) && !IsData(value)) {
    VarFacts facts{var};
    facts.condition = value;
    return constraints.SetVar(std::move(facts));
  }
  if (!ir::IsInteger(value->dtype)) return;
  Restrict(var, BoundOf(value), CongruenceOf(value));
  const bool is_exact = !IsRing(CaseOf(value)) || FitsType(ExactBoundOf(value), value->dtype);
  if (is_exact && !IsData(value)) return;
  VarFacts facts = *constraints.Find(var.get());
  facts.is_data = true;
  constraints.SetVar(std::move(facts));
}

void State::BindRange(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent) {
  if (IntConstOf(extent) == 1) return BindValue(var, min);
  const Interval extent_bound = BoundOf(extent);
  const Interval last = Add(BoundOf(min), Sub(extent_bound, Interval::Point(1)));
  constraints.SetVar({var, {}, {}, std::nullopt});
  Restrict(var, {BoundOf(min).min, last.max}, {});
  if (BoundOf(min).IsPoint() && extent_bound.IsPoint()) return;
  if (!IsIndex(var->dtype)) return;
  AssumeComparison(Case::kLE, min, var);
  const PrimExpr end = rewriter.Simplify(tir::Add(min, extent), Means::kAll);
  AssumeComparison(Case::kLT, var, end);
  VarFacts facts = *constraints.Find(var.get());
  samples_.MoveToEnds(&facts, min, end);
  constraints.SetVar(std::move(facts));
}

}  // namespace uir::arith
