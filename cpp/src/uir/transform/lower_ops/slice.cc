// Lowerings of operators that split, join and pad tensors.
#include <uir/ir/dtype.h>
#include <uir/relay/slice.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <string>
#include <utility>

#include "../../relay/slice_begin.h"
#include "./loops.h"

namespace uir::transform {

namespace {

Values LowerConcatenate(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::ConcatenateAttrsNode>(call.call);
  const size_t axis = relay::NormalizeAxis(attrs->axis, call.results[0]->shape);
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    PrimExpr begin = IndexIn(0, ir::IntType(32));
    for (const Value& part : call.operands[0]) {
      InLoops(builder, part.shape(), [&](const Indices& indices) {
        const PrimExpr place = tir::add(begin, indices[static_cast<int64_t>(axis)]);
        (*builder)->Store(outputs[0], WithIndex(indices, axis, place), part.At(indices));
      });
      begin = tir::add(begin, part.shape()[static_cast<int64_t>(axis)]);
    }
  });
}

Values LowerSplit(const OperatorCall& call) {
  const Value x = call.operand(0);
  x.StoreIfComputed();
  const auto* attrs = relay::AttrsOf<relay::SplitAttrsNode>(call.call);
  const size_t axis = relay::NormalizeAxis(attrs->axis, x.shape());
  PrimExpr begin = IndexIn(0, ir::IntType(32));
  Values parts;
  for (const ir::TensorType& type : call.results) {
    const auto element = [x, axis, begin](const Indices& indices) {
      const PrimExpr place = tir::add(begin, indices[static_cast<int64_t>(axis)]);
      return x.At(WithIndex(indices, axis, place));
    };
    parts.push_back(Value::View(x, type->shape, element));
    begin = tir::add(begin, type->shape[static_cast<int64_t>(axis)]);
  }
  return parts;
}

/*! \brief The begin and the stride of a slice along one axis. */
struct AxisSlice {
  size_t axis;
  PrimExpr begin;
  int64_t stride;
};

std::vector<AxisSlice> SlicesOf(const relay::StridedSliceAttrsNode* attrs, const Indices& shape) {
  const relay::Shape begin = relay::ToShape(attrs->begin);
  std::vector<size_t> axes = relay::NormalizeAxes(attrs->axes, shape);
  if (!attrs->axes.has_value() && begin.size() < axes.size()) axes.resize(begin.size());
  const relay::DimensionMath math(relay::CurrentTypeContext());
  std::vector<AxisSlice> slices;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t stride = attrs->strides.has_value() ? attrs->strides.value()[at] : 1;
    const PrimExpr& dimension = shape[static_cast<int64_t>(axes[i])];
    slices.push_back({axes[i], relay::SliceBegin(begin[at], stride, dimension, math), stride});
  }
  return slices;
}

Values LowerStridedSlice(const OperatorCall& call) {
  const Value x = call.operand(0);
  const auto* attrs = relay::AttrsOf<relay::StridedSliceAttrsNode>(call.call);
  const std::vector<AxisSlice> slices = SlicesOf(attrs, x.shape());
  const auto element = [x, slices](const Indices& indices) {
    Indices places = indices;
    for (const AxisSlice& slice : slices) {
      const PrimExpr& index = indices[static_cast<int64_t>(slice.axis)];
      const PrimExpr step = tir::mul(index, IndexIn(slice.stride, index->dtype));
      places = WithIndex(places, slice.axis, tir::add(slice.begin, step));
    }
    return x.At(places);
  };
  return {Value::View(x, call.results[0]->shape, element)};
}

/*! \brief Padding along one axis; `first` and `extent` are the range of kept elements. */
struct AxisPadding {
  size_t axis;
  /*! \brief The number of elements added before them. */
  PrimExpr before;
  PrimExpr first;
  PrimExpr extent;
};

std::vector<AxisPadding> PaddingOf(const relay::PadAttrsNode* attrs, const Indices& shape) {
  const relay::Shape before = relay::ToShape(attrs->before);
  const relay::Shape after = relay::ToShape(attrs->after);
  const std::vector<size_t> axes = relay::NormalizeAxes(attrs->axes, shape);
  const relay::DimensionMath math(relay::CurrentTypeContext());
  const PrimExpr zero = relay::Dimension(int64_t{0});
  const auto removed = [&](const PrimExpr& width) { return math.Max(zero, math.Sub(zero, width)); };
  std::vector<AxisPadding> padding;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr first = removed(before[at]);
    const PrimExpr& dimension = shape[static_cast<int64_t>(axes[i])];
    const PrimExpr extent = math.Sub(math.Sub(dimension, first), removed(after[at]));
    padding.push_back({axes[i], math.Max(zero, before[at]), first, extent});
  }
  return padding;
}

/*! \brief The index of the element that fills a position outside of a tensor. */
PrimExpr Reflected(const std::string& mode, const PrimExpr& place, const PrimExpr& extent) {
  const PrimExpr one = IndexIn(1, extent->dtype);
  const PrimExpr last = tir::sub(extent, one);
  if (mode == "edge") return tir::max(tir::min(place, last), IndexIn(0, place->dtype));
  const PrimExpr positive = tir::max(extent, one);
  if (mode == "wrap") return tir::floormod(place, positive);
  // A period is the elements, followed by the elements in reverse order.
  if (mode == "symmetric") {
    const PrimExpr turn = tir::floormod(place, tir::mul(positive, IndexIn(2, extent->dtype)));
    return tir::min(turn,
                    tir::sub(tir::sub(tir::mul(positive, IndexIn(2, extent->dtype)), one), turn));
  }
  const PrimExpr period = tir::max(tir::mul(last, IndexIn(2, extent->dtype)), one);
  const PrimExpr turn = tir::floormod(place, period);
  return tir::min(turn, tir::sub(period, turn));
}

/*! \brief The element at indices of a tensor with constant padding. */
PrimExpr Padded(const Value& x, const std::vector<AxisPadding>& padding, const Indices& indices,
                const PrimExpr& value) {
  Indices places = indices;
  PrimExpr is_inside = ir::IntImm(ir::BoolType(), 1);
  for (const AxisPadding& one : padding) {
    const PrimExpr place = tir::sub(indices[static_cast<int64_t>(one.axis)], one.before);
    const PrimExpr is_here = IsWithin(place, IndexIn(0, place->dtype), one.extent);
    is_inside = ConstantIndex(is_inside) ? is_here : tir::logical_and(is_inside, is_here);
    places = WithIndex(places, one.axis, tir::add(place, one.first));
  }
  if (padding.empty()) return x.At(places);
  return tir::if_then_else(is_inside, x.At(places), value);
}

Values LowerPad(const OperatorCall& call) {
  const Value x = call.operand(0);
  const auto* attrs = relay::AttrsOf<relay::PadAttrsNode>(call.call);
  const std::vector<AxisPadding> padding = PaddingOf(attrs, x.shape());
  const std::string mode = attrs->mode;
  if (mode == "constant") {
    return {call.Result([=](const Indices& indices) {
      const PrimExpr value =
          call.Has(1) ? call.operand(1).At({}) : tir::cast(IndexIn(0, ir::IntType(32)), x.dtype());
      return Padded(x, padding, indices, value);
    })};
  }
  x.StoreIfComputed();
  const Indices& shape = call.results[0]->shape;
  std::vector<AxisPlaces> sources;
  for (const AxisPadding& one : padding) {
    // A table, as all lines along the axis are filled alike.
    const PrimExpr& dimension = shape[static_cast<int64_t>(one.axis)];
    const Value places(ComputeTensor("sources", {dimension}, [&](const Indices& indices) {
      const PrimExpr place = tir::sub(indices[0], one.before);
      return tir::add(Reflected(mode, place, one.extent), one.first);
    }));
    sources.push_back({one.axis, places});
  }
  return {Gathered(x, shape, std::move(sources))};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.concatenate", LowerConcatenate);
UIR_TRANSFORM_REGISTER_LOWERING("relay.split", LowerSplit);
UIR_TRANSFORM_REGISTER_LOWERING("relay.strided_slice", LowerStridedSlice);
UIR_TRANSFORM_REGISTER_LOWERING("relay.pad", LowerPad);

}  // namespace

}  // namespace uir::transform
