// Lowerings of max pooling, with or without indices, and of average pooling.
#include <uir/ir/dtype.h>
#include <uir/relay/pooling.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include <utility>

#include "../../relay/shape_rule.h"
#include "./operator_call.h"
#include "./reduce.h"
#include "./window.h"

namespace uir::transform {

namespace {

/*! \brief The windows of a pooling, and the elements in them. */
class Pooling {
 public:
  template <typename AttrsNode>
  Pooling(const OperatorCall& call, const AttrsNode* attrs) : x_(call.operand(0)) {
    x_.StoreIfComputed();
    const Indices spatial = SpatialOf(x_.shape());
    relay::Shape kernel;
    for (size_t i = 0; i < spatial.size(); ++i) {
      const auto at = attrs->kernel.size() == 1 ? 0 : static_cast<int64_t>(i);
      kernel.push_back(relay::Dimension(attrs->kernel[at]));
    }
    window_ = MakeSlidingWindow(
        relay::MakeWindow(kernel, attrs->strides, attrs->pads, attrs->dilations, attrs->auto_pad),
        attrs->auto_pad, spatial);
  }

  const SlidingWindow& window() const { return window_; }

  /*! \brief The indices of an element of a window. */
  Indices At(const Indices& indices, const Indices& offsets) const {
    Indices at = Between(indices, 0, 2);
    for (size_t i = 0; i < offsets.size(); ++i) {
      const auto axis = static_cast<int64_t>(i);
      at.push_back(window_.Index(i, indices[axis + 2], offsets[axis]));
    }
    return at;
  }

  /*! \brief Whether an element of a window is not padding. */
  PrimExpr IsInside(const Indices& indices, const Indices& offsets) const {
    const Indices at = At(indices, offsets);
    PrimExpr is_inside = ir::IntImm(ir::BoolType(), 1);
    for (size_t i = 2; i < at.size(); ++i) {
      const auto axis = static_cast<int64_t>(i);
      const PrimExpr is_here = IsWithin(at[axis], IndexIn(0, at[axis]->dtype), x_.shape()[axis]);
      is_inside = i == 2 ? is_here : tir::logical_and(is_inside, is_here);
    }
    return is_inside;
  }

  /*! \brief A reduction over the elements of each window, without those in padding. */
  Value Reduced(const OperatorCall& call, te::ReduceKind kind) const {
    const auto source = [&](const Indices& indices, const Indices& offsets) {
      const PrimExpr element = WideElement(x_, At(indices, offsets));
      const PrimExpr nothing = CombinerOf(kind, element->dtype)->identity_element[0];
      return tir::if_then_else(IsInside(indices, offsets), element, nothing);
    };
    return Reduction{call.Name(), kind, call.results[0]->shape, window_.kernel, source}.Make();
  }

 private:
  Value x_;
  SlidingWindow window_;
};

Values LowerMaxPool(const OperatorCall& call) {
  const Pooling pooling(call, relay::AttrsOf<relay::MaxPoolAttrsNode>(call.call));
  return {Converted(pooling.Reduced(call, te::ReduceKind::kMax), call.results[0]->dtype)};
}

/*! \brief The number of elements of a window from the padded index `low` up to `high`. */
PrimExpr CountBetween(const SlidingWindow& window, size_t axis, const PrimExpr& place,
                      const PrimExpr& low, const PrimExpr& high) {
  const PrimExpr begin = tir::mul(place, IndexIn(window.strides[axis], place->dtype));
  const PrimExpr first = CeilDiv(tir::sub(low, begin), window.dilations[axis]);
  const PrimExpr last = CeilDiv(tir::sub(high, begin), window.dilations[axis]);
  const PrimExpr zero = IndexIn(0, place->dtype);
  const PrimExpr end = tir::min(last, window.kernel[static_cast<int64_t>(axis)]);
  return tir::max(tir::sub(end, tir::max(first, zero)), zero);
}

Values LowerAvgPool(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::AvgPoolAttrsNode>(call.call);
  const Pooling pooling(call, attrs);
  const Value total = pooling.Reduced(call, te::ReduceKind::kSum);
  const Indices spatial = SpatialOf(call.operand(0).shape());
  const bool counts_padding = attrs->count_include_pad;
  return {call.Result([=, dtype = call.results[0]->dtype](const Indices& indices) {
    const SlidingWindow& window = pooling.window();
    PrimExpr count = IndexIn(1, ir::IntType(32));
    for (size_t i = 0; i < spatial.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      PrimExpr low = window.before[at];
      PrimExpr high = tir::add(low, spatial[at]);
      if (counts_padding) {
        low = IndexIn(0, low->dtype);
        high = tir::add(high, window.after[at]);
      }
      count = tir::mul(count, CountBetween(window, i, indices[at + 2], low, high));
    }
    const DLDataType wide = total.dtype();
    return tir::cast(tir::div(total.At(indices), tir::cast(count, wide)), dtype);
  })};
}

/*! \brief The index of an element in the whole tensor. */
PrimExpr FlatIndex(const Indices& indices, const Indices& shape, bool column_major) {
  if (!column_major) return WideIndex(RowMajor(indices, shape));
  Indices reversed = Between(indices, 0, 2);
  Indices dimensions = Between(shape, 0, 2);
  for (size_t i = indices.size(); i-- > 2;) {
    reversed.push_back(indices[static_cast<int64_t>(i)]);
    dimensions.push_back(shape[static_cast<int64_t>(i)]);
  }
  return WideIndex(RowMajor(reversed, dimensions));
}

/*! \brief Keeps the first greatest element and its index; the initial index is -1. */
tir::CommReducer PlaceCombiner(DLDataType dtype) {
  const tir::Var best("best", dtype);
  const tir::Var element("element", dtype);
  const tir::Var best_place("best_place", ir::IntType(64));
  const tir::Var place("place", ir::IntType(64));
  const PrimExpr none = IndexIn(-1, ir::IntType(64));
  PrimExpr is_better = tir::less(best, element);
  if (ir::IsFloat(dtype)) {
    const PrimExpr is_first_nan =
        tir::logical_and(tir::isnan(element), tir::logical_not(tir::isnan(best)));
    is_better = tir::logical_or(is_better, is_first_nan);
  }
  is_better = tir::logical_or(is_better, tir::equal(best_place, none));
  return tir::CommReducer(
      {best, best_place}, {element, place},
      {tir::select(is_better, element, best), tir::select(is_better, place, best_place)},
      {CombinerOf(te::ReduceKind::kMax, dtype)->identity_element[0], none});
}

Values LowerMaxPoolWithIndices(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::MaxPoolWithIndicesAttrsNode>(call.call);
  const Pooling pooling(call, attrs);
  const Value& x = call.operand(0);
  const Indices& shape = call.results[0]->shape;
  const Indices& kernel = pooling.window().kernel;
  const DLDataType dtype = IndexType(shape, kernel);
  const ffi::Array<tir::IterVar> axes = MakeAxes(shape, tir::IterVarType::kDataPar, "i", dtype);
  const ffi::Array<tir::IterVar> reduced =
      MakeAxes(kernel, tir::IterVarType::kCommReduce, "k", dtype);
  const Indices at = pooling.At(VarsOf(axes), VarsOf(reduced));
  const ffi::Array<PrimExpr> body = te::reduce(
      PlaceCombiner(x.dtype()), {x.At(at), FlatIndex(at, x.shape(), attrs->column_major)}, reduced,
      pooling.IsInside(VarsOf(axes), VarsOf(reduced)));
  const te::ComputeOp op(call.Name(), axes, body);
  return {Value(te::Tensor(op, 0)), Value(te::Tensor(op, 1))};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.max_pool", LowerMaxPool);
UIR_TRANSFORM_REGISTER_LOWERING("relay.max_pool_with_indices", LowerMaxPoolWithIndices);
UIR_TRANSFORM_REGISTER_LOWERING("relay.avg_pool", LowerAvgPool);

}  // namespace

}  // namespace uir::transform
