// Solves comparisons for a variable.
#include "./condition_solver.h"

#include <uir/tir/arith.h>
#include <uir/tir/logic.h>

#include <utility>

#include "./analyzer_state.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

struct ConditionPart {
  PrimExpr condition;
  bool holds;
};

/*! \brief The comparison as `<`, `<=` or `==`; none for one that is not. */
std::optional<Comparison> Normalized(const PrimExpr& expr, bool holds) {
  Case op = CaseOf(expr);
  const Operands operands = OperandsOf(expr.get(), op);
  PrimExpr a = *operands.a;
  PrimExpr b = *operands.b;
  if (!IsIndex(a->dtype)) return std::nullopt;
  if (!holds) {
    switch (op) {
      case Case::kLT:
        return Comparison{Case::kLE, b, a};
      case Case::kLE:
        return Comparison{Case::kLT, b, a};
      case Case::kGT:
        return Comparison{Case::kLE, a, b};
      case Case::kGE:
        return Comparison{Case::kLT, a, b};
      case Case::kNE:
        return Comparison{Case::kEQ, a, b};
      default:
        return std::nullopt;
    }
  }
  if (op == Case::kGT) return Comparison{Case::kLT, b, a};
  if (op == Case::kGE) return Comparison{Case::kLE, b, a};
  if (op == Case::kNE) return std::nullopt;
  return Comparison{op, a, b};
}

/*! \brief Add a comparison, or two for a maximum below, or a minimum above, a limit. */
void AddSplit(Comparison comparison, std::vector<Comparison>* result) {
  std::vector<Comparison> rest = {std::move(comparison)};
  while (!rest.empty()) {
    const Comparison next = std::move(rest.back());
    rest.pop_back();
    const bool is_less = next.op != Case::kEQ;
    if (is_less && CaseOf(next.a) == Case::kMax) {
      const Operands values = OperandsOf(next.a.get(), Case::kMax);
      rest.push_back({next.op, *values.b, next.b});
      rest.push_back({next.op, *values.a, next.b});
    } else if (is_less && CaseOf(next.b) == Case::kMin) {
      const Operands values = OperandsOf(next.b.get(), Case::kMin);
      rest.push_back({next.op, next.a, *values.b});
      rest.push_back({next.op, next.a, *values.a});
    } else {
      result->push_back(next);
    }
  }
}

}  // namespace

std::optional<std::vector<Comparison>> ComparisonsOf(const PrimExpr& condition) {
  std::vector<Comparison> result;
  std::vector<ConditionPart> rest = {{condition, true}};
  while (!rest.empty()) {
    const auto [part, holds] = std::move(rest.back());
    rest.pop_back();
    const Case op = CaseOf(part);
    if (op == (holds ? Case::kAnd : Case::kOr)) {
      const Operands operands = OperandsOf(part.get(), op);
      rest.push_back({*operands.b, holds});
      rest.push_back({*operands.a, holds});
      continue;
    }
    if (op == Case::kNot) {
      rest.push_back({static_cast<const tir::NotNode*>(part.get())->a, !holds});
      continue;
    }
    if (!IsComparison(op)) return std::nullopt;
    std::optional<Comparison> comparison = Normalized(part, holds);
    if (!comparison) return std::nullopt;
    AddSplit(*std::move(comparison), &result);
  }
  return result;
}

std::optional<SymbolicInterval> ConditionSolver::Solve(const Comparison& comparison) {
  const bool in_a = depends_(comparison.a);
  const bool in_b = depends_(comparison.b);
  if (!in_a && !in_b) return std::nullopt;
  const DLDataType dtype = comparison.a->dtype;
  const bool is_left = in_a;
  PrimExpr expr = is_left ? comparison.a : comparison.b;
  PrimExpr limit = is_left ? comparison.b : comparison.a;
  if (in_a && in_b) {
    State& known = StateOf(analyzer_.get());
    if (!known.IsExact(comparison.a) || !known.IsExact(comparison.b)) {
      return std::nullopt;
    }
    expr = MakeBinary(Case::kSub, comparison.a, comparison.b, std::nullopt);
    limit = MakeInt(dtype, 0);
  }
  if (comparison.op == Case::kLT) {
    const Case step = is_left ? Case::kSub : Case::kAdd;
    const End next = OnEnds(step, limit, MakeInt(dtype, 1));
    if (!next.has_value()) return std::nullopt;
    limit = next.value();
  }
  if (comparison.op != Case::kEQ) return SolveBound({expr, is_left, limit});
  const std::optional<SymbolicInterval> below = SolveBound({expr, true, limit});
  const std::optional<SymbolicInterval> above = SolveBound({expr, false, limit});
  if (!below || !above) return std::nullopt;
  return Intersect(*below, *above);
}

std::optional<SymbolicInterval> ConditionSolver::SolveBound(Bound bound) {
  while (!var_.same_as(bound.expr)) {
    if (!Peel(&bound)) return std::nullopt;
  }
  const PrimExpr limit = bound.limit;
  return bound.is_upper ? SymbolicInterval{std::nullopt, limit}
                        : SymbolicInterval{limit, std::nullopt};
}

bool ConditionSolver::Peel(Bound* bound) {
  const Case op = CaseOf(bound->expr);
  if (!IsRing(op) && op != Case::kFloorDiv) return false;
  const Operands operands = OperandsOf(bound->expr.get(), op);
  if (op == Case::kFloorDiv) return !depends_(*operands.b) && PeelQuotient(bound);
  // The sum must not wrap around in its type.
  if (!StateOf(analyzer_.get()).IsExact(bound->expr)) return false;
  if (depends_(*operands.a) && depends_(*operands.b)) return Gather(bound);
  return op == Case::kMul ? PeelProduct(bound) : PeelSum(bound, op);
}

bool ConditionSolver::SetLimit(Bound* bound, const PrimExpr& expr, const End& limit) {
  if (!limit.has_value()) return false;
  bound->limit = limit.value();
  // Drop the operation last: its node may hold the operand.
  const PrimExpr rest = expr;
  bound->expr = rest;
  return true;
}

bool ConditionSolver::PeelSum(Bound* bound, Case op) {
  const Operands operands = OperandsOf(bound->expr.get(), op);
  if (depends_(*operands.a)) {
    const Case inverse = op == Case::kAdd ? Case::kSub : Case::kAdd;
    return SetLimit(bound, *operands.a, OnEnds(inverse, bound->limit, *operands.b));
  }
  if (op == Case::kAdd) {
    return SetLimit(bound, *operands.b, OnEnds(Case::kSub, bound->limit, *operands.a));
  }
  // `y - x <= limit` is `x >= y - limit`.
  const End limit = OnEnds(Case::kSub, *operands.a, bound->limit);
  bound->is_upper = !bound->is_upper;
  return SetLimit(bound, *operands.b, limit);
}

bool ConditionSolver::PeelProduct(Bound* bound) {
  const Operands operands = OperandsOf(bound->expr.get(), Case::kMul);
  const bool is_left = depends_(*operands.a);
  const PrimExpr rest = is_left ? *operands.a : *operands.b;
  const PrimExpr factor = is_left ? *operands.b : *operands.a;
  const int sign = SignOf(factor);
  if (sign == 0) return false;
  if (sign < 0) bound->is_upper = !bound->is_upper;
  const End limit = bound->is_upper ? OnEnds(Case::kFloorDiv, bound->limit, factor)
                                    : CeilDiv(bound->limit, factor);
  return SetLimit(bound, rest, limit);
}

bool ConditionSolver::PeelQuotient(Bound* bound) {
  const Operands operands = OperandsOf(bound->expr.get(), Case::kFloorDiv);
  const PrimExpr divisor = *operands.b;
  const PrimExpr one = MakeInt(divisor->dtype, 1);
  const int sign = SignOf(divisor);
  if (sign == 0) return false;
  // `x // d <= limit` is `x // d < limit + 1`, thus `x / d < limit + 1`.
  End limit = bound->limit;
  if (bound->is_upper) limit = OnEnds(Case::kAdd, limit, one);
  limit = OnEnds(Case::kMul, limit, divisor);
  if (bound->is_upper) limit = OnEnds(sign > 0 ? Case::kSub : Case::kAdd, limit, one);
  if (sign < 0) bound->is_upper = !bound->is_upper;
  return SetLimit(bound, *operands.a, limit);
}

bool ConditionSolver::Gather(Bound* bound) {
  const DLDataType dtype = var_->dtype;
  const std::optional<LinearParts> parts = LinearPartsFinder({var_}).VisitPrimExpr(bound->expr);
  if (!parts || !parts->coeffs[0].has_value()) return false;
  const PrimExpr zero = MakeInt(dtype, 0);
  const PrimExpr rest = Analyzer()->Simplify(parts->rest.value_or(zero));
  const PrimExpr coeff = Analyzer()->Simplify(parts->coeffs[0].value());
  const int sign = SignOf(coeff);
  if (sign == 0) return false;
  const End limit = OnEnds(Case::kSub, bound->limit, rest);
  if (!limit.has_value()) return false;
  if (sign < 0) bound->is_upper = !bound->is_upper;
  return SetLimit(
      bound, var_,
      bound->is_upper ? OnEnds(Case::kFloorDiv, limit, coeff) : CeilDiv(limit.value(), coeff));
}

int ConditionSolver::SignOf(const PrimExpr& factor) {
  const Interval bound = analyzer_->BoundOf(factor);
  if (bound.min > 0) return 1;
  if (bound.max < 0) return -1;
  const PrimExpr zero = MakeInt(factor->dtype, 0);
  if (analyzer_->CanProveLess(zero, factor)) return 1;
  return analyzer_->CanProveLess(factor, zero) ? -1 : 0;
}

End ConditionSolver::CeilDiv(const PrimExpr& dividend, const PrimExpr& divisor) {
  const DLDataType dtype = divisor->dtype;
  const PrimExpr zero = MakeInt(dtype, 0);
  const PrimExpr one = MakeInt(dtype, 1);
  const End quotient = OnEnds(Case::kFloorDiv, dividend, divisor);
  const PrimExpr remainder = MakeBinary(Case::kFloorMod, dividend, divisor, std::nullopt);
  if (analyzer_->CanProveEqual(remainder, zero)) return quotient;
  const PrimExpr is_between = MakeBinary(Case::kNE, remainder, zero, std::nullopt);
  if (analyzer_->CanProve(is_between)) return OnEnds(Case::kAdd, quotient, one);
  if (IntConstOf(divisor).value_or(0) > 0) {
    const End above = OnEnds(Case::kAdd, dividend, OnEnds(Case::kSub, divisor, one));
    return OnEnds(Case::kFloorDiv, above, divisor);
  }
  // Rounding up is rounding down the opposite.
  const End opposite = OnEnds(Case::kFloorDiv, OnEnds(Case::kSub, zero, dividend), divisor);
  return OnEnds(Case::kSub, zero, opposite);
}

}  // namespace uir::arith
