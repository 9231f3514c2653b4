// Lowerings of convolutions and their transposes.
#include <uir/ir/dtype.h>
#include <uir/relay/convolution.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <utility>

#include "../../relay/shape_rule.h"
#include "./operator_call.h"
#include "./reduce.h"
#include "./window.h"

namespace uir::transform {

namespace {

PrimExpr All(const Indices& conditions) {
  PrimExpr all = ir::IntImm(ir::BoolType(), 1);
  for (const PrimExpr& condition : conditions) {
    all = ConstantIndex(all) ? condition : tir::logical_and(all, condition);
  }
  return all;
}

/*! \brief The data with zeros around it, as far as windows reach. */
Value PaddedData(const Value& data, const SlidingWindow& window, const Indices& places) {
  Indices shape = Between(data.shape(), 0, 2);
  bool is_padded = false;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr last = tir::sub(places[at], IndexIn(1, places[at]->dtype));
    const PrimExpr begin = tir::mul(last, IndexIn(window.strides[i], last->dtype));
    shape.push_back(tir::add(begin, window.Span(i)));
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

/*! \brief The sums with the bias of each channel, in the data type of the result. */
Values WithBias(const OperatorCall& call, const Value& sums) {
  const DLDataType dtype = call.results[0]->dtype;
  if (!call.Has(2)) return {Converted(sums, dtype)};
  const Value bias = call.operand(2);
  return {call.Result([=](const Indices& indices) {
    return tir::cast(tir::add(sums.At(indices), WideElement(bias, {indices[1]})), dtype);
  })};
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
  call.operand(0).StoreIfComputed();
  const Value data = PaddedData(call.operand(0), window, SpatialOf(shape));
  // A channel that few others are computed from is not worth a copy with its padding.
  const bool is_depthwise = attrs->groups != 1 && ConstantIndex(weight.shape()[1]) == 1;
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

/*! \brief What of the whole result is cut off before each spatial axis. */
Indices CutBefore(const OperatorCall& call, const SlidingWindow& window) {
  const auto* attrs = relay::AttrsOf<relay::ConvTransposeAttrsNode>(call.call);
  const std::string auto_pad = attrs->auto_pad;
  const bool is_same = auto_pad == "same_upper" || auto_pad == "same_lower";
  if (!attrs->output_shape.has_value() && !is_same) return window.before;
  Indices before;
  const Indices spatial = SpatialOf(call.operand(0).shape());
  for (size_t i = 0; i < spatial.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t extra = attrs->output_padding.has_value() ? attrs->output_padding.value()[at] : 0;
    const DLDataType dtype = spatial[at]->dtype;
    const PrimExpr last = tir::sub(spatial[at], IndexIn(1, dtype));
    const PrimExpr begin = tir::mul(last, IndexIn(window.strides[i], dtype));
    const PrimExpr whole = tir::add(tir::add(begin, window.Span(i)), IndexIn(extra, dtype));
    const PrimExpr total = tir::sub(whole, call.results[0]->shape[at + 2]);
    before.push_back(PaddingBefore(tir::max(total, IndexIn(0, total->dtype)), auto_pad));
  }
  return before;
}

/*! \brief The element of the data that reaches a place by an offset, and whether there is one. */
struct Reaching {
  Indices indices;
  Indices conditions;
};

Reaching ElementsReaching(const Value& data, const SlidingWindow& window, const Indices& places,
                          const Indices& offsets) {
  Reaching reaching;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr offset = tir::mul(offsets[at], IndexIn(window.dilations[i], offsets[at]->dtype));
    const PrimExpr reached = tir::sub(tir::add(places[at], window.before[at]), offset);
    const PrimExpr stride = IndexIn(window.strides[i], reached->dtype);
    const PrimExpr index = tir::floordiv(reached, stride);
    const PrimExpr zero = IndexIn(0, reached->dtype);
    reaching.indices.push_back(index);
    if (window.strides[i] != 1) {
      reaching.conditions.push_back(tir::equal(tir::floormod(reached, stride), zero));
    }
    reaching.conditions.push_back(IsWithin(index, zero, data.shape()[at + 2]));
  }
  return reaching;
}

Values LowerConvTranspose(const OperatorCall& call) {
  const Value& data = call.operand(0);
  const Value& weight = call.operand(1);
  data.StoreIfComputed();
  weight.StoreIfComputed();
  const auto* attrs = relay::AttrsOf<relay::ConvTransposeAttrsNode>(call.call);
  SlidingWindow window =
      MakeSlidingWindow(relay::MakeWindow(SpatialOf(weight.shape()), attrs->strides, attrs->pads,
                                          attrs->dilations, attrs->auto_pad),
                        attrs->auto_pad, SpatialOf(data.shape()));
  window.before = CutBefore(call, window);
  const PrimExpr per_group = tir::floordiv(data.shape()[1], relay::Dimension(attrs->groups));
  const auto reaching = [&](const Indices& indices, const Indices& reduced) {
    return ElementsReaching(data, window, SpatialOf(indices), Between(reduced, 1, reduced.size()));
  };
  const auto source = [&](const Indices& indices, const Indices& reduced) {
    const PrimExpr outputs = Divisor(weight.shape()[1]);
    const PrimExpr group = tir::floordiv(indices[1], outputs);
    const PrimExpr channel =
        attrs->groups == 1 ? reduced[0] : tir::add(tir::mul(group, per_group), reduced[0]);
    Indices from = {indices[0], channel};
    for (const PrimExpr& index : reaching(indices, reduced).indices) from.push_back(index);
    Indices to = {channel, attrs->groups == 1 ? indices[1] : tir::floormod(indices[1], outputs)};
    for (size_t i = 1; i < reduced.size(); ++i) to.push_back(reduced[static_cast<int64_t>(i)]);
    return tir::mul(WideElement(data, from), WideElement(weight, to));
  };
  const auto condition = [&](const Indices& indices, const Indices& reduced) {
    return All(reaching(indices, reduced).conditions);
  };
  Indices extents = {per_group};
  for (const PrimExpr& extent : SpatialOf(weight.shape())) extents.push_back(extent);
  return WithBias(call, Reduction{call.Name(), te::ReduceKind::kSum, call.results[0]->shape,
                                  extents, source, condition}
                            .Make());
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.conv", LowerConv);
UIR_TRANSFORM_REGISTER_LOWERING("relay.conv_transpose", LowerConvTranspose);

}  // namespace

}  // namespace uir::transform
