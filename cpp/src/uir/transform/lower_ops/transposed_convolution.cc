// Lowerings of transposed convolutions.
//
// An element of the result is the sum over the taps that reach it. These are the taps of its phase,
// the remainder of its index by the stride. If each tap is in one phase, the taps of a phase form a
// convolution with stride 1, so the sums are computed phase by phase and then reordered.
#include <uir/ir/dtype.h>
#include <uir/relay/convolution.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <utility>

#include "../../relay/shape_rule.h"
#include "../analysis/same_padding.h"
#include "./convolution.h"
#include "./operator_call.h"
#include "./reduce.h"
#include "./window.h"

namespace uir::transform {

namespace {

/*! \brief The number of elements cut off at the start of each spatial axis of the whole result. */
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

/*! \brief The element of the data that reaches a place by an offset, if all conditions hold. */
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

/*! \brief The sums over all taps, each with a condition that it reaches the element. */
Value SumsOfReaching(const OperatorCall& call, const SlidingWindow& window) {
  const Value& data = call.operand(0);
  const Value& weight = call.operand(1);
  const auto* attrs = relay::AttrsOf<relay::ConvTransposeAttrsNode>(call.call);
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
  return Reduction{call.Name(), te::ReduceKind::kSum, call.results[0]->shape, extents, source,
                   condition}
      .Make();
}

/*! \brief Phases of an axis with equally many taps; the taps of phase `p` of these are
 * `first + p + i * stride`. */
struct Phases {
  int64_t first;
  int64_t count;
  int64_t taps;
};

/*! \brief A spatial axis of a transposed convolution, each of whose taps is in one phase. */
struct PhasedAxis {
  int64_t stride;
  int64_t dilation;
  /*! \brief The largest number of taps of a phase. */
  int64_t most_taps;
  std::vector<Phases> phases;
  /*! \brief The summand that is added to an index of the result before the division by `stride`. */
  PrimExpr before;
  /*! \brief The least quotient, and the number of quotients. */
  PrimExpr begin;
  PrimExpr extent;

  PrimExpr Padded(const PrimExpr& index) const { return tir::add(index, before); }
  PrimExpr Phase(const PrimExpr& index) const {
    return tir::floormod(Padded(index), IndexIn(stride, index->dtype));
  }
  PrimExpr Quotient(const PrimExpr& index) const {
    return tir::sub(tir::floordiv(Padded(index), IndexIn(stride, index->dtype)), begin);
  }
};

/*! \brief An axis whose window has a constant number of taps, if only its stride or only its
 * dilation is larger than 1. */
std::optional<PhasedAxis> AxisOf(const SlidingWindow& window, size_t axis, const PrimExpr& places) {
  const auto at = static_cast<int64_t>(axis);
  const int64_t stride = window.strides[axis], dilation = window.dilations[axis];
  const std::optional<int64_t> taps = ConstantIndex(window.kernel[at]);
  if (!taps || *taps < 1 || (stride != 1 && dilation != 1)) return std::nullopt;
  const int64_t more = *taps % stride, least = *taps / stride;
  const PrimExpr& before = window.before[at];
  const int64_t most = more != 0 ? least + 1 : least;
  const PrimExpr begin = tir::floordiv(before, IndexIn(stride, before->dtype));
  PhasedAxis made{stride, dilation, most, {}, before, begin, begin};
  if (more != 0) made.phases.push_back({0, more, least + 1});
  made.phases.push_back({more, stride - more, least});
  const DLDataType dtype = places->dtype;
  const PrimExpr last = tir::sub(places, IndexIn(1, dtype));
  made.extent = tir::add(made.Quotient(last), IndexIn(1, dtype));
  return made;
}

class PhasedSums {
 public:
  PhasedSums(const OperatorCall& call, std::vector<PhasedAxis> axes)
      : call_(call),
        axes_(std::move(axes)),
        groups_(relay::AttrsOf<relay::ConvTransposeAttrsNode>(call.call)->groups),
        data_(Padded()) {}

  /*! \brief The sums of all phases, in the order of the result. */
  Value InOrder() { return InOrder({}); }

 private:
  /*! \brief The data with zeros around it, as far as the taps of a quotient reach. */
  Value Padded() const {
    const Value data = call_.operand(0);
    Indices shape = Between(data.shape(), 0, 2);
    for (const PhasedAxis& axis : axes_) {
      const int64_t reach = (axis.most_taps - 1) * axis.dilation;
      shape.push_back(tir::add(axis.extent, IndexIn(reach, axis.extent->dtype)));
    }
    const auto element = [&](const Indices& indices) {
      Indices at = indices, conditions;
      for (size_t i = 0; i < axes_.size(); ++i) {
        const auto place = static_cast<int64_t>(i + 2);
        const int64_t reach = (axes_[i].most_taps - 1) * axes_[i].dilation;
        const PrimExpr begin = tir::sub(axes_[i].begin, IndexIn(reach, axes_[i].begin->dtype));
        const PrimExpr index = tir::add(indices[place], begin);
        conditions.push_back(IsWithin(index, IndexIn(0, index->dtype), data.shape()[place]));
        at.Set(place, index);
      }
      const PrimExpr zero = tir::cast(IndexIn(0, ir::IntType(32)), data.dtype());
      return tir::if_then_else(All(conditions), data.At(at), zero);
    };
    return Value(ComputeTensor("padded", shape, element));
  }

  PrimExpr PerGroup() const {
    return tir::floordiv(call_.operand(0).shape()[1], relay::Dimension(groups_));
  }

  /*! \brief The weights of some phases: by channel of the result, by phases, by channel of the
   * group, by taps from the last one on. */
  Value Weights(const std::vector<Phases>& phases) const {
    const Value weight = call_.operand(1);
    Indices shape = {call_.results[0]->shape[1]};
    for (const Phases& some : phases) shape.push_back(relay::Dimension(some.count));
    shape.push_back(PerGroup());
    for (const Phases& some : phases) shape.push_back(relay::Dimension(some.taps));
    const auto element = [&](const Indices& indices) {
      const PrimExpr outputs = Divisor(weight.shape()[1]);
      const size_t rank = phases.size();
      PrimExpr channel = indices[static_cast<int64_t>(rank + 1)];
      PrimExpr output = indices[0];
      if (groups_ != 1) {
        channel = tir::add(tir::mul(tir::floordiv(output, outputs), PerGroup()), channel);
        output = tir::floormod(output, outputs);
      }
      Indices at = {channel, output};
      for (size_t i = 0; i < rank; ++i) {
        const PrimExpr phase = indices[static_cast<int64_t>(i + 1)];
        const PrimExpr tap = indices[static_cast<int64_t>(i + rank + 2)];
        const PrimExpr last = IndexIn(phases[i].taps - 1, tap->dtype);
        const PrimExpr steps = tir::mul(tir::sub(last, tap), IndexIn(axes_[i].stride, tap->dtype));
        at.push_back(tir::add(tir::add(phase, IndexIn(phases[i].first, phase->dtype)), steps));
      }
      return weight.At(at);
    };
    return Value(ComputeTensor("weights", shape, element));
  }

  /*! \brief The sums of some phases: by image, by channel, by phases, by quotients. */
  Value Sums(const std::vector<Phases>& phases) const {
    const Indices& result = call_.results[0]->shape;
    const size_t rank = phases.size();
    Indices shape = Between(result, 0, 2), extents = {PerGroup()};
    for (const Phases& some : phases) shape.push_back(relay::Dimension(some.count));
    for (size_t i = 0; i < rank; ++i) {
      shape.push_back(axes_[i].extent);
      extents.push_back(relay::Dimension(phases[i].taps));
    }
    const Value weights = Weights(phases);
    const auto source = [&](const Indices& indices, const Indices& reduced) {
      PrimExpr channel = reduced[0];
      if (groups_ != 1) {
        const PrimExpr group = tir::floordiv(indices[1], Divisor(call_.operand(1).shape()[1]));
        channel = tir::add(tir::mul(group, PerGroup()), channel);
      }
      Indices from = {indices[0], channel}, to = {indices[1]};
      for (size_t i = 0; i < rank; ++i) {
        const PrimExpr quotient = indices[static_cast<int64_t>(i + rank + 2)];
        const PrimExpr tap = reduced[static_cast<int64_t>(i + 1)];
        const int64_t skipped = (axes_[i].most_taps - phases[i].taps) * axes_[i].dilation;
        const PrimExpr steps = tir::mul(tap, IndexIn(axes_[i].dilation, tap->dtype));
        from.push_back(tir::add(tir::add(quotient, steps), IndexIn(skipped, tap->dtype)));
        to.push_back(indices[static_cast<int64_t>(i + 2)]);
      }
      for (const PrimExpr& index : reduced) to.push_back(index);
      return tir::mul(WideElement(data_, from), WideElement(weights, to));
    };
    return Reduction{call_.Name(), te::ReduceKind::kSum, shape, extents, source}.Make();
  }

  /*! \brief The result for the chosen phases of the first axes. */
  Value InOrder(std::vector<Phases> chosen) {
    const Indices& shape = call_.results[0]->shape;
    if (chosen.size() == axes_.size()) return Chosen(chosen);
    const PhasedAxis& axis = axes_[chosen.size()];
    std::vector<Value> parts;
    for (const Phases& phases : axis.phases) {
      chosen.push_back(phases);
      parts.push_back(InOrder(chosen));
      chosen.pop_back();
    }
    if (parts.size() == 1) return parts[0];
    const auto place = static_cast<int64_t>(chosen.size() + 2);
    const int64_t border = axis.phases[1].first;
    const auto element = [axis, parts, place, border](const Indices& indices) {
      const PrimExpr phase = axis.Phase(indices[place]);
      return tir::if_then_else(tir::less(phase, IndexIn(border, phase->dtype)),
                               parts[0].At(indices), parts[1].At(indices));
    };
    return Value(call_.Name(), shape, parts[0].dtype(), element);
  }

  /*! \brief The elements of the result in some phases. */
  Value Chosen(const std::vector<Phases>& phases) const {
    const Value sums = Sums(phases);
    const std::vector<PhasedAxis> axes = axes_;
    const auto element = [sums, axes, phases](const Indices& indices) {
      Indices at = Between(indices, 0, 2);
      for (size_t i = 0; i < axes.size(); ++i) {
        const PrimExpr phase = axes[i].Phase(indices[static_cast<int64_t>(i + 2)]);
        at.push_back(tir::sub(phase, IndexIn(phases[i].first, phase->dtype)));
      }
      for (size_t i = 0; i < axes.size(); ++i) {
        at.push_back(axes[i].Quotient(indices[static_cast<int64_t>(i + 2)]));
      }
      return sums.At(at);
    };
    return Value(call_.Name(), call_.results[0]->shape, sums.dtype(), element);
  }

  const OperatorCall& call_;
  std::vector<PhasedAxis> axes_;
  int64_t groups_;
  Value data_;
};

/*! \brief The phases of all axes; `nullopt` if an axis has none. */
std::optional<std::vector<PhasedAxis>> PhasedAxesOf(const OperatorCall& call,
                                                    const SlidingWindow& window) {
  std::vector<PhasedAxis> axes;
  const Indices places = SpatialOf(call.results[0]->shape);
  for (size_t i = 0; i < places.size(); ++i) {
    std::optional<PhasedAxis> axis = AxisOf(window, i, places[static_cast<int64_t>(i)]);
    if (!axis) return std::nullopt;
    axes.push_back(*std::move(axis));
  }
  return axes;
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
  if (auto axes = PhasedAxesOf(call, window)) {
    return WithBias(call, PhasedSums(call, *std::move(axes)).InOrder());
  }
  return WithBias(call, SumsOfReaching(call, window));
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.conv_transpose", LowerConvTranspose);

}  // namespace

}  // namespace uir::transform
