// Lowerings of reductions.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include <algorithm>
#include <utility>

#include "../../relay/operator_rule.h"
#include "../../relay/shape_rule.h"
#include "./index_math.h"
#include "./operator_call.h"
#include "./reduce.h"

namespace uir::transform {

namespace {

/*! \brief The reduced axes of the operand, and the indices of its elements. */
class ReducedAxes {
 public:
  explicit ReducedAxes(const OperatorCall& call) : x_(call.operand(0)) {
    const ffi::Any axis = relay::AttributeOf(call.call, "axis");
    relay::OptionalIntegers axes;
    if (const auto only = ir::IntegerOf(axis)) axes = ffi::Array<int64_t>{*only};
    if (const auto list = axis.as<ffi::Array<int64_t>>()) axes = *list;
    is_reduced_.resize(x_.rank());
    for (const size_t one : relay::NormalizeAxes(axes, x_.shape())) is_reduced_[one] = true;
    keeps_dims_ = relay::AttributeOf(call.call, "keepdims").cast<bool>();
  }

  Indices extents() const {
    Indices extents;
    for (size_t i = 0; i < x_.rank(); ++i) {
      if (is_reduced_[i]) extents.push_back(x_.shape()[static_cast<int64_t>(i)]);
    }
    return extents;
  }

  /*! \brief The indices of an element, from those of the result and of the reduction. */
  Indices At(const Indices& indices, const Indices& reduced) const {
    Indices all;
    int64_t next = 0;
    int64_t next_reduced = 0;
    for (const bool is_reduced : is_reduced_) {
      all.push_back(is_reduced ? reduced[next_reduced++] : indices[next]);
      if (!is_reduced || keeps_dims_) ++next;
    }
    return all;
  }

 private:
  const Value& x_;
  std::vector<bool> is_reduced_;
  bool keeps_dims_ = false;
};

Value Reduced(const OperatorCall& call, te::ReduceKind kind, DLDataType dtype) {
  const Value& x = call.operand(0);
  const ReducedAxes axes(call);
  const auto source = [&](const Indices& indices, const Indices& reduced) {
    return tir::cast(x.At(axes.At(indices, reduced)), dtype);
  };
  return Reduction{call.Name(), kind, call.results[0]->shape, axes.extents(), source}.Make();
}

template <te::ReduceKind kKind>
Values LowerReduction(const OperatorCall& call) {
  const DLDataType dtype = call.results[0]->dtype;
  return {Converted(Reduced(call, kKind, WideType(dtype)), dtype)};
}

/*! \brief The data type of the sum for a mean. */
DLDataType TotalType(DLDataType dtype) {
  if (ir::IsFloat(dtype)) return WideType(dtype);
  return dtype.code == kDLUInt ? ir::UIntType(64) : ir::IntType(64);
}

Values LowerMean(const OperatorCall& call) {
  const DLDataType dtype = TotalType(call.results[0]->dtype);
  const Value total = Reduced(call, te::ReduceKind::kSum, dtype);
  PrimExpr count = IndexIn(1, ir::IntType(64));
  for (const PrimExpr& extent : ReducedAxes(call).extents()) count = tir::mul(count, extent);
  return {call.Result([=, result = call.results[0]->dtype](const Indices& indices) {
    const PrimExpr sum = total.At(indices);
    if (ir::IsFloat(dtype)) return tir::cast(tir::div(sum, tir::cast(count, dtype)), result);
    // The mean of no integers is undefined, but must not divide by 0.
    const PrimExpr divisor = tir::max(count, IndexIn(1, ir::IntType(64)));
    return tir::cast(tir::truncdiv(sum, tir::cast(divisor, dtype)), result);
  })};
}

/*! \brief Whether an element is better than the best one so far; NaN is better than numbers. */
PrimExpr IsBetter(const PrimExpr& best, const PrimExpr& element, bool is_max, bool is_last) {
  PrimExpr better = is_max ? tir::less(best, element) : tir::less(element, best);
  if (is_last) better = is_max ? tir::less_equal(best, element) : tir::less_equal(element, best);
  if (!ir::IsFloat(best->dtype)) return better;
  const PrimExpr is_nan = tir::isnan(element);
  const PrimExpr is_first_nan = tir::logical_and(is_nan, tir::logical_not(tir::isnan(best)));
  return tir::logical_or(better, is_last ? is_nan : is_first_nan);
}

tir::CommReducer IndexCombiner(DLDataType dtype, bool is_max, bool is_last) {
  const tir::Var best_index("best_index", ir::IntType(64));
  const tir::Var index("index", ir::IntType(64));
  const tir::Var best("best", dtype);
  const tir::Var element("element", dtype);
  const PrimExpr is_better = IsBetter(best, element, is_max, is_last);
  const te::ReduceKind kind = is_max ? te::ReduceKind::kMax : te::ReduceKind::kMin;
  return tir::CommReducer(
      {best_index, best}, {index, element},
      {tir::select(is_better, index, best_index), tir::select(is_better, element, best)},
      {IndexIn(0, ir::IntType(64)), CombinerOf(kind, dtype)->identity_element[0]});
}

template <bool kIsMax>
Values LowerIndex(const OperatorCall& call) {
  const Value& x = call.operand(0);
  const ReducedAxes axes(call);
  const Indices extents = axes.extents();
  const bool is_last = relay::AttributeOf(call.call, "select_last").cast<bool>();
  const Indices& shape = call.results[0]->shape;
  const DLDataType dtype = IndexType(shape, extents);
  const ffi::Array<tir::IterVar> axis = MakeAxes(shape, tir::IterVarType::kDataPar, "i", dtype);
  const ffi::Array<tir::IterVar> reduced =
      MakeAxes(extents, tir::IterVarType::kCommReduce, "k", dtype);
  const PrimExpr element = x.At(axes.At(VarsOf(axis), VarsOf(reduced)));
  const ffi::Array<PrimExpr> body =
      te::reduce(IndexCombiner(x.dtype(), kIsMax, is_last),
                 {WideIndex(RowMajor(VarsOf(reduced), extents)), element}, reduced);
  return {Value(te::Tensor(te::ComputeOp(call.Name(), axis, body), 0))};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.sum", LowerReduction<te::ReduceKind::kSum>);
UIR_TRANSFORM_REGISTER_LOWERING("relay.prod", LowerReduction<te::ReduceKind::kProd>);
UIR_TRANSFORM_REGISTER_LOWERING("relay.max", LowerReduction<te::ReduceKind::kMax>);
UIR_TRANSFORM_REGISTER_LOWERING("relay.min", LowerReduction<te::ReduceKind::kMin>);
UIR_TRANSFORM_REGISTER_LOWERING("relay.mean", LowerMean);
UIR_TRANSFORM_REGISTER_LOWERING("relay.argmax", LowerIndex<true>);
UIR_TRANSFORM_REGISTER_LOWERING("relay.argmin", LowerIndex<false>);

}  // namespace

}  // namespace uir::transform
