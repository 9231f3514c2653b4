// The canonical form of index expressions as linear combinations.
#include "./canonical_form.h"

#include <uir/tir/arith.h>

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

/*! \brief Divide digits by a positive number; false if they are not digits of the atom then. */
bool TakeUpperDigits(int64_t divisor, LinearTerm* digits) {
  int64_t lower = 0;
  if (__builtin_mul_overflow(digits->lower, divisor, &lower)) return false;
  if (digits->upper != 0 && digits->upper % lower != 0) return false;
  digits->lower = lower;
  return true;
}

/*! \brief Take the remainder of digits; false if they are not digits of the atom then. */
bool TakeLowerDigits(int64_t divisor, LinearTerm* digits) {
  int64_t upper = 0;
  if (__builtin_mul_overflow(digits->lower, divisor, &upper)) return false;
  if (digits->upper != 0 && digits->upper % upper != 0) return false;
  digits->upper = upper;
  return true;
}

}  // namespace

bool LinearFinder::IsTruncDigits(LinearForm& form) {
  if (form.terms.size() != 1 || form.base != 0 || form.terms[0].scale != 1) return false;
  LinearTerm& term = form.terms[0];
  if (!term.IsPlain() && !term.is_trunc) return false;
  term.is_trunc = true;
  return true;
}

bool LinearFinder::IsFloorDigits(const LinearForm& form) {
  if (form.terms.size() != 1 || form.base != 0 || form.terms[0].scale != 1) return false;
  const LinearTerm& term = form.terms[0];
  return term.IsPlain() || !term.is_trunc || BoundOf(form).min >= 0;
}

LinearForm LinearFinder::VisitPrimExpr(const PrimExpr& expr) {
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

LinearForm LinearFinder::Atom(const ir::PrimExprNode* op) {
  LinearForm form;
  form.terms.push_back({ffi::GetRef<PrimExpr>(op)});
  return form;
}

LinearForm LinearFinder::VisitDefault(const ir::PrimExprNode* op) { return Atom(op); }

LinearForm LinearFinder::VisitIntImm(const ir::IntImmNode* op) {
  // Half the range, so that sums of two bases and remainders do not overflow.
  constexpr int64_t kLargest = INT64_MAX / 2;
  if (op->value > kLargest || op->value < -kLargest) return Atom(op);
  LinearForm form;
  form.base = op->value;
  return form;
}

LinearForm LinearFinder::VisitAdd(const tir::AddNode* op) {
  LinearForm form = VisitPrimExpr(op->a);
  if (!form.AddScaled(VisitPrimExpr(op->b), 1)) return Atom(op);
  ++form.num_read;
  return form;
}

LinearForm LinearFinder::VisitSub(const tir::SubNode* op) {
  LinearForm form = VisitPrimExpr(op->a);
  if (!form.AddScaled(VisitPrimExpr(op->b), -1)) return Atom(op);
  ++form.num_read;
  return form;
}

LinearForm LinearFinder::VisitMul(const tir::MulNode* op) {
  LinearForm a = VisitPrimExpr(op->a);
  LinearForm b = VisitPrimExpr(op->b);
  if (!b.IsConstant()) std::swap(a, b);
  if (!b.IsConstant() || !a.Scale(b.base)) return Atom(op);
  a.num_read += b.num_read + 1;
  return a;
}

LinearForm LinearFinder::VisitDiv(const tir::DivNode* op) { return Divide(op, true); }

LinearForm LinearFinder::VisitMod(const tir::ModNode* op) { return Modulo(op, true); }

LinearForm LinearFinder::VisitFloorDiv(const tir::FloorDivNode* op) { return Divide(op, false); }

LinearForm LinearFinder::VisitFloorMod(const tir::FloorModNode* op) { return Modulo(op, false); }

LinearForm LinearFinder::Divide(const tir::BinaryOpNode* op, bool is_trunc) {
  const std::optional<int64_t> divisor = ConstIntOf(op->b);
  if (!divisor || *divisor <= 0) return Atom(op);
  LinearForm form = VisitPrimExpr(op->a);
  form.Join();
  const int64_t num_read = form.num_read + 1;
  // Where nothing is negative both ways of rounding are one.
  if (is_trunc && BoundOf(form).min < 0) {
    if (!IsTruncDigits(form) || !TakeUpperDigits(*divisor, &form.terms[0])) return Atom(op);
    form.num_read = num_read;
    return form;
  }
  LinearForm quotient = TakeMultiples(&form, *divisor);
  DivideExactly(&quotient, *divisor);
  if (!DivideRest(std::move(form), *divisor, op->dtype, &quotient)) return Atom(op);
  quotient.num_read = num_read;
  return quotient;
}

bool LinearFinder::DivideRest(LinearForm rest, int64_t divisor, DLDataType dtype,
                              LinearForm* quotient) {
  const Interval bound = BoundOf(rest);
  if (bound.IsBounded() && FloorDiv(bound.min, divisor) == FloorDiv(bound.max, divisor)) {
    return !__builtin_add_overflow(quotient->base, FloorDiv(bound.min, divisor), &quotient->base);
  }
  const int64_t common = Gcd(rest.CommonScale(), divisor);
  DivideExactly(&rest, common);
  divisor /= common;
  if (IsFloorDigits(rest)) {
    LinearTerm digits = rest.terms[0];
    if (TakeUpperDigits(divisor, &digits)) return quotient->AddTerm(digits);
  }
  LinearTerm term{ToExpr(rest, dtype, std::nullopt)};
  term.lower = divisor;
  term.atom_cost = rest.Cost();
  return quotient->AddTerm(term);
}

LinearForm LinearFinder::Modulo(const tir::BinaryOpNode* op, bool is_trunc) {
  const std::optional<int64_t> divisor = ConstIntOf(op->b);
  if (!divisor || *divisor <= 0) return Atom(op);
  LinearForm form = VisitPrimExpr(op->a);
  form.Join();
  const int64_t num_read = form.num_read + 1;
  if (is_trunc && BoundOf(form).min < 0) {
    if (!IsTruncDigits(form) || !TakeLowerDigits(*divisor, &form.terms[0])) return Atom(op);
    form.num_read = num_read;
    return form;
  }
  TakeMultiples(&form, *divisor);
  LinearForm remainder;
  if (!ModuloRest(std::move(form), *divisor, op->dtype, &remainder)) return Atom(op);
  remainder.num_read = num_read;
  return remainder;
}

bool LinearFinder::ModuloRest(LinearForm rest, int64_t divisor, DLDataType dtype,
                              LinearForm* remainder) {
  const Interval bound = BoundOf(rest);
  if (bound.IsBounded() && FloorDiv(bound.min, divisor) == FloorDiv(bound.max, divisor)) {
    *remainder = std::move(rest);
    return !__builtin_sub_overflow(remainder->base, bound.min - FloorMod(bound.min, divisor),
                                   &remainder->base);
  }
  const int64_t common = Gcd(rest.CommonScale(), divisor);
  remainder->base = FloorMod(rest.base, common);
  DivideExactly(&rest, common);
  divisor /= common;
  if (IsFloorDigits(rest)) {
    LinearTerm digits = rest.terms[0];
    if (TakeLowerDigits(divisor, &digits)) {
      digits.scale = common;
      return remainder->AddTerm(digits);
    }
  }
  LinearTerm term{ToExpr(rest, dtype, std::nullopt)};
  term.upper = divisor;
  term.atom_cost = rest.Cost();
  term.scale = common;
  return remainder->AddTerm(term);
}

std::optional<LinearForm> LinearFinder::Difference(const PrimExpr& a, const PrimExpr& b) {
  LinearForm form = VisitPrimExpr(a);
  if (!form.AddScaled(VisitPrimExpr(b), -1)) return std::nullopt;
  form.Join();
  return form;
}

Interval LinearFinder::BoundOf(const LinearTerm& term) {
  Interval bound = state_->bounds(term.atom);
  if (!term.IsPlain() && state_->knowledge.HasBounds()) {
    LinearForm form;
    form.terms.push_back(term);
    form.terms[0].scale = 1;
    const Interval whole = state_->knowledge.BoundOf(ToExpr(form, term.atom->dtype, std::nullopt));
    bound = ApplyDigits(term, bound);
    return Mul(Intersect(bound, whole), Interval::Point(term.scale));
  }
  return Mul(ApplyDigits(term, bound), Interval::Point(term.scale));
}

Interval LinearFinder::BoundOf(const LinearForm& form) {
  Interval bound = Interval::Point(form.base);
  for (const LinearTerm& term : form.terms) bound = Add(bound, BoundOf(term));
  return bound;
}

}  // namespace uir::arith
