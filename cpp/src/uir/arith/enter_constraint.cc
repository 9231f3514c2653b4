// What conditions and ranges say of variables and sums.
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <utility>
#include <vector>

#include "./analyzer_state.h"
#include "./intrinsic.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief The comparison that holds where another one does not. */
Case Negated(Case op) {
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

/*! \brief What a term without its scale must be for `scale * term + rest >= 0`. */
Interval SolveNonNegative(int64_t scale, int64_t rest) {
  if (rest == Interval::kPosInf || rest == Interval::kNegInf) return {};
  if (scale > 0) return {CeilDiv(-rest, scale), Interval::kPosInf};
  return {Interval::kNegInf, FloorDiv(rest, -scale)};
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
    if (IsComparison(op)) {
      const Operands operands = OperandsOf(part.get(), op);
      AssumeComparison(part_holds ? op : Negated(op), *operands.a, *operands.b);
    }
    constraints.AddFact({std::move(part), part_holds});
  }
}

void State::AssumeComparison(Case op, const PrimExpr& a, const PrimExpr& b) {
  if (op == Case::kGT) return AssumeComparison(Case::kLT, b, a);
  if (op == Case::kGE) return AssumeComparison(Case::kLE, b, a);
  if (!IsIndex(a->dtype) || op == Case::kNE) return;
  std::optional<LinearForm> difference = linear.Difference(b, a);
  if (!difference || difference->IsConstant()) return;
  if (op == Case::kLT && __builtin_sub_overflow(difference->base, 1, &difference->base)) return;
  AssumeNonNegative(*difference);
  if (op != Case::kEQ) return;
  AssumeRemainder(*difference);
  if (difference->Scale(-1)) AssumeNonNegative(std::move(*difference));
}

void State::AssumeNonNegative(LinearForm form) {
  const Interval whole = linear.BoundOf(form);
  for (const LinearTerm& term : form.terms) {
    const tir::VarNode* var = term.IsPlain() ? AsVar(term.atom) : nullptr;
    if (var == nullptr && form.terms.size() > 1) continue;
    // The others at their largest leave the most room.
    LinearForm others = form;
    others.terms.clear();
    for (const LinearTerm& other : form.terms) {
      if (&other != &term) others.terms.push_back(other);
    }
    const Interval bound = SolveNonNegative(term.scale, linear.BoundOf(others).max);
    if (var != nullptr) {
      Restrict(ffi::GetRef<tir::Var>(var), bound, {});
    } else {
      LinearForm alone;
      alone.terms.push_back(term);
      alone.terms[0].scale = 1;
      std::optional<PrimExpr> digits = ToExpr(alone, term.atom->dtype, std::nullopt);
      if (digits) constraints.AddBound(*std::move(digits), bound);
    }
  }
  if (form.terms.size() > 1 && whole.min < 0) constraints.AddNonNegative(std::move(form));
}

/*! \brief Of `x % 4 - 1 == 0` take what `x` is modulo 4. */
void State::AssumeRemainder(const LinearForm& form) {
  if (form.terms.size() != 1) return;
  const LinearTerm& term = form.terms[0];
  const tir::VarNode* var = AsVar(term.atom);
  const bool is_remainder = var != nullptr && term.lower == 1 && term.upper != 0 &&
                            !term.is_trunc && (term.scale == 1 || term.scale == -1);
  if (!is_remainder) return;
  const int64_t remainder = term.scale == 1 ? -form.base : form.base;
  if (remainder < 0 || remainder >= term.upper) return;
  Restrict(ffi::GetRef<tir::Var>(var), {}, {term.upper, remainder});
}

void State::Restrict(const tir::Var& var, Interval bound, Congruence congruence) {
  const VarFacts* known = constraints.Find(var.get());
  VarFacts facts = known == nullptr ? VarFacts{var, {}, {}, std::nullopt} : *known;
  const Interval both = Intersect(facts.bound, bound);
  // What can never be is not worth knowing, and arithmetic on it is not defined.
  if (!Intersect(both, IntervalOf(var->dtype)).IsEmpty()) facts.bound = both;
  facts.congruence = Intersect(facts.congruence, congruence);
  constraints.SetVar(std::move(facts));
}

void State::BindValue(const tir::Var& var, const PrimExpr& value) {
  constraints.SetVar({var, {}, {}, value, is_data(value)});
}

void State::BindDefinition(const tir::Var& var, const PrimExpr& value) {
  if (!ir::IsInteger(value->dtype)) return;
  Restrict(var, bounds(value), congruences(value));
  const bool is_exact = !IsRing(CaseOf(value)) || FitsType(bounds.Exact(value), value->dtype);
  if (is_exact && !is_data(value)) return;
  VarFacts facts = *constraints.Find(var.get());
  facts.is_data = true;
  constraints.SetVar(std::move(facts));
}

void State::BindRange(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent) {
  if (IntConstOf(extent) == 1) return BindValue(var, min);
  const Interval extent_bound = bounds(extent);
  const Interval last = Add(bounds(min), Sub(extent_bound, Interval::Point(1)));
  constraints.SetVar({var, {}, {}, std::nullopt});
  Restrict(var, {bounds(min).min, last.max}, {});
  if (bounds(min).IsPoint() && extent_bound.IsPoint()) return;
  if (!IsIndex(var->dtype)) return;
  AssumeComparison(Case::kLE, min, var);
  const PrimExpr end = rewriter.Simplify(tir::Add(min, extent), Means::kAll);
  AssumeComparison(Case::kLT, var, end);
}

}  // namespace uir::arith
