// Quotients and remainders of sums by a positive constant.
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>

#include <algorithm>
#include <utility>

#include "./canonical_form.h"
#include "./const_fold.h"
#include "./queries.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief Move the multiples of a divisor out of a form. The rest has a base below the divisor. */
LinearForm TakeMultiples(LinearForm* form, int64_t divisor) {
  LinearForm multiples;
  const auto is_multiple = [&](const LinearTerm& term) { return term.scale % divisor == 0; };
  if (std::none_of(form->terms.begin(), form->terms.end(), is_multiple)) {
    multiples.base = form->base - FloorMod(form->base, divisor);
    form->base -= multiples.base;
    return multiples;
  }
  LinearForm rest;
  for (LinearTerm& term : form->terms) {
    LinearForm& to = is_multiple(term) ? multiples : rest;
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

/*! \brief Whether a term of a sum is a multiple of something that divides the divisor, or above it.
 */
bool HasPlaces(const LinearForm& form, int64_t divisor) {
  return std::any_of(form.terms.begin(), form.terms.end(), [&](const LinearTerm& term) {
    return std::abs(term.scale) >= divisor || Gcd(term.scale, divisor) > 1;
  });
}

/*! \brief Whether a term is a multiple of a whole quotient by its divisor. */
bool IsMultipleTerm(const LinearTerm& term) {
  return term.upper == 0 && term.lower != 1 && term.scale % term.lower == 0;
}

/*! \brief How many operations the atoms take that were made for the sum. */
int64_t AtomCost(const LinearForm& form) {
  int64_t cost = 0;
  for (const LinearTerm& term : form.terms) cost += term.atom_cost;
  return cost;
}

/*! \brief Replace each scale by its remainder by the divisor, with the sign of the scale. */
LinearForm ReduceScales(const LinearForm& form, int64_t divisor) {
  LinearForm reduced = form;
  for (LinearTerm& term : reduced.terms) term.scale %= divisor;
  return reduced;
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

LinearForm CanonicalFormAnalyzer::Divide(const tir::BinaryOpNode* op, Case kind) {
  const std::optional<int64_t> divisor = IntConstOf(op->b);
  if (!divisor || *divisor <= 0) return Atom(op);
  const bool is_quotient = kind == Case::kDiv || kind == Case::kFloorDiv;
  const bool is_trunc = kind == Case::kDiv || kind == Case::kMod;
  LinearForm form = ValueOf(op->a);
  form.Join();
  const int64_t num_read = form.num_read + 1;
  LinearForm result;
  // If the dividend is not negative, both roundings agree.
  if (is_trunc && BoundOf(form).min < 0) {
    if (!DivideTowardsZero({std::move(form), *divisor, is_quotient, op->dtype, op->a}, &result)) {
      return Atom(op);
    }
  } else {
    LinearForm multiples = TakeMultiples(&form, *divisor);
    if (is_quotient) {
      DivideExactly(&multiples, *divisor);
      result = std::move(multiples);
    }
    const LinearForm divided = result;
    const Rest rest{std::move(form), *divisor, is_quotient, op->dtype, op->a};
    if (!DivideRest(rest, &result)) {
      result = divided;
      if (!DivideReduced(rest, &result)) return Atom(op);
    }
  }
  result.num_read = num_read;
  return result;
}

bool CanonicalFormAnalyzer::DivideTowardsZero(Rest rest, LinearForm* result) {
  const int64_t common = Gcd(Gcd(rest.form.CommonScale(), rest.form.base), rest.divisor);
  DivideExactly(&rest.form, common);
  rest.divisor /= common;
  const Interval bound = BoundOf(rest.form);
  const bool is_rest = -rest.divisor < bound.min && bound.max < rest.divisor;
  if (is_rest && rest.is_quotient) return true;
  if (is_rest || rest.divisor == 1) {
    return (!is_rest && !rest.is_quotient) ||
           result->AddScaled(rest.form, rest.is_quotient ? 1 : common);
  }
  if (!IsTruncDigits(rest.form)) return false;
  LinearTerm digits = rest.form.terms[0];
  if (!TakeDigits(rest.is_quotient, rest.divisor, &digits)) return false;
  digits.scale = rest.is_quotient ? 1 : common;
  return result->AddTerm(digits);
}

bool CanonicalFormAnalyzer::MayStandAlone(const Rest& rest) {
  return FitsType(BoundOf(rest.form), rest.dtype) ||
         Fits(rest.form, rest.dtype, {ValueOf(rest.dividend)});
}

std::optional<LinearTerm> CanonicalFormAnalyzer::AtomOf(const Rest& rest) {
  // The dividend needs no proof that it fits, because it exists already.
  const bool is_dividend = IsWritten(rest.form, rest.dividend);
  if (!is_dividend && !MayStandAlone(rest)) return std::nullopt;
  std::optional<PrimExpr> atom =
      is_dividend ? rest.dividend : ToExpr(rest.form, rest.dtype, std::nullopt);
  if (!atom) return std::nullopt;
  LinearTerm term{*std::move(atom)};
  // Shared parts count each time, so that the sum may be large.
  constexpr int64_t kMostCost = 1 << 30;
  term.atom_cost = static_cast<int32_t>(std::min(rest.form.Cost(), kMostCost));
  term.has_places = HasPlaces(rest.form, rest.divisor);
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

bool CanonicalFormAnalyzer::TakeLowDigits(Rest* rest, LinearForm* low) {
  LinearForm form = rest->form;
  std::stable_sort(form.terms.begin(), form.terms.end(),
                   [](const LinearTerm& a, const LinearTerm& b) {
                     return std::abs(a.scale) > std::abs(b.scale);
                   });
  int64_t place = rest->divisor;
  for (auto next = form.terms.begin() + 1; next != form.terms.end(); ++next) {
    place = Gcd(place, std::prev(next)->scale);
    if (place == 1) return false;
    low->terms.assign(next, form.terms.end());
    low->base = FloorMod(form.base, place);
    if (!Interval{0, place - 1}.Contains(BoundOf(*low))) continue;
    form.terms.erase(next, form.terms.end());
    DivideExactly(&form, place);
    rest->form = std::move(form);
    rest->divisor /= place;
    return true;
  }
  return false;
}

bool CanonicalFormAnalyzer::DivideInOneMultiple(const Rest& rest, LinearForm* result) {
  LinearForm reduced;
  if (rest.is_last) reduced = ReduceScales(rest.form, rest.divisor);
  const Interval bound = BoundOf(rest.is_last ? reduced : rest.form);
  const bool is_in_one =
      bound.IsBounded() && FloorDiv(bound.min, rest.divisor) == FloorDiv(bound.max, rest.divisor);
  if (!is_in_one) return false;
  if (!rest.is_last) reduced = rest.form;
  reduced.base -= bound.min - FloorMod(bound.min, rest.divisor);
  if (!rest.is_quotient) return result->AddScaled(reduced, 1);
  LinearForm multiples = rest.form;
  if (!multiples.AddScaled(reduced, -1)) return false;
  DivideExactly(&multiples, rest.divisor);
  return result->AddScaled(multiples, 1);
}

bool CanonicalFormAnalyzer::DivideReduced(const Rest& rest, LinearForm* result) {
  Rest reduced = rest;
  reduced.form = ReduceScales(rest.form, rest.divisor);
  if (rest.is_quotient) {
    LinearForm multiples = rest.form;
    if (!multiples.AddScaled(reduced.form, -1) || multiples.IsConstant()) return false;
    DivideExactly(&multiples, rest.divisor);
    if (!result->AddScaled(multiples, 1)) return false;
  }
  return DivideRest(reduced, result);
}

bool CanonicalFormAnalyzer::DivideRest(const Rest& whole, LinearForm* result) {
  if (DivideInOneMultiple(whole, result)) return true;
  if (!whole.is_last) return DivideDigits(whole, result);
  Rest rest = whole;
  if (!rest.is_quotient) ReduceRest(&rest);
  LinearForm low;
  const int64_t divisor = rest.divisor;
  const bool is_quotient = rest.is_quotient;
  if (rest.form.terms.size() < 2 || !TakeLowDigits(&rest, &low)) {
    return DivideDigits(rest, result);
  }
  const int64_t place = divisor / rest.divisor;
  LinearForm high;
  if (!DivideRest(rest, &high)) return false;
  if (is_quotient) return result->AddScaled(high, 1);
  return result->AddScaled(high, place) && result->AddScaled(low, 1);
}

void CanonicalFormAnalyzer::ReduceRest(Rest* rest) {
  const auto is_large = [&](const LinearTerm& term) {
    return std::abs(term.scale) >= rest->divisor;
  };
  const LinearTerms& terms = rest->form.terms;
  if (std::none_of(terms.begin(), terms.end(), is_large)) return;
  Rest reduced = *rest;
  reduced.form = ReduceScales(rest->form, rest->divisor);
  if (terms.size() == 1 || MayStandAlone(reduced)) rest->form = std::move(reduced.form);
}

bool CanonicalFormAnalyzer::AddLowDigits(const LinearTerm& term, LinearForm* result) {
  if (!term.has_places) return result->AddTerm(term);
  LinearForm digits = ValueOf(term.atom);
  if (term.is_trunc && BoundOf(digits).min < 0) return result->AddTerm(term);
  for (const bool is_quotient : {false, true}) {
    const int64_t divisor = is_quotient ? term.lower : term.upper;
    if (divisor <= 1) continue;
    LinearForm multiples = TakeMultiples(&digits, divisor);
    LinearForm divided;
    if (is_quotient) {
      DivideExactly(&multiples, divisor);
      divided = std::move(multiples);
    }
    const DLDataType dtype = term.atom->dtype;
    if (!DivideRest({std::move(digits), divisor, is_quotient, dtype, term.atom, true}, &divided)) {
      return result->AddTerm(term);
    }
    digits = std::move(divided);
  }
  return result->AddScaled(digits, term.scale);
}

bool CanonicalFormAnalyzer::AddAsRemainder(const LinearTerm& term, LinearForm* result) {
  if (!IsMultipleTerm(term)) return result->AddTerm(term);
  // x // m * m is x - x % m.
  LinearTerm remainder = term;
  remainder.lower = 1;
  remainder.upper = term.lower;
  remainder.scale = -(term.scale / term.lower);
  return result->AddScaled(ValueOf(term.atom), -remainder.scale) && result->AddTerm(remainder);
}

bool CanonicalFormAnalyzer::SplitQuotients(const LinearForm& form, LinearForm* result) {
  const LinearTerms& terms = form.terms;
  const auto quotient_of = [&](const LinearTerm& term) {
    return std::find_if(terms.begin(), terms.end(), [&](const LinearTerm& other) {
      return other.upper == 0 && other.lower != 1 && term.IsPlain() &&
             IsSame(other.atom, term.atom);
    });
  };
  const auto is_split = [&](const LinearTerm& term) {
    return IsMultipleTerm(term) || quotient_of(term) != terms.end();
  };
  if (std::none_of(terms.begin(), terms.end(), is_split)) return false;
  result->base = form.base;
  for (const LinearTerm& term : terms) {
    const auto quotient = quotient_of(term);
    if (quotient == terms.end()) {
      if (!AddAsRemainder(term, result)) return false;
      continue;
    }
    LinearTerm high = term;
    high.lower = quotient->lower;
    high.is_trunc = quotient->is_trunc;
    LinearTerm low = term;
    low.upper = quotient->lower;
    low.is_trunc = quotient->is_trunc;
    if (__builtin_mul_overflow(high.scale, high.lower, &high.scale)) return false;
    if (!result->AddTerm(high) || !result->AddTerm(low)) return false;
  }
  return true;
}

bool CanonicalFormAnalyzer::Shorten(LinearForm* form) {
  const LinearTerms& terms = form->terms;
  LinearForm other;
  const bool has_shorter =
      terms.size() > 1 && std::any_of(terms.begin(), terms.end(), IsMultipleTerm) &&
      AddAll(&CanonicalFormAnalyzer::AddAsRemainder, *form, &other) && other.Cost() < form->Cost();
  if (has_shorter) *form = std::move(other);
  const auto has_places = [](const LinearTerm& term) { return term.has_places; };
  if (std::none_of(terms.begin(), terms.end(), has_places)) return false;
  LinearForm low;
  const bool has_low = AddAll(&CanonicalFormAnalyzer::AddLowDigits, *form, &low) &&
                       low.Cost() <= form->Cost() && AtomCost(low) < AtomCost(*form);
  if (has_low) *form = std::move(low);
  return has_low;
}

bool CanonicalFormAnalyzer::AddAll(Method add, const LinearForm& form, LinearForm* result) {
  result->base = form.base;
  for (const LinearTerm& term : form.terms) {
    if (!(this->*add)(term, result)) return false;
  }
  result->Join();
  result->num_read = form.num_read;
  return true;
}

bool CanonicalFormAnalyzer::DivideDigits(const Rest& whole, LinearForm* result) {
  const int64_t common = Gcd(whole.form.CommonScale(), whole.divisor);
  if (common == 1 && whole.form.terms.size() != 1) return AddDigits(whole, 1, result);
  Rest rest = whole;
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
  return AddDigits(rest, scale, result);
}

bool CanonicalFormAnalyzer::AddDigits(const Rest& rest, int64_t scale, LinearForm* result) {
  std::optional<LinearTerm> term = AtomOf(rest);
  if (!term) return false;
  (rest.is_quotient ? term->lower : term->upper) = rest.divisor;
  term->scale = scale;
  return result->AddTerm(*term);
}

}  // namespace uir::arith
