// Lowerings of convolutions.
#include "./convolution.h"

#include <uir/ir/dtype.h>
#include <uir/relay/convolution.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <optional>
#include <utility>

#include "../../relay/shape_rule.h"
#include "./operator_call.h"
#include "./reduce.h"
#include "./window.h"

namespace uir::transform {

PrimExpr All(const Indices& conditions) {
  PrimExpr all = ir::IntImm(ir::BoolType(), 1);
  for (const PrimExpr& condition : conditions) {
    all = ConstantIndex(all) ? condition : tir::logical_and(all, condition);
  }
  return all;
}

Values WithBias(const OperatorCall& call, const Value& sums) {
  const DLDataType dtype = call.results[0]->dtype;
  if (!call.Has(2)) return {Converted(sums, dtype)};
  const Value bias = call.operand(2);
  return {call.Result([=](const Indices& indices) {
    return tir::cast(tir::add(sums.At(indices), WideElement(bias, {indices[1]})), dtype);
  })};
}

namespace {

/*! \brief The extent that the windows along an axis cover; 0 without windows. */
PrimExpr PaddedExtent(const SlidingWindow& window, size_t axis, const PrimExpr& places) {
  const PrimExpr last = tir::sub(places, IndexIn(1, places->dtype));
  const PrimExpr begin = tir::mul(last, IndexIn(window.strides[axis], last->dtype));
  const PrimExpr span = window.Span(axis);
  const PrimExpr reach = tir::add(begin, span);
  // Without windows, `last` is -1, and `begin` one stride before the axis.
  const std::optional<int64_t> known = ConstantIndex(span);
  if (known.has_value() && *known >= window.strides[axis]) return reach;
  return tir::max(reach, IndexIn(0, reach->dtype));
}

/*! \brief The data with zeros around it, as far as windows reach. */
Value PaddedData(const Value& data, const SlidingWindow& window, const Indices& places) {
  Indices shape = Between(data.shape(), 0, 2);
  bool is_padded = false;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    shape.push_back(PaddedExtent(window, i, places[at]));
    is_padded =
        is_padded || ConstantIndex(window.before[at]) != 0 || ConstantIndex(window.after[at]) != 0;
  }
  if (!is_padded) return data;
  const auto element = [=](const Indices& indices) {
    Indices at = indices;
    Indices conditions;
    for (size_t i = 0; i < places.size(); ++i) {
      const PrimExpr index =
          tir::sub(indices[static_cast<int64_t>(i + 2)], window.before[static_cast<int64_t>(i)]);
      at = WithIndex(at, i + 2, index);
      conditions.push_back(
          IsWithin(index, IndexIn(0, index->dtype), data.shape()[static_cast<int64_t>(i + 2)]));
    }
    const PrimExpr zero = tir::cast(IndexIn(0, ir::IntType(32)), data.dtype());
    return tir::if_then_else(All(conditions), data.At(at), zero);
  };
  return Value("padded", shape, data.dtype(), element);
}

Values LowerConv(const OperatorCall& call) {
  const Value& weight = call.operand(1);
  weight.StoreIfComputed();
  const auto* attrs = relay::AttrsOf<relay::ConvAttrsNode>(call.call);
  const Indices& shape = call.results[0]->shape;
  const SlidingWindow window =
      MakeSlidingWindow(relay::MakeWindow(SpatialOf(weight.shape()), attrs->strides, attrs->pads,
                                          attrs->dilations, attrs->auto_pad),
                        attrs->auto_pad, SpatialOf(call.operand(0).shape()));
  // A channel that is used for few others is not worth a copy, converted or with its padding.
  const bool is_depthwise = attrs->groups != 1 && ConstantIndex(weight.shape()[1]) == 1;
  if (!is_depthwise) call.operand(0).StoreIfComputed();
  const Value data = PaddedData(call.operand(0), window, SpatialOf(shape));
  if (!is_depthwise) data.StoreIfComputed();
  const PrimExpr per_group = tir::floordiv(weight.shape()[0], relay::Dimension(attrs->groups));
  const auto source = [&](const Indices& indices, const Indices& reduced) {
    PrimExpr channel = reduced[0];
    if (attrs->groups != 1) {
      const PrimExpr group = tir::floordiv(indices[1], Divisor(per_group));
      channel = tir::add(tir::mul(group, weight.shape()[1]), channel);
    }
    Indices from = {indices[0], channel};
    for (size_t i = 0; i + 2 < indices.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      from.push_back(window.PaddedIndex(i, indices[at + 2], reduced[at + 1]));
    }
    Indices to = {indices[1]};
    for (const PrimExpr& index : reduced) to.push_back(index);
    return tir::mul(WideElement(data, from), WideElement(weight, to));
  };
  const Indices extents = Between(weight.shape(), 1, weight.rank());
  return WithBias(call,
                  Reduction{call.Name(), te::ReduceKind::kSum, shape, extents, source}.Make());
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.conv", LowerConv);

}  // namespace

}  // namespace uir::transform
