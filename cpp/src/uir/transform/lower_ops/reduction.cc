// Lowerings of reductions.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/limits.h>
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

/*! \brief The data type of places among elements: vectors have more lanes of 32 bits. */
DLDataType PlaceType(const Indices& extents) {
  const auto is_constant = [](const PrimExpr& extent) { return ConstantIndex(extent).has_value(); };
  const bool is_known = std::all_of(extents.begin(), extents.end(), is_constant);
  return ir::IntType(is_known && !HasLargeProduct(extents) ? 32 : 64);
}

/*! \brief The place of the first or last element that is as great as the greatest one, or NaN: two
 * reductions that run in vectors, where one of pairs does not. */
template <bool kIsMax>
Values LowerIndex(const OperatorCall& call) {
  const Value& x = call.operand(0);
  x.StoreIfComputed();
  const ReducedAxes axes(call);
  const Indices extents = axes.extents();
  const Indices& shape = call.results[0]->shape;
  const auto element = [&](const Indices& indices, const Indices& reduced) {
    return WideElement(x, axes.At(indices, reduced));
  };
  const te::ReduceKind kind = kIsMax ? te::ReduceKind::kMax : te::ReduceKind::kMin;
  const Value best = Reduction{call.Name() + "_best", kind, shape, extents, element}.Make();
  const bool is_last = relay::AttributeOf(call.call, "select_last").cast<bool>();
  const DLDataType dtype = PlaceType(extents);
  const PrimExpr nowhere = is_last ? IndexIn(-1, dtype) : tir::max_value(dtype);
  const auto place = [&](const Indices& indices, const Indices& reduced) {
    const PrimExpr one = element(indices, reduced);
    const PrimExpr here = tir::cast(RowMajor(reduced, extents), dtype);
    const bool may_be_nan = ir::IsFloat(one->dtype);
    const PrimExpr other = may_be_nan ? tir::select(tir::isnan(one), here, nowhere) : nowhere;
    return tir::select(tir::equal(one, best.At(indices)), here, other);
  };
  const te::ReduceKind chosen = is_last ? te::ReduceKind::kMax : te::ReduceKind::kMin;
  return {Converted(Reduction{call.Name(), chosen, shape, extents, place}.Make(),
                    call.results[0]->dtype)};
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
