// Lowerings of operators that read or write elements at indices from tensors.
#include <uir/ir/dtype.h>
#include <uir/relay/indexing.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt.h>

#include <functional>
#include <string>

#include "../../relay/shape_rule.h"
#include "./element_formula.h"
#include "./loops.h"

namespace uir::transform {

namespace {

const DLDataType kPlace = ir::IntType(64);

/*! \brief An index from the front, after wrapping or clipping; it may be out of range. */
PrimExpr IndexPlace(const std::string& mode, const PrimExpr& index, const PrimExpr& dimension) {
  const PrimExpr one = IndexIn(1, kPlace);
  if (mode == "wrap") return tir::floormod(index, tir::max(dimension, one));
  const PrimExpr place =
      tir::select(tir::less(index, IndexIn(0, kPlace)), tir::add(index, dimension), index);
  if (mode != "clip") return place;
  return tir::max(tir::min(place, tir::sub(dimension, one)), IndexIn(0, kPlace));
}

/*!
 * \brief A stage that normalizes indices, and fails at an index that is out of range.
 * \param dimension The dimension that an element of `indices` refers to.
 */
Value IndexPlaces(const OperatorCall& call, const Value& indices, const std::string& mode,
                  const std::function<PrimExpr(const Indices&)>& dimension) {
  const ir::TensorType type(indices.shape(), kPlace);
  const ffi::String message = std::string(call.row->name) + ": an index is out of range";
  return StoreInLoops("places", {type}, [&](auto* builder, const auto& outputs) {
    InLoops(builder, indices.shape(), [&](const Indices& at) {
      const PrimExpr extent = WideIndex(dimension(at));
      const tir::Var place("place", kPlace);
      const PrimExpr found = IndexPlace(mode, WideIndex(indices.At(at)), extent);
      (*builder)->Emit(tir::Bind(place, found));
      (*builder)->Emit(tir::AssertStmt(ir::StringImm("IndexError"),
                                       IsWithin(place, IndexIn(0, kPlace), extent),
                                       {ir::StringImm(message)}));
      (*builder)->Store(outputs[0], at, place);
    });
  })[0];
}

Values LowerTake(const OperatorCall& call) {
  const Value x = call.operand(0);
  x.StoreIfComputed();
  const auto* attrs = relay::AttrsOf<relay::TakeAttrsNode>(call.call);
  const bool is_flat = !attrs->axis.has_value();
  const size_t axis = is_flat ? 0 : relay::NormalizeAxis(attrs->axis.value(), x.shape());
  PrimExpr extent = IndexIn(1, kPlace);
  for (const PrimExpr& dimension : x.shape()) extent = tir::mul(extent, dimension);
  if (!is_flat) extent = x.shape()[static_cast<int64_t>(axis)];
  const Value places =
      IndexPlaces(call, call.operand(1), attrs->mode, [&](const Indices&) { return extent; });
  const auto element = [=](const Indices& indices) {
    const size_t behind = axis + places.rank();
    const PrimExpr place = places.At(Between(indices, axis, behind));
    if (is_flat) return x.At(SplitPlace(place, x.shape()));
    Indices at = Between(indices, 0, axis);
    at.push_back(place);
    for (size_t i = behind; i < indices.size(); ++i) {
      at.push_back(indices[static_cast<int64_t>(i)]);
    }
    return x.At(at);
  };
  return {Value::View(x, call.results[0]->shape, element)};
}

/*! \brief The normalized indices of an operand `indices` along one axis. */
Value PlacesAlong(const OperatorCall& call, size_t axis) {
  const PrimExpr extent = call.operand(0).shape()[static_cast<int64_t>(axis)];
  return IndexPlaces(call, call.operand(1), "raise", [&](const Indices&) { return extent; });
}

Values LowerTakeAlongAxis(const OperatorCall& call) {
  const Value x = call.operand(0);
  x.StoreIfComputed();
  const auto* attrs = relay::AttrsOf<relay::TakeAlongAxisAttrsNode>(call.call);
  const size_t axis = relay::NormalizeAxis(attrs->axis, x.shape());
  const Value places = PlacesAlong(call, axis);
  const auto element = [=](const Indices& indices) {
    return x.At(WithIndex(indices, axis, places.At(indices)));
  };
  return {Value::View(x, call.results[0]->shape, element)};
}

/*! \brief The normalized indices of rows, each an index into the axes of `x` from `first` on. */
Value PlacesOfRows(const OperatorCall& call, size_t first) {
  const Value& indices = call.operand(1);
  const Indices& shape = call.operand(0).shape();
  const int64_t depth = ConstantIndex(indices.shape().back()).value();
  const Indices extents = Between(shape, first, first + static_cast<size_t>(depth));
  return IndexPlaces(call, indices, "raise", [&](const Indices& at) {
    return extents.empty() ? IndexIn(0, kPlace) : Chosen(extents, at.back());
  });
}

/*! \brief Append the indices of a row. */
void AppendRow(const Value& places, const Indices& row, Indices* at) {
  const int64_t depth = ConstantIndex(places.shape().back()).value();
  for (int64_t i = 0; i < depth; ++i) {
    Indices element = row;
    element.push_back(IndexIn(i, ir::IntType(32)));
    at->push_back(places.At(element));
  }
}

void Append(const Indices& indices, size_t begin, Indices* at) {
  for (size_t i = begin; i < indices.size(); ++i) {
    at->push_back(indices[static_cast<int64_t>(i)]);
  }
}

Values LowerGatherNd(const OperatorCall& call) {
  const Value x = call.operand(0);
  x.StoreIfComputed();
  const auto batch =
      static_cast<size_t>(relay::AttrsOf<relay::GatherNdAttrsNode>(call.call)->batch_dims);
  const Value places = PlacesOfRows(call, batch);
  const auto element = [=](const Indices& indices) {
    const size_t row = places.rank() - 1;
    Indices at = Between(indices, 0, batch);
    AppendRow(places, Between(indices, 0, row), &at);
    Append(indices, row, &at);
    return x.At(at);
  };
  return {Value::View(x, call.results[0]->shape, element)};
}

/*! \brief An element after an update. */
PrimExpr Updated(const std::string& reduction, const PrimExpr& old, const PrimExpr& update) {
  if (reduction == "none") return update;
  const DLDataType wide = WideType(old->dtype);
  const PrimExpr a = tir::cast(old, wide);
  const PrimExpr b = tir::cast(update, wide);
  PrimExpr result = a;
  if (reduction == "add") result = tir::add(a, b);
  if (reduction == "mul") result = tir::mul(a, b);
  if (reduction == "min") result = MinOrNan(a, b);
  if (reduction == "max") result = MaxOrNan(a, b);
  return tir::cast(result, old->dtype);
}

/*!
 * \brief Copy `x`, then write the updates.
 * \param target Maps the indices of an update to those of the element it is written to.
 */
Values Scattered(const OperatorCall& call, const std::string& reduction,
                 const std::function<Indices(const Indices&)>& target) {
  const Value& x = call.operand(0);
  const Value& updates = call.operand(2);
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    InLoops(builder, x.shape(),
            [&](const Indices& indices) { (*builder)->Store(outputs[0], indices, x.At(indices)); });
    InLoops(builder, updates.shape(), [&](const Indices& indices) {
      const Indices at = target(indices);
      const PrimExpr old = tir::BufferLoad(outputs[0], at);
      (*builder)->Store(outputs[0], at, Updated(reduction, old, updates.At(indices)));
    });
  });
}

Values LowerScatterNd(const OperatorCall& call) {
  const Value places = PlacesOfRows(call, 0);
  const auto* attrs = relay::AttrsOf<relay::ScatterNdAttrsNode>(call.call);
  return Scattered(call, attrs->reduction, [&](const Indices& indices) {
    const size_t row = places.rank() - 1;
    Indices at;
    AppendRow(places, Between(indices, 0, row), &at);
    Append(indices, row, &at);
    return at;
  });
}

Values LowerScatterElements(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::ScatterElementsAttrsNode>(call.call);
  const size_t axis = relay::NormalizeAxis(attrs->axis, call.operand(0).shape());
  const Value places = PlacesAlong(call, axis);
  return Scattered(call, attrs->reduction, [&](const Indices& indices) {
    return WithIndex(indices, axis, places.At(indices));
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.take", LowerTake);
UIR_TRANSFORM_REGISTER_LOWERING("relay.take_along_axis", LowerTakeAlongAxis);
UIR_TRANSFORM_REGISTER_LOWERING("relay.gather_nd", LowerGatherNd);
UIR_TRANSFORM_REGISTER_LOWERING("relay.scatter_nd", LowerScatterNd);
UIR_TRANSFORM_REGISTER_LOWERING("relay.scatter_elements", LowerScatterElements);

}  // namespace

}  // namespace uir::transform
