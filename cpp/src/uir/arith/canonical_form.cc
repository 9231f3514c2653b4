// The canonical form of index expressions as linear combinations.
#include "./canonical_form.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>

#include <algorithm>
#include <utility>

#include "./analyzer_state.h"
#include "./const_fold.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

bool IsLinear(Case op) { return Case::kAdd <= op && op <= Case::kFloorMod; }

/*! \brief Take the multiples of a divisor out of a form; what is left has a base below it. */
LinearForm TakeMultiples(LinearForm* form, int64_t divisor) {
  LinearForm multiples;
  LinearForm rest;
  for (LinearTerm& term : form->terms) {
    LinearForm& to = term.scale % divisor == 0 ? multiples : rest;
    to.terms.push_back(std::move(term));
  }
  rest.base = FloorMod(form->base, divisor);
  multiples.base = form->base - rest.base;
  *form = std::move(rest);
  return multiples;
}

void DivideExactly(LinearForm* form, int64_t divisor) {
  for (LinearTerm& term : form->terms) term.scale /= divisor;
  form->base = FloorDiv(form->base, divisor);
}

/*! \brief Bounds of the digits of an atom that a term takes. */
Interval ApplyDigits(const LinearTerm& term, Interval atom) {
  const Interval upper = Interval::Point(term.upper);
  const Interval lower = Interval::Point(term.lower);
  if (term.upper != 0) atom = term.is_trunc ? TruncMod(atom, upper) : FloorMod(atom, upper);
  if (term.lower == 1) return atom;
  return term.is_trunc ? TruncDiv(atom, lower) : FloorDiv(atom, lower);
}

/*!
 * \brief Take the quotient or the remainder of digits by a positive number.
 * \return False if the result is not digits of the atom.
 */
bool TakeDigits(bool is_quotient, int64_t divisor, LinearTerm* digits) {
  int64_t place = 0;
  if (__builtin_mul_overflow(digits->lower, divisor, &place)) return false;
  if (place > ir::MaxValue(digits->atom->dtype)) return false;
  if (digits->upper != 0 && digits->upper % place != 0) return false;
  (is_quotient ? digits->lower : digits->upper) = place;
  return true;
}

}  // namespace

bool CanonicalFormAnalyzer::IsTruncDigits(LinearForm& form) {
  if (form.terms.size() != 1 || form.base != 0 || form.terms[0].scale != 1) return false;
  LinearTerm& term = form.terms[0];
  if (!term.IsPlain() && !term.is_trunc) return false;
  term.is_trunc = true;
  // It is the whole dividend, which fits.
  term.is_product = false;
  return true;
}

bool CanonicalFormAnalyzer::IsFloorDigits(const LinearForm& form) {
  if (form.terms.size() != 1 || form.base != 0 || form.terms[0].scale != 1) return false;
  const LinearTerm& term = form.terms[0];
  return term.IsPlain() || !term.is_trunc || BoundOf(form).min >= 0;
}

LinearForm CanonicalFormAnalyzer::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  if (!IsLinear(op) || !IsIndex(expr->dtype)) return Atom(expr.get());
  // A node with one reference is visited once in a traversal, so that caching it is useless.
  const bool is_shared = expr.use_count() > 1;
  if (is_shared) {
    if (const LinearForm* known = memo_.Find(expr)) return *known;
  }
  LinearForm form = PrimExprFunctor::VisitPrimExpr(expr);
  if (is_shared) memo_.Set(expr, form);
  return form;
}

LinearForm CanonicalFormAnalyzer::Atom(const ir::PrimExprNode* op) {
  LinearForm form;
  // Most sums have few terms, which then take one allocation.
  form.terms.reserve(3);
  LinearTerm term{ffi::GetRef<PrimExpr>(op)};
  term.is_product = IsRing(CaseOf(term.atom));
  form.terms.push_back(std::move(term));
  return form;
}

bool CanonicalFormAnalyzer::IsExact(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  const bool is_sum = IsRing(op) || op == Case::kRamp || op == Case::kBroadcast;
  return !is_sum || !state_->is_data(expr) || FitsType(state_->bounds.Exact(expr), expr->dtype);
}

LinearForm CanonicalFormAnalyzer::ValueOf(const PrimExpr& expr) {
  LinearForm form = VisitPrimExpr(expr);
  if (!IsRing(CaseOf(expr))) return form;
  const auto is_data = [this](const LinearTerm& term) {
    const bool is_var = CaseOf(term.atom) == Case::kVar || CaseOf(term.atom) == Case::kSizeVar;
    return !(is_var && !state_->constraints.HasData()) && state_->is_data(term.atom);
  };
  const bool may_wrap = std::any_of(form.terms.begin(), form.terms.end(), is_data) &&
                        !FitsType(state_->bounds.Exact(expr), expr->dtype);
  if (!may_wrap) return form;
  LinearForm atom;
  atom.terms.push_back({expr});
  return atom;
}

bool CanonicalFormAnalyzer::Fits(const LinearForm& form, DLDataType dtype,
                                 const std::vector<LinearForm>& known) {
  const Interval bound = BoundOf(form);
  if (FitsType(bound, dtype)) return true;
  const Interval all = IntervalOf(dtype);
  bool is_low = bound.min != Interval::kNegInf && bound.min >= all.min;
  bool is_high = bound.max != Interval::kPosInf && bound.max <= all.max;
  const auto compare = [&](const LinearForm& other) {
    LinearForm distance = other;
    if (!distance.AddScaled(form, -1)) return;
    distance.Join();
    const Interval by = BoundOf(distance);
    is_high = is_high || by.min >= 0;
    is_low = is_low || by.max <= 0;
  };
  for (const LinearForm& other : known) compare(other);
  for (const LinearTerm& term : form.terms) {
    if (is_low && is_high) return true;
    if (term.is_product) continue;
    // What has a value fits.
    LinearForm alone;
    alone.terms.push_back(term);
    alone.terms[0].scale = 1;
    compare(alone);
  }
  return is_low && is_high;
}

LinearForm CanonicalFormAnalyzer::VisitDefault(const ir::PrimExprNode* op) { return Atom(op); }

LinearForm CanonicalFormAnalyzer::VisitIntImm(const ir::IntImmNode* op) {
  // Half the range, so that sums of two bases and remainders do not overflow.
  constexpr int64_t kLargest = INT64_MAX / 2;
  if (op->value > kLargest || op->value < -kLargest) return Atom(op);
  LinearForm form;
  form.base = op->value;
  return form;
}

LinearForm CanonicalFormAnalyzer::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (IsDivision(kind)) return Divide(op, kind);
  LinearForm form = VisitPrimExpr(op->a);
  LinearForm other = VisitPrimExpr(op->b);
  if (kind != Case::kMul) {
    if (!form.AddScaled(other, kind == Case::kAdd ? 1 : -1)) return Atom(op);
    ++form.num_read;
    return form;
  }
  if (!other.IsConstant()) std::swap(form, other);
  if (!other.IsConstant() || !form.Scale(other.base)) return Atom(op);
  form.num_read += other.num_read + 1;
  return form;
}

LinearForm CanonicalFormAnalyzer::Divide(const tir::BinaryOpNode* op, Case kind) {
  const std::optional<int64_t> divisor = IntConstOf(op->b);
  if (!divisor || *divisor <= 0) return Atom(op);
  const bool is_quotient = kind == Case::kDiv || kind == Case::kFloorDiv;
  const bool is_trunc = kind == Case::kDiv || kind == Case::kMod;
  LinearForm form = ValueOf(op->a);
  form.Join();
  const int64_t num_read = form.num_read + 1;
  LinearForm result;
  // Where nothing is negative both ways of rounding are one.
  if (is_trunc && BoundOf(form).min < 0) {
    if (!IsTruncDigits(form) || !TakeDigits(is_quotient, *divisor, &form.terms[0])) return Atom(op);
    result = std::move(form);
  } else {
    LinearForm multiples = TakeMultiples(&form, *divisor);
    if (is_quotient) {
      DivideExactly(&multiples, *divisor);
      result = std::move(multiples);
    }
    if (!DivideRest({std::move(form), *divisor, is_quotient, op->dtype, op->a}, &result)) {
      return Atom(op);
    }
  }
  result.num_read = num_read;
  return result;
}

bool CanonicalFormAnalyzer::MayStandAlone(const Rest& rest) {
  return FitsType(BoundOf(rest.form), rest.dtype) ||
         Fits(rest.form, rest.dtype, {ValueOf(rest.dividend)});
}

std::optional<LinearTerm> CanonicalFormAnalyzer::AtomOf(const Rest& rest) {
  if (!MayStandAlone(rest)) return std::nullopt;
  std::optional<PrimExpr> atom = ToExpr(rest.form, rest.dtype, std::nullopt);
  if (!atom) return std::nullopt;
  LinearTerm term{*std::move(atom)};
  term.atom_cost = rest.form.Cost();
  return term;
}

bool CanonicalFormAnalyzer::SettleProduct(Rest* rest) {
  const bool is_product = rest->form.terms.size() == 1 && rest->form.base == 0 &&
                          rest->form.terms[0].scale == 1 && rest->form.terms[0].is_product;
  if (!is_product) return true;
  if (!MayStandAlone(*rest)) return false;
  rest->form.terms[0].is_product = false;
  return true;
}

bool CanonicalFormAnalyzer::DivideRest(Rest rest, LinearForm* result) {
  const Interval bound = BoundOf(rest.form);
  const bool is_known =
      bound.IsBounded() && FloorDiv(bound.min, rest.divisor) == FloorDiv(bound.max, rest.divisor);
  if (is_known && rest.is_quotient) {
    return !__builtin_add_overflow(result->base, FloorDiv(bound.min, rest.divisor), &result->base);
  }
  if (is_known) {
    *result = std::move(rest.form);
    return !__builtin_sub_overflow(result->base, bound.min - FloorMod(bound.min, rest.divisor),
                                   &result->base);
  }
  const int64_t common = Gcd(rest.form.CommonScale(), rest.divisor);
  const int64_t scale = rest.is_quotient ? 1 : common;
  if (!rest.is_quotient) result->base = FloorMod(rest.form.base, common);
  DivideExactly(&rest.form, common);
  rest.divisor /= common;
  if (!SettleProduct(&rest)) return false;
  if (IsFloorDigits(rest.form)) {
    LinearTerm digits = rest.form.terms[0];
    if (TakeDigits(rest.is_quotient, rest.divisor, &digits)) {
      digits.scale = scale;
      return result->AddTerm(digits);
    }
  }
  std::optional<LinearTerm> term = AtomOf(rest);
  if (!term) return false;
  (rest.is_quotient ? term->lower : term->upper) = rest.divisor;
  term->scale = scale;
  return result->AddTerm(*term);
}

std::optional<LinearForm> CanonicalFormAnalyzer::Difference(const PrimExpr& a, const PrimExpr& b) {
  LinearForm form = ValueOf(a);
  if (!form.AddScaled(ValueOf(b), -1)) return std::nullopt;
  form.Join();
  return form;
}

Interval CanonicalFormAnalyzer::BoundOf(const LinearTerm& term) {
  const Interval times = Interval::Point(term.scale);
  if (term.is_product) {
    Interval exact = state_->bounds.Exact(term.atom);
    const bool has_facts = state_->constraints.HasBounds() && !state_->is_data(term.atom);
    if (has_facts) exact = Intersect(exact, state_->constraints.BoundOf(term.atom));
    return Mul(exact, times);
  }
  const Interval bound = ApplyDigits(term, state_->bounds(term.atom));
  if (term.IsPlain() || !state_->constraints.HasBounds()) return Mul(bound, times);
  LinearForm form;
  form.terms.push_back(term);
  form.terms[0].scale = 1;
  const std::optional<PrimExpr> digits = ToExpr(form, term.atom->dtype, std::nullopt);
  return Mul(digits ? Intersect(bound, state_->constraints.BoundOf(*digits)) : bound, times);
}

Interval CanonicalFormAnalyzer::BoundOf(const LinearForm& form) {
  Interval bound = Interval::Point(form.base);
  for (const LinearTerm& term : form.terms) bound = Add(bound, BoundOf(term));
  return bound;
}

}  // namespace uir::arith
