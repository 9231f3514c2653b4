// Interval analysis with symbolic ends.
#include "./set_evaluator.h"

#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <utility>
#include <vector>

#include "./analyzer_state.h"
#include "./intrinsic.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

void CheckDomain(const tir::Var& var, const End& end) {
  if (!end.has_value() || end.value()->dtype == var->dtype) return;
  TVM_FFI_THROW(TypeError) << "eval_set: the domain of `" << var->name
                           << "` must have its data type `" << var->dtype << "`, got `"
                           << end.value()->dtype << "` (" << ir::describe(end.value()) << ")";
}

/*! \brief Check the domains; false if one is empty. */
bool CheckDomains(const Domains& domains) {
  for (const auto& [var, domain] : domains) {
    if (domain->IsNothing()) return false;
    CheckDomain(var, domain->min_value);
    CheckDomain(var, domain->max_value);
  }
  return true;
}

std::vector<tir::Var> VarsOfDomains(const Domains& domains) {
  std::vector<tir::Var> vars;
  for (const auto& [var, domain] : domains) vars.push_back(var);
  return vars;
}

bool IsItself(const SymbolicInterval& domain, const PrimExpr& var) {
  return domain.IsPoint() && var.same_as(domain.min.value());
}

}  // namespace

void AssumeDomains(const Analyzer& analyzer, const Domains& domains) {
  for (const auto& [var, domain] : domains) {
    // For other types the analyzer only keeps bounds.
    if (!IsIndex(var->dtype)) {
      const std::optional<Interval> numbers = SymbolicInterval::Of(domain).AsNumbers();
      if (numbers) StateOf(analyzer.get()).Restrict(var, *numbers, {});
      StateOf(analyzer.get()).ClearMemos();
      continue;
    }
    if (domain->min_value.has_value()) analyzer->Assume(domain->min_value.value() <= var);
    if (domain->max_value.has_value()) analyzer->Assume(var <= domain->max_value.value());
  }
}

SetEvaluator::SetEvaluator(const Analyzer& analyzer, const Domains& domains)
    : analyzer_(analyzer), state_(StateOf(analyzer.get())), is_relaxed_(VarsOfDomains(domains)) {
  for (const auto& [var, domain] : domains) sets_[var.get()] = SymbolicInterval::Of(domain);
}

SymbolicInterval SetEvaluator::VisitPrimExpr(const PrimExpr& expr) {
  if (ir::IsScalar(expr->dtype) && !is_relaxed_(expr)) return SymbolicInterval::Point(expr);
  if (const SymbolicInterval* known = memo_.Find(expr)) return *known;
  const SymbolicInterval values = PrimExprFunctor::VisitPrimExpr(expr);
  const SymbolicInterval result = Tighten(values, expr);
  memo_.Add(expr, result);
  return result;
}

SymbolicInterval SetEvaluator::Tighten(const SymbolicInterval& interval, const PrimExpr& expr) {
  if (!ir::IsInteger(expr->dtype) && !ir::IsBool(expr->dtype)) return interval;
  const DLDataType dtype = ir::ElementOf(expr->dtype);
  const SymbolicInterval bound = SymbolicInterval::Of(analyzer_->BoundOf(expr), dtype);
  const auto is_number = [](const End& end) {
    return !end.has_value() || IntConstOf(end.value()).has_value();
  };
  const SymbolicInterval both = Intersect(interval, bound);
  return {is_number(interval.min) ? both.min : interval.min,
          is_number(interval.max) ? both.max : interval.max};
}

bool SetEvaluator::IsExact(const ir::PrimExprNode* op) {
  if (!IsIndex(ir::ElementOf(op->dtype))) return false;
  const PrimExpr expr = ffi::GetRef<PrimExpr>(op);
  return !state_.IsData(expr) || FitsType(state_.ExactBoundOf(expr), op->dtype);
}

SymbolicInterval SetEvaluator::VisitVar(const tir::VarNode* op) {
  const auto found = sets_.find(op);
  const PrimExpr var = ffi::GetRef<PrimExpr>(op);
  if (found == sets_.end() || IsItself(found->second, var)) {
    return ir::IsScalar(op->dtype) ? SymbolicInterval::Point(var) : SymbolicInterval();
  }
  // A domain that depends on itself has no ends.
  if (!open_.insert(op).second) return {};
  SymbolicInterval domain = found->second;
  if (domain.min.has_value()) domain.min = VisitPrimExpr(domain.min.value()).min;
  if (domain.max.has_value()) domain.max = VisitPrimExpr(domain.max.value()).max;
  open_.erase(op);
  return domain;
}

SymbolicInterval SetEvaluator::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (!IsArithmetic(kind)) return {};
  const bool may_wrap = IsRing(kind) || kind == Case::kDiv || kind == Case::kFloorDiv;
  if (may_wrap && !IsExact(op)) return {};
  const SymbolicInterval a = VisitPrimExpr(op->a);
  const SymbolicInterval b = VisitPrimExpr(op->b);
  const SymbolicInterval result = arithmetic_.Apply(kind, a, b, ir::ElementOf(op->dtype));
  return kind == Case::kFloorMod ? TightenRemainder(result, op) : result;
}

SymbolicInterval SetEvaluator::TightenRemainder(const SymbolicInterval& interval,
                                                const tir::BinaryOpNode* op) {
  const int64_t divisor = IntConstOf(op->b).value_or(0);
  if (divisor <= 0 || !ir::IsScalar(op->dtype)) return interval;
  const Congruence dividend = state_.CongruenceOf(op->a);
  const int64_t step = Gcd(dividend.coeff, divisor);
  const int64_t least = FloorMod(dividend.base, step);
  const Interval values = {least, divisor - step + least};
  const std::optional<Interval> numbers = interval.AsNumbers();
  return numbers ? SymbolicInterval::Of(Intersect(*numbers, values), op->dtype) : interval;
}

SymbolicInterval SetEvaluator::VisitSelect(const tir::SelectNode* op) {
  return Union(VisitPrimExpr(op->true_value), VisitPrimExpr(op->false_value));
}

SymbolicInterval SetEvaluator::VisitCast(const tir::CastNode* op) {
  const DLDataType from = op->value->dtype;
  const DLDataType to = ir::ElementOf(op->dtype);
  if (!ir::IsInteger(from) || !ir::IsInteger(to)) return {};
  const bool is_wider =
      from.code == to.code ? to.bits >= from.bits : from.code == kDLUInt && to.bits > from.bits;
  if (!is_wider && !FitsType(state_.BoundOf(op->value), to)) return {};
  const auto convert = [to](const End& end) {
    return end.has_value() ? End(tir::cast(end.value(), to)) : end;
  };
  const SymbolicInterval value = VisitPrimExpr(op->value);
  return value.IsPoint() ? SymbolicInterval::Point(tir::cast(value.min.value(), to))
                         : SymbolicInterval{convert(value.min), convert(value.max)};
}

SymbolicInterval SetEvaluator::VisitLet(const tir::LetNode* op) {
  sets_[op->var.get()] = VisitPrimExpr(op->value);
  state_.BindDefinition(op->var, op->value);
  return VisitPrimExpr(op->body);
}

SymbolicInterval SetEvaluator::VisitRamp(const tir::RampNode* op) {
  if (op->lanes < 1 || !IsExact(op)) return {};
  const DLDataType dtype = op->base->dtype;
  const SymbolicInterval first = VisitPrimExpr(op->base);
  const SymbolicInterval steps = SymbolicInterval::Point(MakeInt(dtype, op->lanes - 1));
  const SymbolicInterval whole =
      arithmetic_.Apply(Case::kMul, VisitPrimExpr(op->stride), steps, dtype);
  return Union(first, arithmetic_.Apply(Case::kAdd, first, whole, dtype));
}

SymbolicInterval SetEvaluator::VisitBroadcast(const tir::BroadcastNode* op) {
  return VisitPrimExpr(op->value);
}

SymbolicInterval SetEvaluator::VisitCall(const tir::CallNode* op) {
  switch (IntrinsicOf(op)) {
    case Intrinsic::kIfThenElse:
      return Union(VisitPrimExpr(op->args[1]), VisitPrimExpr(op->args[2]));
    case Intrinsic::kLikely:
      return VisitPrimExpr(op->args[0]);
    default:
      return {};
  }
}

IntSet eval_set(PrimExpr expr, Domains domains, ffi::Optional<Analyzer> analyzer) {
  if (!ir::IsInteger(expr->dtype) && !ir::IsBool(expr->dtype)) {
    TVM_FFI_THROW(TypeError) << "eval_set: `expr` must be an integer or a boolean, got `"
                             << expr->dtype << "` (" << ir::describe(expr) << ")";
  }
  if (!CheckDomains(domains)) return nothing();
  const Analyzer known = analyzer.value_or(Analyzer());
  SymbolicInterval values;
  {
    const ConstraintScope scope(known);
    AssumeDomains(known, domains);
    values = SetEvaluator(known, domains).VisitPrimExpr(known->Simplify(expr));
  }
  return ToIntSet(values, known);
}

}  // namespace uir::arith
