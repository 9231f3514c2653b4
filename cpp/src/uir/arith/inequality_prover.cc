// Proofs of inequalities between integers.
#include "./inequality_prover.h"

#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "./const_fold.h"
#include "./queries.h"
#include "./speculatable.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief How often a fact is to be taken off a form so that a term goes: the least and the most
 * for any one of its terms; 0 for never. */
std::array<int64_t, 2> TimesOfFact(const LinearForm& form, const LinearForm& fact) {
  int64_t least = 0;
  int64_t most = 0;
  for (const LinearTerm& term : form.terms) {
    for (const LinearTerm& known : fact.terms) {
      if (!IsAlike(term, known) || (term.scale < 0) != (known.scale < 0)) continue;
      const std::optional<int64_t> times = ExactQuotient(term.scale, known.scale);
      if (!times) continue;
      least = least == 0 ? *times : std::min(least, *times);
      most = std::max(most, *times);
    }
  }
  return {least, most == least ? 0 : most};
}

/*! \brief Checks that a sum consists of multiples of a few variables, each of which occurs once. */
class DistinctVars {
 public:
  bool Visit(const PrimExpr& expr) {
    const Case op = CaseOf(expr);
    if (op == Case::kIntImm) return true;
    if (--num_left_ < 0) return false;
    if (op == Case::kVar) return Add(expr.get());
    if (!IsRing(op)) return false;
    const Operands operands = OperandsOf(expr.get(), op);
    if (op == Case::kMul && CaseOf(*operands.b) != Case::kIntImm) return false;
    return Visit(*operands.a) && Visit(*operands.b);
  }

 private:
  bool Add(const ir::PrimExprNode* var) {
    if (size_ == kMostVars || std::find(vars_, vars_ + size_, var) != vars_ + size_) return false;
    vars_[size_++] = var;
    return true;
  }

  static constexpr int kMostVars = 4;

  const ir::PrimExprNode* vars_[kMostVars];
  int size_ = 0;
  /*! \brief How many more nodes are looked at: a sum may be deep. */
  int num_left_ = 16;
};

}  // namespace

bool InequalityProver::IsBelow(const PrimExpr& a, const PrimExpr& b, int64_t distance) {
  if (IsDistanceAtLeast(a, b, distance)) return true;
  if (!HasFacts() || !IsIndex(a->dtype)) return false;
  return AtLeastBeforeCast(a, b, distance) || IsQuotientBelow(a, b, distance);
}

/*! \brief Compare what both sides convert to a larger type. */
bool InequalityProver::AtLeastBeforeCast(const PrimExpr& a, const PrimExpr& b, int64_t distance) {
  if (CaseOf(a) != Case::kCast || CaseOf(b) != Case::kCast) return false;
  const PrimExpr& value = static_cast<const tir::CastNode*>(a.get())->value;
  const PrimExpr& other = static_cast<const tir::CastNode*>(b.get())->value;
  const bool is_widened = IsIndex(value->dtype) && value->dtype.bits <= a->dtype.bits;
  return is_widened && value->dtype == other->dtype && IsBelow(value, other, distance);
}

/*! \brief Of `x // y < z` compare `x < y * z`, where the divisor is known to be positive. */
bool InequalityProver::IsQuotientBelow(const PrimExpr& a, const PrimExpr& b, int64_t distance) {
  if (CaseOf(a) != Case::kFloorDiv) return false;
  const Operands operands = OperandsOf(a.get(), Case::kFloorDiv);
  const PrimExpr& divisor = *operands.b;
  if (IntConstOf(divisor) || !IsDistanceAtLeast(MakeInt(a->dtype, 0), divisor, 1)) return false;
  PrimExpr end = MakeBinary(Case::kMul, divisor, b, std::nullopt);
  if (distance == 0) end = MakeBinary(Case::kAdd, std::move(end), divisor, std::nullopt);
  return !known_->IsData(end) && IsDistanceAtLeast(*operands.a, end, 1);
}

bool InequalityProver::IsDistanceAtLeast(const PrimExpr& a, const PrimExpr& b, int64_t distance) {
  if (!ir::IsInteger(a->dtype)) return false;
  const Interval a_bound = known_->BoundOf(a);
  const Interval b_bound = known_->BoundOf(b);
  if (a_bound.max != Interval::kPosInf && b_bound.min != Interval::kNegInf &&
      a_bound.max <= b_bound.min - distance) {
    return true;
  }
  if (!IsIndex(a->dtype) || (!HasFacts() && HasExactBounds(a, b))) return false;
  if (known_->IsRefuted(a, b, distance)) return false;
  const std::optional<LinearForm> difference = known_->Difference(b, a);
  return difference && IsAtLeast(*difference, distance);
}

bool InequalityProver::HasFacts() const {
  const ConstraintSet& constraints = known_->constraints;
  return !constraints.non_negative().empty() || !constraints.non_zero().empty();
}

bool InequalityProver::HasExactBounds(const PrimExpr& a, const PrimExpr& b) {
  if (CaseOf(b) == Case::kIntImm) return DistinctVars().Visit(a);
  return CaseOf(a) == Case::kIntImm && DistinctVars().Visit(b);
}

bool InequalityProver::IsAtLeast(const LinearForm& form, int64_t least) {
  constexpr int kMostFacts = 3;
  num_steps_left_ = kMostSteps;
  if (IsAtLeast(form, least, kMostFacts)) return true;
  if (IsMultipleAtLeast(form, least, kMostFacts)) return true;
  if (IsProductAtLeast(form, least, kMostFacts)) return true;
  if (IsProductPairAtLeast(form, least, kMostFacts)) return true;
  if (IsRoundedAtLeast(form, least, kMostFacts)) return true;
  if (known_->constraints.non_zero().empty() || !IsNot(form, least - 1)) return false;
  num_steps_left_ = kMostSteps;
  return IsAtLeast(form, least - 1, kMostFacts);
}

bool InequalityProver::IsMultipleAtLeast(const LinearForm& form, int64_t least, int num_facts) {
  const auto is_quotient = [](const LinearTerm& term) {
    return term.lower != 1 && term.upper == 0 && term.scale % term.lower != 0;
  };
  const auto found = std::find_if(form.terms.begin(), form.terms.end(), is_quotient);
  if (found == form.terms.end()) return false;
  LinearForm multiple = form;
  LinearForm dividends;
  if (!multiple.Scale(found->lower) || !known_->SplitQuotients(multiple, &dividends)) {
    return false;
  }
  // `form > least - 1`, times the divisor.
  int64_t bound;
  if (__builtin_mul_overflow(least - 1, found->lower, &bound)) return false;
  num_steps_left_ = kMostSteps;
  return IsAtLeast(dividends, bound + 1, num_facts);
}

Interval InequalityProver::BoundOf(const PrimExpr& expr) {
  constexpr int kMostFacts = 2;
  LinearForm form = known_->ValueOf(expr);
  form.Join();
  num_steps_left_ = kMostSteps;
  const int64_t min = LeastOf(form, kMostFacts);
  if (!form.Scale(-1)) return {min, Interval::kPosInf};
  num_steps_left_ = kMostSteps;
  const int64_t opposite = LeastOf(form, kMostFacts);
  return {min, opposite == Interval::kNegInf ? Interval::kPosInf : -opposite};
}

int64_t InequalityProver::LeastOf(const LinearForm& form, int num_facts) {
  int64_t least = known_->BoundOf(form).min;
  if (num_facts == 0) return least;
  VisitRests(form, [&](const LinearForm& rest) {
    least = std::max(least, LeastOf(rest, num_facts - 1));
    return false;
  });
  return least;
}

bool InequalityProver::IsChoiceAtLeast(const LinearForm& form, int64_t least, int num_facts) {
  const auto is_choice = [](const LinearTerm& term) {
    const Case op = CaseOf(term.atom);
    const bool is_min_or_max = op == Case::kMin || op == Case::kMax;
    return is_min_or_max && term.IsPlain() && SpeculationCheck::IsSmall(term.atom);
  };
  const auto found = std::find_if(form.terms.begin(), form.terms.end(), is_choice);
  if (found == form.terms.end() || num_steps_left_-- <= 0) return false;
  const Case op = CaseOf(found->atom);
  const auto holds_of = [&](const PrimExpr& operand) {
    LinearForm chosen = form;
    chosen.terms.erase(chosen.terms.begin() + (found - form.terms.begin()));
    if (!chosen.AddScaled(known_->ValueOf(operand), found->scale)) return false;
    chosen.Join();
    return IsAtLeast(chosen, least, num_facts);
  };
  const Operands operands = OperandsOf(found->atom.get(), op);
  // For a subtracted minimum or an added maximum, a proof for one operand is enough.
  const bool is_one_enough = (op == Case::kMin) == (found->scale < 0);
  if (is_one_enough) return holds_of(*operands.a) || holds_of(*operands.b);
  return holds_of(*operands.a) && holds_of(*operands.b);
}

bool InequalityProver::IsNot(const LinearForm& form, int64_t value) {
  for (const LinearForm& fact : known_->constraints.non_zero()) {
    for (const int sign : {1, -1}) {
      LinearForm distance = form;
      if (__builtin_sub_overflow(distance.base, value, &distance.base)) continue;
      if (distance.AddScaled(fact, sign) && IsZero(distance)) return true;
    }
  }
  return false;
}

bool InequalityProver::IsZero(const LinearForm& form) {
  if (form.IsConstant()) return form.base == 0;
  // Bounds alone prove this only for a single value, so a stated inequality is needed.
  if (known_->constraints.non_negative().empty()) return false;
  LinearForm opposite = form;
  num_steps_left_ = kFewSteps;
  if (!opposite.Scale(-1) || !IsAtLeast(form, 0, 1)) return false;
  num_steps_left_ = kFewSteps;
  return IsAtLeast(opposite, 0, 1);
}

bool InequalityProver::IsAtLeast(const LinearForm& form, int64_t least, int num_facts) {
  const Interval bound = known_->BoundOf(form);
  if (bound.min != Interval::kNegInf && bound.min >= least) return true;
  if (LinearForm digits; known_->SplitQuotients(form, &digits)) {
    const Interval split = known_->BoundOf(digits);
    if (split.min != Interval::kNegInf && split.min >= least) return true;
  }
  if (IsChoiceAtLeast(form, least, num_facts)) return true;
  if (num_facts == 0) return false;
  return VisitRests(form,
                    [&](const LinearForm& rest) { return IsAtLeast(rest, least, num_facts - 1); });
}

/*! \brief Visit what stated inequalities leave of a form, each taken off it, until that is enough;
 * return whether it was. */
template <typename Visit>
bool InequalityProver::VisitRests(const LinearForm& form, const Visit& visit) {
  const std::vector<LinearForm>& facts = known_->constraints.non_negative();
  // The latest facts are those of the innermost scopes.
  constexpr size_t kMostTried = 16;
  const size_t num_tried = std::min(facts.size(), kMostTried);
  for (size_t i = 0; i < num_tried; ++i) {
    const LinearForm& fact = facts[facts.size() - 1 - i];
    for (const int64_t times : TimesOfFact(form, fact)) {
      if (times == 0 || num_steps_left_-- <= 0) continue;
      LinearForm rest = form;
      if (!rest.AddScaled(fact, -times)) continue;
      rest.Join();
      if (visit(rest)) return true;
    }
  }
  return false;
}

bool InequalityProver::IsEqual(const PrimExpr& a, const PrimExpr& b) {
  if (IsSame(a, b)) return true;
  if (!ir::IsInteger(a->dtype)) return false;
  const Interval bound = known_->BoundOf(a);
  if (bound.IsPoint() && bound == known_->BoundOf(b)) return true;
  if (!IsIndex(a->dtype)) return false;
  const std::optional<LinearForm> difference = known_->Difference(b, a);
  if (difference && difference->IsConstant()) return difference->base == 0;
  // What wraps around is equal if the sums are.
  LinearForm sum = known_->SumOf(a);
  const bool is_sum = sum.AddScaled(known_->SumOf(b), -1);
  if (is_sum && sum.IsConstant()) return FoldInt(Case::kAdd, a->dtype, sum.base, 0) == 0;
  return IsBelow(a, b, 0) && IsBelow(b, a, 0);
}

bool InequalityProver::IsNotEqual(const PrimExpr& a, const PrimExpr& b) {
  if (IsBelow(a, b, 1) || IsBelow(b, a, 1)) return true;
  if (!IsIndex(a->dtype)) return false;
  const Congruence difference = Sub(known_->CongruenceOf(a), known_->CongruenceOf(b));
  if (difference.base != 0) return true;
  if (known_->constraints.non_zero().empty()) return false;
  const std::optional<LinearForm> form = known_->Difference(b, a);
  return form && (IsNot(*form, 0) || IsNotForHighDigits(*form));
}

/*! \brief Whether a sum is not 0 since its terms of the largest place are not. */
bool InequalityProver::IsNotForHighDigits(const LinearForm& form) {
  int64_t place = 0;
  for (const LinearTerm& term : form.terms) {
    if (term.scale == INT64_MIN) return false;
    place = std::max(place, std::abs(term.scale));
  }
  if (place <= 1) return false;
  LinearForm high;
  LinearForm low;
  low.base = form.base;
  for (LinearTerm term : form.terms) {
    const bool is_high = term.scale % place == 0;
    if (is_high) term.scale /= place;
    (is_high ? high : low).terms.push_back(std::move(term));
  }
  const Interval rest = known_->BoundOf(low);
  return Interval{1 - place, place - 1}.Contains(rest) && IsNot(high, 0);
}

}  // namespace uir::arith
