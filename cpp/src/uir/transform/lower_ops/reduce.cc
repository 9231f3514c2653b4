// Reductions: combiners, and stages with one result.
#include "./reduce.h"

#include <uir/ir/dtype.h>
#include <uir/tir/limits.h>
#include <uir/tir/op.h>

#include <limits>
#include <utility>

#include "./element_formula.h"

namespace uir::transform {

namespace {

/*! \brief The least value of a data type, or the greatest. */
PrimExpr LeastOf(DLDataType dtype) {
  if (!ir::IsFloat(dtype)) return tir::min_value(dtype);
  return tir::make_const(-std::numeric_limits<double>::infinity(), dtype);
}

PrimExpr GreatestOf(DLDataType dtype) {
  // Constants of `uint64` reach only 2^63 - 1.
  if (dtype == ir::UIntType(64)) return NumberIn(int64_t{-1}, dtype);
  if (!ir::IsFloat(dtype)) return tir::max_value(dtype);
  return tir::make_const(std::numeric_limits<double>::infinity(), dtype);
}

}  // namespace

tir::CommReducer CombinerOf(te::ReduceKind kind, DLDataType dtype) {
  if (kind != te::ReduceKind::kMin && kind != te::ReduceKind::kMax) {
    return te::combiner(kind, dtype);
  }
  const bool is_max = kind == te::ReduceKind::kMax;
  const tir::Var x("x", dtype);
  const tir::Var y("y", dtype);
  return tir::CommReducer({x}, {y}, {is_max ? MaxOrNan(x, y) : MinOrNan(x, y)},
                          {is_max ? LeastOf(dtype) : GreatestOf(dtype)});
}

Value Reduction::Make() const {
  const DLDataType dtype = IndexType(shape, extents);
  const ffi::Array<tir::IterVar> axes = MakeAxes(shape, tir::IterVarType::kDataPar, "i", dtype);
  const ffi::Array<tir::IterVar> reduced =
      MakeAxes(extents, tir::IterVarType::kCommReduce, "k", dtype);
  const PrimExpr element = source(VarsOf(axes), VarsOf(reduced));
  ffi::Optional<PrimExpr> counts;
  if (condition) counts = condition(VarsOf(axes), VarsOf(reduced));
  const ffi::Array<PrimExpr> body =
      te::reduce(CombinerOf(kind, element->dtype), {element}, reduced, counts);
  return Value(te::Tensor(te::ComputeOp(name, axes, body), 0));
}

}  // namespace uir::transform
