// Proofs of inequalities between sums with products of variables.
#include <cstdint>
#include <optional>

#include "./const_fold.h"
#include "./inequality_prover.h"
#include "./queries.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

LinearTerm NegatedTerm(LinearTerm term) {
  term.scale = -term.scale;
  return term;
}

/*! \brief The other factor of a product; null if it is not one of this factor. */
const PrimExpr* CofactorOf(const LinearTerm& term, const PrimExpr& factor) {
  if (!term.IsPlain() || CaseOf(term.atom) != Case::kMul) return nullptr;
  const Operands factors = OperandsOf(term.atom.get(), Case::kMul);
  if (IsSame(*factors.a, factor)) return factors.b;
  return IsSame(*factors.b, factor) ? factors.a : nullptr;
}

}  // namespace

bool InequalityProver::IsProductAtLeast(const LinearForm& form, int64_t least, int num_facts) {
  for (const LinearTerm& term : form.terms) {
    if (!term.IsPlain() || CaseOf(term.atom) != Case::kMul) continue;
    const Operands factors = OperandsOf(term.atom.get(), Case::kMul);
    for (const PrimExpr* factor : {factors.a, factors.b}) {
      num_steps_left_ = kMostSteps;
      if (IsMultipleOfFactorAtLeast(form, *factor, least, num_facts)) return true;
    }
  }
  return false;
}

bool InequalityProver::IsMultipleOfFactorAtLeast(const LinearForm& form, const PrimExpr& factor,
                                                 int64_t least, int num_facts) {
  LinearForm cofactor;
  LinearForm rest;
  rest.base = form.base;
  for (const LinearTerm& term : form.terms) {
    const PrimExpr* other = CofactorOf(term, factor);
    if (other != nullptr) {
      // A product of data may wrap around.
      if (known_->IsData(term.atom)) return false;
      if (!cofactor.AddScaled(known_->SumOf(*other), term.scale)) return false;
    } else if (term.IsPlain() && IsSame(term.atom, factor)) {
      if (__builtin_add_overflow(cofactor.base, term.scale, &cofactor.base)) return false;
    } else if (!rest.AddTerm(term)) {
      return false;
    }
  }
  const LinearForm value = known_->SumOf(factor);
  if (!IsAtLeast(value, 0, 1)) return false;
  for (const int64_t times : {1, 0}) {
    LinearForm low = rest;
    const bool is_known = IsAtLeast(cofactor, times, num_facts) && low.AddScaled(value, times);
    if (is_known && IsAtLeast(low, least, num_facts)) return true;
  }
  return false;
}

bool InequalityProver::IsRoundedAtLeast(const LinearForm& form, int64_t least, int num_facts) {
  for (const LinearTerm& term : form.terms) {
    if (!term.IsPlain() || CaseOf(term.atom) != Case::kMul) continue;
    const Operands factors = OperandsOf(term.atom.get(), Case::kMul);
    const bool is_first = CaseOf(*factors.a) == Case::kFloorDiv;
    const PrimExpr& quotient = is_first ? *factors.a : *factors.b;
    const PrimExpr& divisor = is_first ? *factors.b : *factors.a;
    if (CaseOf(quotient) != Case::kFloorDiv || known_->IsData(term.atom)) continue;
    const Operands operands = OperandsOf(quotient.get(), Case::kFloorDiv);
    if (!IsSame(*operands.b, divisor) || known_->BoundOf(divisor).min < 0) continue;
    LinearForm low = form;
    bool is_low =
        low.AddTerm(NegatedTerm(term)) && low.AddScaled(known_->ValueOf(*operands.a), term.scale);
    if (term.scale > 0) {
      LinearForm largest = known_->ValueOf(divisor);
      --largest.base;
      is_low = is_low && low.AddScaled(largest, -term.scale);
    }
    low.Join();
    num_steps_left_ = kMostSteps;
    if (is_low && IsAtLeast(low, least, num_facts)) return true;
  }
  return false;
}

bool InequalityProver::IsProductPairAtLeast(const LinearForm& form, int64_t least, int num_facts) {
  const auto is_product = [](const LinearTerm& term) {
    return term.IsPlain() && CaseOf(term.atom) == Case::kMul;
  };
  for (const LinearTerm& larger : form.terms) {
    if (larger.scale < 0 || !is_product(larger)) continue;
    for (const LinearTerm& smaller : form.terms) {
      if (smaller.scale != -larger.scale || !is_product(smaller)) continue;
      // A product of data may wrap around.
      if (known_->IsData(larger.atom) || known_->IsData(smaller.atom)) continue;
      LinearForm rest = form;
      if (!rest.AddTerm(NegatedTerm(larger)) || !rest.AddTerm(NegatedTerm(smaller))) continue;
      rest.Join();
      const Operands n = OperandsOf(larger.atom.get(), Case::kMul);
      const Operands x = OperandsOf(smaller.atom.get(), Case::kMul);
      for (const Operands& nm : {n, {n.b, n.a}}) {
        for (const Operands& xy : {x, {x.b, x.a}}) {
          if (IsPairAtLeast(rest, larger.scale, nm, xy, least, num_facts)) return true;
        }
      }
    }
  }
  return false;
}

bool InequalityProver::IsPairAtLeast(const LinearForm& form, int64_t scale, const Operands& larger,
                                     const Operands& smaller, int64_t least, int num_facts) {
  const auto holds = [&](const std::optional<LinearForm>& difference, int64_t distance) {
    num_steps_left_ = kFewSteps;
    return difference && IsAtLeast(*difference, distance, num_facts);
  };
  const std::optional<LinearForm> first = known_->Difference(*larger.a, *smaller.a);
  if (!holds(first, 0) || !holds(known_->Difference(*larger.b, *smaller.b), 0)) return false;
  const LinearForm factor = known_->SumOf(*larger.b);
  if (!holds(known_->SumOf(*smaller.a), 0) || !holds(factor, 0)) return false;
  LinearForm low = form;
  // Where `x < n` there is `m` in it.
  if (holds(first, 1) && !low.AddScaled(factor, scale)) return false;
  low.Join();
  return holds(low, least);
}

}  // namespace uir::arith
