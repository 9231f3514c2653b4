// The part of a buffer that a region covers over all values of its variables.
#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/arith/iter_map.h>
#include <uir/arith/region.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>

#include <optional>
#include <utility>
#include <vector>

#include "./linear_parts.h"
#include "./set_evaluator.h"
#include "./symbolic_interval.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

using Ranges = ffi::Map<tir::Var, ir::Range>;

Domains DomainsOf(const Ranges& ranges) {
  Domains domains;
  for (const auto& [var, range] : ranges) domains.Set(var, set_of_range(range));
  return domains;
}

bool HasValues(const Domains& domains) {
  for (const auto& [var, domain] : domains) {
    if (domain->IsNothing()) return false;
  }
  return true;
}

void CheckPredicate(const char* name, const PrimExpr& predicate) {
  if (ir::IsBool(predicate->dtype) && ir::IsScalar(predicate->dtype)) return;
  TVM_FFI_THROW(TypeError) << name << ": `predicate` must be a scalar boolean, got `"
                           << predicate->dtype << "` (" << ir::describe(predicate) << ")";
}

/*! \brief What ranges cover that begin at the values of an index; none if there are gaps. */
std::optional<IntSet> Covered(const Analyzer& known, const IterSumExpr& index,
                              const PrimExpr& extent) {
  const auto compute = [&known](Case op, const PrimExpr& a, const PrimExpr& b) {
    return known->Simplify(MakeBinary(op, a, b, std::nullopt));
  };
  const PrimExpr one = MakeInt(extent->dtype, 1);
  const PrimExpr last = compute(Case::kSub, extent, one);
  const PrimExpr& base = index->base;
  if (index->args.empty()) return IntSet(base, compute(Case::kAdd, base, last));
  const IterSplitExpr& term = index->args[0];
  const PrimExpr steps = compute(Case::kSub, term->extent, one);
  const PrimExpr span = compute(Case::kMul, steps, term->scale);
  const PrimExpr other = compute(Case::kAdd, base, span);
  const PrimExpr opposite = compute(Case::kSub, MakeInt(extent->dtype, 0), term->scale);
  if (known->BoundOf(term->scale).min >= 0) {
    if (!known->CanProveLessEqual(term->scale, extent)) return std::nullopt;
    return IntSet(base, compute(Case::kAdd, other, last));
  }
  if (!known->CanProveLessEqual(opposite, extent)) return std::nullopt;
  if (known->BoundOf(term->scale).max > 0) return std::nullopt;
  return IntSet(other, compute(Case::kAdd, base, last));
}

/*! \brief The starts of a region as an iterator map; empty if they are none, or extents vary. */
ffi::Array<IterSumExpr> StartsOf(const ffi::Array<ir::Range>& region, const Ranges& domains,
                                 const PrimExpr& predicate, const Analyzer& known) {
  std::vector<tir::Var> vars;
  for (const auto& [var, range] : domains) vars.push_back(var);
  DependenceFinder depends(vars);
  ffi::Array<PrimExpr> starts;
  for (const ir::Range& range : region) {
    if (depends(range->extent)) return {};
    starts.push_back(range->min);
  }
  return detect_iter_map(starts, domains, predicate, "surjective", true, known)->indices;
}

/*! \brief The exact cover of a region; none if its starts are not independent. */
std::optional<std::vector<IntSet>> Exactly(const ffi::Array<ir::Range>& region,
                                           const Ranges& domains, const PrimExpr& predicate,
                                           const Analyzer& known) {
  const ffi::Array<IterSumExpr> starts = StartsOf(region, domains, predicate, known);
  if (starts.size() < region.size()) return std::nullopt;
  std::vector<IntSet> sets;
  for (size_t i = 0; i < region.size(); ++i) {
    std::optional<IntSet> set = Covered(known, starts[i], region[i]->extent);
    if (!set) return std::nullopt;
    sets.push_back(*std::move(set));
  }
  return sets;
}

/*! \brief An interval that contains all values of a range. */
SymbolicInterval AtMost(const Analyzer& known, SetEvaluator* evaluate, const ir::Range& range) {
  const IntSet set = set_of_range(range);
  const PrimExpr first = known->Simplify(set->min_value.value());
  const PrimExpr last = known->Simplify(set->max_value.value());
  return {evaluate->VisitPrimExpr(first).min, evaluate->VisitPrimExpr(last).max};
}

/*! \brief Assume that ranges are not empty, since the region covers nothing where they are. */
void AssumeNotEmpty(const Analyzer& known, const ffi::Array<ir::Range>& region) {
  for (const ir::Range& range : region) {
    if (IntConstOf(range->extent) || !IsIndex(range->extent->dtype)) continue;
    const PrimExpr one = MakeInt(range->extent->dtype, 1);
    known->Assume(MakeBinary(Case::kLE, one, range->extent, std::nullopt));
  }
}

bool AreIndices(const ffi::Array<ir::Range>& region) {
  for (const ir::Range& range : region) {
    if (!IsIndex(range->min->dtype)) return false;
  }
  return true;
}

}  // namespace

ffi::Array<IntSet> estimate_region_upper_bound(ffi::Array<ir::Range> region, Ranges domains,
                                               PrimExpr predicate,
                                               ffi::Optional<Analyzer> analyzer) {
  CheckPredicate("estimate_region_upper_bound", predicate);
  const Domains sets = DomainsOf(domains);
  if (!HasValues(sets)) {
    return {std::vector<IntSet>(region.size(), nothing())};
  }
  const Analyzer known = analyzer.value_or(Analyzer());
  std::vector<SymbolicInterval> covered;
  {
    const ConstraintScope scope(known);
    AssumeDomains(known, sets);
    known->Assume(predicate);
    AssumeNotEmpty(known, region);
    SetEvaluator evaluate(known, sets);
    for (const ir::Range& range : region) covered.push_back(AtMost(known, &evaluate, range));
  }
  ffi::Array<IntSet> result;
  for (size_t i = 0; i < region.size(); ++i) {
    // A single dimension is often an iterator map even if the dimensions are dependent.
    std::optional<std::vector<IntSet>> exact;
    if (AreIndices({region[i]})) exact = Exactly({region[i]}, domains, predicate, known);
    result.push_back(exact ? exact->front() : ToIntSet(covered[i], known));
  }
  return result;
}

ffi::Optional<ffi::Array<IntSet>> estimate_region_lower_bound(ffi::Array<ir::Range> region,
                                                              Ranges domains, PrimExpr predicate,
                                                              ffi::Optional<Analyzer> analyzer) {
  CheckPredicate("estimate_region_lower_bound", predicate);
  if (!HasValues(DomainsOf(domains))) return std::nullopt;
  const Analyzer known = analyzer.value_or(Analyzer());
  const ffi::Array<IterSumExpr> starts = StartsOf(region, domains, predicate, known);
  if (starts.size() < region.size()) return std::nullopt;
  ffi::Array<IntSet> sets;
  for (size_t i = 0; i < region.size(); ++i) {
    const PrimExpr& extent = region[i]->extent;
    // The values of an index are independent of the others, so that each of them will do.
    const IterSumExpr first({}, starts[i]->base);
    const std::optional<IntSet> all = Covered(known, starts[i], extent);
    sets.push_back(all ? *all : *Covered(known, first, extent));
  }
  return sets;
}

ffi::Optional<ffi::Array<IntSet>> estimate_region_strict_bound(ffi::Array<ir::Range> region,
                                                               Ranges domains, PrimExpr predicate,
                                                               ffi::Optional<Analyzer> analyzer) {
  CheckPredicate("estimate_region_strict_bound", predicate);
  if (!HasValues(DomainsOf(domains))) return std::nullopt;
  const std::optional<std::vector<IntSet>> sets =
      Exactly(region, domains, predicate, analyzer.value_or(Analyzer()));
  if (!sets) return std::nullopt;
  return ffi::Array<IntSet>(sets->begin(), sets->end());
}

}  // namespace uir::arith
