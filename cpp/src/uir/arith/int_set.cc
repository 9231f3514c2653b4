// Sets of integers between symbolic ends, their unions and intersections.
#include <tvm/ffi/error.h>
#include <uir/arith/int_set.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>

#include <utility>

#include "./const_fold.h"
#include "./set_evaluator.h"
#include "./symbolic_interval.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

void CheckEnd(const char* name, const ffi::Optional<PrimExpr>& end) {
  if (!end.has_value()) return;
  const DLDataType dtype = end.value()->dtype;
  if (ir::IsScalar(dtype) && (ir::IsInteger(dtype) || ir::IsBool(dtype))) return;
  TVM_FFI_THROW(TypeError) << "IntSet: `" << name << "` must be a scalar integer or boolean, got `"
                           << dtype << "` (" << ir::describe(end.value()) << ")";
}

void CheckLimitTypes(const char* name, const ffi::Optional<PrimExpr>& a,
                     const ffi::Optional<PrimExpr>& b) {
  if (!a.has_value() || !b.has_value() || a.value()->dtype == b.value()->dtype) return;
  TVM_FFI_THROW(TypeError) << name << ": the ends must have the same data type, got `"
                           << a.value()->dtype << "` and `" << b.value()->dtype << "` ("
                           << ir::describe(a.value()) << ", " << ir::describe(b.value()) << ")";
}

using CombineIntervals = SymbolicInterval (*)(const SymbolicInterval&, const SymbolicInterval&);

/*! \brief Combine sets from the first to the last, and simplify the ends. */
IntSet Fold(const char* name, CombineIntervals combine, const IntSet& first,
            const ffi::Array<IntSet>& sets, const ffi::Optional<Analyzer>& analyzer) {
  SymbolicInterval result = SymbolicInterval::Of(first);
  for (const IntSet& set : sets) {
    const SymbolicInterval next = SymbolicInterval::Of(set);
    // The empty set has no data type of its own.
    if (!set->IsNothing() && !result.IsNothing()) {
      for (const End& end : {next.min, next.max}) {
        CheckLimitTypes(name, result.min, end);
        CheckLimitTypes(name, result.max, end);
      }
    }
    result = combine(result, next);
  }
  return ToIntSet(result, analyzer.value_or(Analyzer()));
}

}  // namespace

void IntSetNode::PostInit() {
  CheckEnd("min_value", min_value);
  CheckEnd("max_value", max_value);
  CheckLimitTypes("IntSet", min_value, max_value);
}

bool IntSetNode::IsNothing() const { return SymbolicInterval{min_value, max_value}.IsNothing(); }

bool IntSetNode::IsEverything() const { return !min_value.has_value() && !max_value.has_value(); }

bool IntSetNode::IsSinglePoint() const {
  if (!min_value.has_value() || !max_value.has_value()) return false;
  return IsSame(min_value.value(), max_value.value());
}

IntSet nothing() { return IntSet(MakeInt(ir::IntType(32), 1), MakeInt(ir::IntType(32), 0)); }

IntSet everything() { return IntSet(std::nullopt, std::nullopt); }

IntSet single_point(PrimExpr value) { return IntSet(value, value); }

IntSet set_of_range(ir::Range range) {
  const PrimExpr end = MakeBinary(Case::kAdd, range->min, range->extent, std::nullopt);
  const PrimExpr one = MakeInt(range->min->dtype, 1);
  const PrimExpr last = MakeBinary(Case::kSub, end, one, std::nullopt);
  return IntSet(range->min, Analyzer()->Simplify(last));
}

IntSet set_of_vector(PrimExpr value) { return eval_set(std::move(value), {}, std::nullopt); }

IntSet union_sets(ffi::Array<IntSet> sets, ffi::Optional<Analyzer> analyzer) {
  return Fold("union_sets", &Union, nothing(), sets, analyzer);
}

IntSet intersect_sets(ffi::Array<IntSet> sets, ffi::Optional<Analyzer> analyzer) {
  return Fold("intersect_sets", &Intersect, everything(), sets, analyzer);
}

}  // namespace uir::arith
