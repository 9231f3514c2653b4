// Lowerings of operators that change shapes, or move or repeat elements.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/relay/creation.h>
#include <uir/relay/shape.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "../../relay/operator_rule.h"
#include "../../relay/shape_rule.h"
#include "./index_math.h"
#include "./operator_call.h"

namespace uir::transform {

namespace {

/*! \brief The index of the same element in a tensor of another shape, in row-major order. */
Indices Reshaped(const Indices& indices, const Indices& from, const Indices& to) {
  const size_t shorter = std::min(from.size(), to.size());
  size_t front = 0;
  while (front < shorter &&
         IsSameDimension(from[static_cast<int64_t>(front)], to[static_cast<int64_t>(front)])) {
    ++front;
  }
  size_t back = 0;
  while (front + back < shorter &&
         IsSameDimension(from[static_cast<int64_t>(from.size() - 1 - back)],
                         to[static_cast<int64_t>(to.size() - 1 - back)])) {
    ++back;
  }
  Indices result = Between(indices, 0, front);
  const PrimExpr place = RowMajor(Between(indices, front, from.size() - back),
                                  Between(from, front, from.size() - back));
  for (const PrimExpr& index : SplitPlace(place, Between(to, front, to.size() - back))) {
    result.push_back(index);
  }
  for (size_t i = from.size() - back; i < from.size(); ++i) {
    result.push_back(indices[static_cast<int64_t>(i)]);
  }
  return result;
}

Values LowerReshape(const OperatorCall& call) {
  const Value x = call.operand(0);
  const Indices shape = call.results[0]->shape;
  const auto element = [x, shape](const Indices& indices) {
    return x.At(Reshaped(indices, shape, x.shape()));
  };
  return {Value::View(x, shape, element)};
}

Values LowerTranspose(const OperatorCall& call) {
  const Value x = call.operand(0);
  const auto* attrs = relay::AttrsOf<relay::TransposeAttrsNode>(call.call);
  std::vector<size_t> axes = relay::NormalizeAxes(attrs->axes, x.shape());
  if (!attrs->axes.has_value()) std::reverse(axes.begin(), axes.end());
  const auto element = [x, axes](const Indices& indices) {
    Indices moved = indices;
    for (size_t i = 0; i < axes.size(); ++i) {
      moved = WithIndex(moved, axes[i], indices[static_cast<int64_t>(i)]);
    }
    return x.At(moved);
  };
  return {Value::View(x, call.results[0]->shape, element)};
}

/*! \brief Whether a symbolic dimension may be 1 and broadcast to a target other than 1. */
bool MayBroadcast(const PrimExpr& dimension, const PrimExpr& target) {
  return !ConstantIndex(dimension).has_value() && !tschema::StructuralEqual(dimension, target);
}

Values LowerBroadcastTo(const OperatorCall& call) {
  const Value x = call.operand(0);
  const Indices shape = call.results[0]->shape;
  StoreIfBroadcast(x, shape);
  std::vector<bool> may_broadcast;
  const auto offset = static_cast<int64_t>(shape.size() - x.rank());
  for (size_t i = 0; i < x.rank(); ++i) {
    const auto at = static_cast<int64_t>(i);
    may_broadcast.push_back(MayBroadcast(x.shape()[at], shape[offset + at]));
    if (may_broadcast.back()) x.StoreIfComputed();
  }
  const auto element = [x, may_broadcast](const Indices& indices) {
    Indices inside = BroadcastIndices(indices, x.shape());
    for (size_t i = 0; i < inside.size(); ++i) {
      if (!may_broadcast[i]) continue;
      const auto at = static_cast<int64_t>(i);
      const PrimExpr last = tir::sub(x.shape()[at], IndexIn(1, x.shape()[at]->dtype));
      inside.Set(at, tir::min(inside[at], last));
    }
    return x.At(inside);
  };
  return {Value::View(x, call.results[0]->shape, element)};
}

Values LowerTile(const OperatorCall& call) {
  const Value x = call.operand(0);
  x.StoreIfComputed();
  const Indices shape = call.results[0]->shape;
  std::vector<AxisPlaces> sources;
  for (size_t i = 0; i < x.rank(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr& dimension = x.shape()[at];
    if (IsSameDimension(dimension, shape[at])) continue;
    // A table, as all lines along the axis are repeated alike.
    const Value places(ComputeTensor("sources", {shape[at]}, [&](const Indices& indices) {
      return tir::floormod(indices[0], Divisor(dimension));
    }));
    sources.push_back({i, places});
  }
  return {Gathered(x, shape, std::move(sources))};
}

Values LowerShapeOf(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::ShapeOfAttrsNode>(call.call);
  const Indices& shape = call.operand(0).shape();
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t start = attrs->start < 0 ? attrs->start + rank : attrs->start;
  const auto first = static_cast<size_t>(std::clamp<int64_t>(start, 0, rank));
  const auto count = static_cast<size_t>(ConstantIndex(call.results[0]->shape[0]).value());
  const Indices listed = Between(shape, first, first + count);
  return {call.Result([listed](const Indices& indices) {
    return listed.empty() ? IndexIn(0, ir::IntType(64)) : Chosen(listed, indices[0]);
  })};
}

Values LowerArange(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::ArangeAttrsNode>(call.call);
  const PrimExpr start = WideIndex(relay::Dimension(attrs->start));
  const PrimExpr step = IndexIn(attrs->step, ir::IntType(64));
  return {call.Result([=, dtype = call.results[0]->dtype](const Indices& indices) {
    return tir::cast(tir::add(start, tir::mul(WideIndex(indices[0]), step)), dtype);
  })};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.reshape", LowerReshape);
UIR_TRANSFORM_REGISTER_LOWERING("relay.squeeze", LowerReshape);
UIR_TRANSFORM_REGISTER_LOWERING("relay.expand_dims", LowerReshape);
UIR_TRANSFORM_REGISTER_LOWERING("relay.transpose", LowerTranspose);
UIR_TRANSFORM_REGISTER_LOWERING("relay.broadcast_to", LowerBroadcastTo);
UIR_TRANSFORM_REGISTER_LOWERING("relay.full", LowerBroadcastTo);
UIR_TRANSFORM_REGISTER_LOWERING("relay.tile", LowerTile);
UIR_TRANSFORM_REGISTER_LOWERING("relay.shape_of", LowerShapeOf);
UIR_TRANSFORM_REGISTER_LOWERING("relay.arange", LowerArange);

}  // namespace

}  // namespace uir::transform
