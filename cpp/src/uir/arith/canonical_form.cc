// The canonical form of index expressions as linear combinations.
#include "./canonical_form.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "./const_fold.h"
#include "./queries.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

bool IsLinear(Case op) { return Case::kAdd <= op && op <= Case::kFloorMod; }

/*! \brief Whether one sum is the other one, or several times as large. */
bool IsPositiveMultiple(const LinearForm& form, const LinearForm& part) {
  if (form.terms.empty() || form.terms.size() != part.terms.size()) return false;
  const std::optional<int64_t> times = ExactQuotient(form.terms[0].scale, part.terms[0].scale);
  if (!times || *times <= 0) return false;
  LinearForm rest = form;
  return rest.AddScaled(part, -*times) && rest.IsConstant() && rest.base == 0;
}

/*! \brief Bounds of the digits of an atom that a term takes. */
Interval ApplyDigits(const LinearTerm& term, Interval atom) {
  const Interval upper = Interval::Point(term.upper);
  const Interval lower = Interval::Point(term.lower);
  if (term.upper != 0) atom = term.is_trunc ? TruncMod(atom, upper) : FloorMod(atom, upper);
  if (term.lower == 1) return atom;
  return term.is_trunc ? TruncDiv(atom, lower) : FloorDiv(atom, lower);
}

}  // namespace

LinearForm CanonicalFormAnalyzer::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  const bool may_be_sum = IsLinear(op) || op == Case::kCast;
  if (!may_be_sum || !IsIndex(expr->dtype)) return Atom(expr.get());
  // A node with one reference is visited once in a traversal, so that caching it is useless.
  const bool is_shared = expr.use_count() > 1;
  if (is_shared) {
    if (const auto* known = memo_.Find(expr)) return **known;
  }
  LinearForm form = PrimExprFunctor::VisitPrimExpr(expr);
  // Short sums are found again as fast as they are copied; an atom may have taken long to find.
  constexpr int64_t kFewOperations = 4;
  const bool is_short = IsRing(op) && 0 < form.num_read && form.num_read <= kFewOperations;
  if (is_shared && !is_short) memo_.Add(expr, std::make_shared<const LinearForm>(form));
  return form;
}

LinearForm CanonicalFormAnalyzer::Atom(const ir::PrimExprNode* op) {
  LinearTerm term{ffi::GetRef<PrimExpr>(op)};
  term.is_product = IsRing(CaseOf(term.atom));
  return LinearForm::Of(std::move(term));
}

bool CanonicalFormAnalyzer::IsExact(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  const bool is_sum = IsRing(op) || op == Case::kRamp || op == Case::kBroadcast;
  return !is_sum || !known_->IsData(expr) || FitsType(known_->ExactBoundOf(expr), expr->dtype);
}

LinearForm CanonicalFormAnalyzer::ValueOf(const PrimExpr& expr) {
  LinearForm form = VisitPrimExpr(expr);
  if (!IsRing(CaseOf(expr))) return form;
  const auto is_data = [this](const LinearTerm& term) {
    const bool is_var = CaseOf(term.atom) == Case::kVar || CaseOf(term.atom) == Case::kSizeVar;
    return !(is_var && !known_->constraints.HasData()) && known_->IsData(term.atom);
  };
  const bool may_wrap = std::any_of(form.terms.begin(), form.terms.end(), is_data) &&
                        !FitsType(known_->ExactBoundOf(expr), expr->dtype);
  if (!may_wrap) return form;
  return LinearForm::Of({expr});
}

LinearForm CanonicalFormAnalyzer::ShortSumOf(const PrimExpr& expr, bool* has_split) {
  LinearForm form = VisitPrimExpr(expr);
  form.Join();
  JoinSymbolicDigits(&form);
  *has_split = Shorten(&form);
  Expand(&form);
  return form;
}

bool CanonicalFormAnalyzer::Fits(const LinearForm& form, DLDataType dtype,
                                 const std::vector<LinearForm>& known) {
  const Interval bound = BoundOf(form);
  if (FitsType(bound, dtype)) return true;
  const Interval all = IntervalOf(dtype);
  const auto is_part = [&](const LinearForm& other) { return IsPositiveMultiple(other, form); };
  if (std::any_of(known.begin(), known.end(), is_part)) return true;
  bool is_low = bound.min != Interval::kNegInf && bound.min >= all.min;
  bool is_high = bound.max != Interval::kPosInf && bound.max <= all.max;
  const auto compare = [&](const LinearForm& other) {
    LinearForm distance = other;
    if (!distance.AddScaled(form, -1)) return;
    distance.Join();
    const Interval by = BoundOf(distance);
    // The ends of int64_t stand for unknown bounds.
    is_high = is_high || (by.min >= 0 && by.min != Interval::kPosInf);
    is_low = is_low || (by.max <= 0 && by.max != Interval::kNegInf);
  };
  for (const LinearForm& other : known) compare(other);
  for (const LinearTerm& term : form.terms) {
    if (is_low && is_high) return true;
    if (term.is_product) continue;
    // An atom is computed in its type, so it fits.
    compare(LinearForm::Of(term));
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

LinearForm CanonicalFormAnalyzer::VisitCast(const tir::CastNode* op) {
  if (!IsIndex(op->value->dtype)) return Atom(op);
  const LinearForm value = ValueOf(op->value);
  const bool is_one = value.base == 0 && value.terms.size() == 1 && value.terms[0].scale == 1;
  const auto fits = [&](const PrimExpr& expr) {
    return op->dtype.bits >= expr->dtype.bits || FitsType(known_->BoundOf(expr), op->dtype);
  };
  if (is_one || !fits(op->value)) return Atom(op);
  LinearForm form = value;
  ++form.num_read;
  for (LinearTerm& term : form.terms) {
    // A product is only known to fit as a part of the sum.
    if (term.is_product || term.has_places || !fits(term.atom)) return Atom(op);
    term.atom = tir::Cast(op->dtype, term.atom);
    ++term.atom_cost;
  }
  return form;
}

LinearForm CanonicalFormAnalyzer::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (IsDivision(kind)) return Divide(op, kind);
  LinearForm sum;
  constexpr int kMostNodes = 64;
  int num_left = kMostNodes;
  if (AddMultipleOfRing(op, kind, 1, &num_left, &sum)) return sum;
  if (kind == Case::kMul) return ProductOf(op);
  LinearForm form = VisitPrimExpr(op->a);
  if (!form.AddScaled(VisitPrimExpr(op->b), kind == Case::kAdd ? 1 : -1)) return Atom(op);
  ++form.num_read;
  return form;
}

bool CanonicalFormAnalyzer::AddMultiple(const PrimExpr& expr, int64_t factor, int* num_left,
                                        LinearForm* form) {
  if (--*num_left < 0) return false;
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) {
    // Larger numbers are atoms.
    const int64_t value = static_cast<const ir::IntImmNode*>(expr.get())->value;
    const bool is_small = INT32_MIN <= value && value <= INT32_MAX;
    int64_t product = 0;
    if (!is_small) return form->AddScaled(VisitPrimExpr(expr), factor);
    return !__builtin_mul_overflow(value, factor, &product) &&
           !__builtin_add_overflow(form->base, product, &form->base);
  }
  if (IsRing(op) && IsIndex(expr->dtype)) {
    return AddMultipleOfRing(static_cast<const tir::BinaryOpNode*>(expr.get()), op, factor,
                             num_left, form);
  }
  if (op != Case::kVar) return form->AddScaled(VisitPrimExpr(expr), factor);
  LinearTerm term{expr};
  term.scale = factor;
  return form->AddTerm(std::move(term));
}

bool CanonicalFormAnalyzer::AddMultipleOfRing(const tir::BinaryOpNode* op, Case kind,
                                              int64_t factor, int* num_left, LinearForm* form) {
  if (kind != Case::kMul) {
    ++form->num_read;
    return AddMultiple(op->a, factor, num_left, form) &&
           AddMultiple(op->b, kind == Case::kAdd ? factor : -factor, num_left, form);
  }
  const auto* times = op->b.as<ir::IntImmNode>();
  int64_t product = 0;
  const bool is_multiple = times != nullptr && times->value != 0 &&
                           !__builtin_mul_overflow(factor, times->value, &product) &&
                           product != INT64_MIN;
  if (!is_multiple) return form->AddScaled(ProductOf(op), factor);
  ++form->num_read;
  return AddMultiple(op->a, product, num_left, form);
}

LinearForm CanonicalFormAnalyzer::ProductOf(const tir::BinaryOpNode* op) {
  LinearForm form = VisitPrimExpr(op->a);
  LinearForm other = VisitPrimExpr(op->b);
  if (!other.IsConstant()) std::swap(form, other);
  if (!other.IsConstant() || !form.Scale(other.base)) return Atom(op);
  form.num_read += other.num_read + 1;
  return form;
}

std::optional<LinearForm> CanonicalFormAnalyzer::Difference(const PrimExpr& a, const PrimExpr& b) {
  const auto* constant = a.as<ir::IntImmNode>();
  LinearForm form = ValueOf(constant != nullptr ? b : a);
  const bool fits =
      constant != nullptr
          ? form.Scale(-1) && !__builtin_add_overflow(form.base, constant->value, &form.base)
          : form.AddScaled(ValueOf(b), -1);
  if (!fits) return std::nullopt;
  form.Join();
  Expand(&form);
  return form;
}

Interval CanonicalFormAnalyzer::BoundOf(const LinearTerm& term) {
  const Interval times = Interval::Point(term.scale);
  if (term.is_product) {
    Interval exact = known_->ExactBoundOf(term.atom);
    const bool has_facts = known_->constraints.HasBounds() && !known_->IsData(term.atom);
    if (has_facts) exact = Intersect(exact, known_->constraints.BoundOf(term.atom));
    return Mul(exact, times);
  }
  const Interval bound = ApplyDigits(term, known_->BoundOf(term.atom));
  if (term.IsPlain() || !known_->constraints.HasBounds()) return Mul(bound, times);
  const std::optional<PrimExpr> digits =
      ToExpr(LinearForm::Of(term), term.atom->dtype, std::nullopt);
  return Mul(digits ? Intersect(bound, known_->constraints.BoundOf(*digits)) : bound, times);
}

Interval CanonicalFormAnalyzer::BoundOf(const LinearForm& form) {
  Interval bound = Interval::Point(form.base);
  for (const LinearTerm& term : form.terms) bound = Add(bound, BoundOf(term));
  return bound;
}

}  // namespace uir::arith
