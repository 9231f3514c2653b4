// The facts that conditions imply about variables.
#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/arith/deduce_bound.h>
#include <uir/arith/deduction.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "./condition_solver.h"
#include "./set_evaluator.h"
#include "./symbolic_interval.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

void CheckCondition(const char* name, const PrimExpr& condition) {
  if (ir::IsBool(condition->dtype) && ir::IsScalar(condition->dtype)) return;
  TVM_FFI_THROW(TypeError) << name << ": `condition` must be a scalar boolean, got `"
                           << condition->dtype << "` (" << ir::describe(condition) << ")";
}

/*! \brief What satisfies all comparisons, for fixed values of the other variables. */
std::optional<SymbolicInterval> SolveAll(const Analyzer& known, const tir::Var& var,
                                         const std::vector<Comparison>& comparisons) {
  ConditionSolver solver(known, var);
  SymbolicInterval result;
  for (const Comparison& comparison : comparisons) {
    if (!solver.DependsOnVar(comparison.a) && !solver.DependsOnVar(comparison.b)) {
      if (known->CanProve(MakeBinary(comparison.op, comparison.a, comparison.b, std::nullopt))) {
        continue;
      }
      return std::nullopt;
    }
    const std::optional<SymbolicInterval> values = solver.Solve(comparison);
    if (!values) return std::nullopt;
    result = Intersect(result, *values);
  }
  return result;
}

/*! \brief The ends that hold for all values of the relaxed variables; none if there are none. */
std::optional<SymbolicInterval> HoldingForAll(const SymbolicInterval& values,
                                              const Domains& relaxed, const Analyzer& hinted) {
  SymbolicInterval result;
  if (values.min.has_value()) {
    result.min = eval_set(values.min.value(), relaxed, hinted)->max_value;
    if (!result.min.has_value()) return std::nullopt;
  }
  if (values.max.has_value()) {
    result.max = eval_set(values.max.value(), relaxed, hinted)->min_value;
    if (!result.max.has_value()) return std::nullopt;
  }
  return result;
}

/*! \brief Whether an interval between two ends is not known to have an element. */
bool MayBeEmpty(const Analyzer& known, const SymbolicInterval& values) {
  if (!values.min.has_value() || !values.max.has_value()) return false;
  return !known->CanProveLessEqual(values.min.value(), values.max.value());
}

}  // namespace

IntSet DeduceBound(const Analyzer& analyzer, const tir::Var& var, const PrimExpr& condition,
                   const Domains& relaxed) {
  const std::optional<std::vector<Comparison>> comparisons = ComparisonsOf(condition);
  if (!comparisons || comparisons->empty()) return nothing();
  // For all values of none anything holds.
  for (const auto& [other, values] : relaxed) {
    if (values->IsNothing()) return everything();
  }
  std::optional<SymbolicInterval> values;
  {
    const ConstraintScope scope(analyzer);
    AssumeDomains(analyzer, relaxed);
    values = SolveAll(analyzer, var, *comparisons);
  }
  if (!values) return nothing();
  const std::optional<SymbolicInterval> result = HoldingForAll(*values, relaxed, analyzer);
  if (!result) return nothing();
  const bool is_equation = comparisons->size() == 1 && comparisons->front().op == Case::kEQ;
  // An equation without a solution that is known to exist gives no bound.
  if (is_equation && MayBeEmpty(analyzer, *result)) return nothing();
  return ToIntSet(*result, Analyzer());
}

IntSet deduce_bound(tir::Var var, PrimExpr condition, Domains hints, Domains relaxed) {
  CheckCondition("deduce_bound", condition);
  const Analyzer hinted;
  AssumeDomains(hinted, hints);
  return DeduceBound(hinted, var, condition, relaxed);
}

ffi::Array<IntSet> detect_clip_bound(PrimExpr condition, ffi::Array<tir::Var> vars) {
  CheckCondition("detect_clip_bound", condition);
  const std::optional<std::vector<Comparison>> comparisons = ComparisonsOf(condition);
  if (!comparisons) return {};
  const Analyzer known;
  std::deque<ConditionSolver> solvers;
  for (const tir::Var& var : vars) solvers.emplace_back(known, var);
  std::vector<SymbolicInterval> found(vars.size());
  for (const Comparison& comparison : *comparisons) {
    std::optional<size_t> place;
    for (size_t i = 0; i < solvers.size(); ++i) {
      if (!solvers[i].DependsOnVar(comparison.a) && !solvers[i].DependsOnVar(comparison.b))
        continue;
      if (place) return {};
      place = i;
    }
    if (!place) return {};
    const std::optional<SymbolicInterval> values = solvers[*place].Solve(comparison);
    if (!values) return {};
    found[*place] = Intersect(found[*place], *values);
  }
  ffi::Array<IntSet> result;
  for (const SymbolicInterval& values : found) result.push_back(ToIntSet(values, known));
  return result;
}

}  // namespace uir::arith
