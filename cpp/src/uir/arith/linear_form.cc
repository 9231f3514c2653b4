// Arithmetic on sums, and writing them as expressions.
#include "./linear_form.h"

#include <uir/arith/integer_domain.h>
#include <uir/ir/dtype.h>

#include <algorithm>
#include <utility>

#include "./const_fold.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*!
 * \brief Put two terms of one atom together, if they are parts of one.
 * \return Whether `a` is their sum now.
 */
bool JoinTerms(LinearTerm* a, const LinearTerm& b) {
  if (a->is_trunc != b.is_trunc && !a->IsPlain() && !b.IsPlain()) return false;
  const bool is_trunc = a->IsPlain() ? b.is_trunc : a->is_trunc;
  // The upper digits and the lower ones: (x mod U) div m * m + (x mod m).
  if (b.upper != 0 && a->lower == b.upper) {
    int64_t scale = 0;
    if (__builtin_mul_overflow(b.scale, a->lower / b.lower, &scale)) return false;
    if (a->scale != scale) return false;
    *a = {a->atom, b.lower, a->upper, b.scale, a->atom_cost, is_trunc};
    return true;
  }
  // All digits without the upper ones: x mod U - (x mod U) div m * m.
  if (a->upper == b.upper && b.lower % a->lower == 0 && b.lower > a->lower) {
    int64_t scale = 0;
    if (__builtin_mul_overflow(a->scale, -(b.lower / a->lower), &scale)) return false;
    if (b.scale != scale) return false;
    *a = {a->atom, a->lower, b.lower, a->scale, a->atom_cost, is_trunc};
    return true;
  }
  // All digits without the lower ones: x mod U - x mod u.
  const bool is_tail = b.upper != 0 && a->lower == b.lower && b.upper != a->upper &&
                       a->upper % b.upper == 0 && a->scale == -b.scale;
  if (is_tail) {
    int64_t scale = 0;
    if (__builtin_mul_overflow(a->scale, b.upper / b.lower, &scale)) return false;
    *a = {a->atom, b.upper, a->upper, scale, a->atom_cost, is_trunc};
    return true;
  }
  return false;
}

/*! \brief The digits of the atom that a term takes. */
PrimExpr DigitsToExpr(const LinearTerm& term, DLDataType dtype,
                      const ffi::Optional<ir::Span>& span) {
  PrimExpr result = term.atom;
  if (term.upper != 0) {
    const Case mod = term.is_trunc ? Case::kMod : Case::kFloorMod;
    result = MakeBinary(mod, std::move(result), MakeInt(dtype, term.upper), span);
  }
  if (term.lower != 1) {
    const Case div = term.is_trunc ? Case::kDiv : Case::kFloorDiv;
    result = MakeBinary(div, std::move(result), MakeInt(dtype, term.lower), span);
  }
  return result;
}

/*! \brief The multiple of the digits that is added, or subtracted. */
PrimExpr TimesToExpr(const LinearTerm& term, int64_t times, DLDataType dtype,
                     const ffi::Optional<ir::Span>& span) {
  PrimExpr digits = DigitsToExpr(term, dtype, span);
  if (times == 1) return digits;
  return MakeBinary(Case::kMul, std::move(digits), MakeInt(dtype, times), span);
}

/*! \brief The term that a sum begins with; the end if it begins with the constant. */
const LinearTerm* FirstOf(const LinearForm& form) {
  const auto begin = form.terms.begin();
  const auto end = form.terms.end();
  const auto first =
      std::find_if(begin, end, [](const LinearTerm& term) { return term.scale > 0; });
  if (first != end || form.base != 0) return first;
  return std::find_if(begin, end, [](const LinearTerm& term) { return term.scale != -1; });
}

/*! \brief Whether an expression is a constant. */
bool IsWrittenNumber(int64_t value, const PrimExpr& expr) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == value;
}

/*! \brief Whether an expression is what `TimesToExpr` makes of a plain term. */
bool IsWrittenTerm(const LinearTerm& term, int64_t times, const PrimExpr& expr) {
  if (!term.IsPlain()) return false;
  if (times == 1) return expr.same_as(term.atom);
  if (CaseOf(expr) != Case::kMul) return false;
  const Operands factors = OperandsOf(expr.get(), Case::kMul);
  return factors.a->same_as(term.atom) && IsWrittenNumber(times, *factors.b);
}

/*! \brief Take the last summand off; null if it is not added, or not subtracted. */
const PrimExpr* TakeLast(const PrimExpr** sum, bool adds) {
  const Case op = adds ? Case::kAdd : Case::kSub;
  if (CaseOf(**sum) != op) return nullptr;
  const Operands parts = OperandsOf((*sum)->get(), op);
  *sum = parts.a;
  return parts.b;
}

bool IsConstantOf(DLDataType dtype, int64_t value) {
  return ir::MinValue(dtype) <= value && value <= ir::MaxValue(dtype);
}

}  // namespace

bool IsAlike(const LinearTerm& a, const LinearTerm& b) {
  if (a.lower != b.lower || a.upper != b.upper || a.is_product != b.is_product) return false;
  if (!IsSame(a.atom, b.atom)) return false;
  return a.is_trunc == b.is_trunc || a.IsPlain();
}

int64_t LinearForm::Cost() const {
  int64_t cost = -1;
  bool has_positive = base > 0;
  for (const LinearTerm& term : terms) {
    cost += 1 + term.Cost();
    has_positive = has_positive || term.scale > 0;
  }
  if (base != 0) ++cost;
  // A sum with only negative terms is written as `0 - x`, unless a factor takes the sign.
  if (!terms.empty() && !has_positive && FirstOf(*this) == terms.end()) ++cost;
  return std::max<int64_t>(cost, 0);
}

bool LinearForm::AddTerm(LinearTerm term) {
  for (auto here = terms.begin(); here != terms.end(); ++here) {
    if (!IsAlike(*here, term)) continue;
    if (__builtin_add_overflow(here->scale, term.scale, &here->scale)) return false;
    if (here->scale == INT64_MIN) return false;
    if (here->scale == 0) terms.erase(here);
    return true;
  }
  terms.push_back(std::move(term));
  return terms.size() <= kMostTerms;
}

bool LinearForm::AddScaled(const LinearForm& other, int64_t factor) {
  int64_t product = 0;
  if (__builtin_mul_overflow(other.base, factor, &product)) return false;
  if (__builtin_add_overflow(base, product, &base)) return false;
  num_read += other.num_read;
  terms.reserve(terms.size() + other.terms.size());
  for (LinearTerm term : other.terms) {
    if (__builtin_mul_overflow(term.scale, factor, &term.scale)) return false;
    if (term.scale == INT64_MIN || !AddTerm(std::move(term))) return false;
  }
  return true;
}

bool LinearForm::Scale(int64_t factor) {
  if (factor == 0) terms.clear();
  if (__builtin_mul_overflow(base, factor, &base)) return false;
  for (LinearTerm& term : terms) {
    if (__builtin_mul_overflow(term.scale, factor, &term.scale)) return false;
    if (term.scale == INT64_MIN) return false;
  }
  return true;
}

void LinearForm::Join() {
  const auto is_split = [](const LinearTerm& term) { return !term.IsPlain(); };
  if (std::none_of(terms.begin(), terms.end(), is_split)) return;
  for (size_t i = 0; i < terms.size();) {
    bool joined = false;
    for (size_t k = 0; k < terms.size() && !joined; ++k) {
      if (k == i || !IsSame(terms[i].atom, terms[k].atom)) continue;
      LinearTerm sum = terms[i];
      if (!JoinTerms(&sum, terms[k])) continue;
      sum.has_places = terms[i].has_places || terms[k].has_places;
      // Add the sum again, since it may be like a third term.
      terms.erase(terms.begin() + std::max(i, k));
      terms.erase(terms.begin() + std::min(i, k));
      joined = true;
      if (!AddTerm(std::move(sum))) return;
    }
    i = joined ? 0 : i + 1;
  }
}

int64_t LinearForm::CommonScale() const {
  int64_t divisor = 0;
  for (const LinearTerm& term : terms) divisor = Gcd(divisor, term.scale);
  return divisor;
}

bool IsWritten(const LinearForm& form, const PrimExpr& expr) {
  const int64_t least = ir::MinValue(expr->dtype);
  const auto first = FirstOf(form);
  if (first == form.terms.end() || form.base == least) return false;
  const PrimExpr* rest = &expr;
  if (form.base != 0) {
    const PrimExpr* base = TakeLast(&rest, form.base > 0);
    if (base == nullptr || !IsWrittenNumber(std::abs(form.base), *base)) return false;
  }
  for (auto term = form.terms.end(); term-- != form.terms.begin();) {
    if (term == first) continue;
    if (term->scale == least) return false;
    const PrimExpr* part = TakeLast(&rest, term->scale > 0);
    if (part == nullptr || !IsWrittenTerm(*term, std::abs(term->scale), *part)) return false;
  }
  return IsWrittenTerm(*first, first->scale, *rest);
}

std::optional<PrimExpr> ToExpr(const LinearForm& form, DLDataType dtype,
                               const ffi::Optional<ir::Span>& span) {
  const bool fits = IsConstantOf(dtype, form.base) &&
                    std::all_of(form.terms.begin(), form.terms.end(), [&](const LinearTerm& term) {
                      return IsConstantOf(dtype, term.scale);
                    });
  if (!fits) return std::nullopt;
  const int64_t least = ir::MinValue(dtype);
  const auto first = FirstOf(form);
  const bool has_first = first != form.terms.end();
  PrimExpr result = has_first ? TimesToExpr(*first, first->scale, dtype, span)
                              : PrimExpr(MakeInt(dtype, form.base));
  for (auto term = form.terms.begin(); term != form.terms.end(); ++term) {
    if (term == first) continue;
    // The least number has no opposite.
    const bool adds = term->scale > 0 || term->scale == least;
    PrimExpr times = TimesToExpr(*term, adds ? term->scale : -term->scale, dtype, span);
    result = MakeBinary(adds ? Case::kAdd : Case::kSub, std::move(result), std::move(times), span);
  }
  if (!has_first || form.base == 0) return result;
  const bool adds = form.base > 0 || form.base == least;
  return MakeBinary(adds ? Case::kAdd : Case::kSub, std::move(result),
                    MakeInt(dtype, adds ? form.base : -form.base), span);
}

}  // namespace uir::arith
