// Lowering of interpolation between the elements of images, axis by axis.
#include <uir/ir/dtype.h>
#include <uir/relay/interpolation.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../../relay/shape_rule.h"
#include "./index_math.h"
#include "./operator_call.h"
#include "./reduce.h"

namespace uir::transform {

namespace {

const DLDataType kReal = ir::FloatType(64);

PrimExpr Real(double value) { return tir::make_const(value, kReal); }
PrimExpr AsReal(const PrimExpr& index) { return tir::cast(index, kReal); }

/*! \brief An axis to resize: its old and new dimension, its scale, and its region of interest. */
struct Line {
  size_t axis;
  PrimExpr dim;
  PrimExpr new_dim;
  PrimExpr scale;
  double first = 0;
  double last = 1;

  PrimExpr length() const { return tir::mul(scale, AsReal(dim)); }
  PrimExpr last_place() const { return tir::sub(AsReal(dim), Real(1)); }
};

std::vector<Line> LinesOf(const relay::ResizeAttrsNode* attrs, const Indices& shape,
                          const Indices& new_shape) {
  const std::vector<size_t> axes = relay::NormalizeAxes(attrs->axes, shape);
  std::vector<Line> lines;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const auto axis = static_cast<int64_t>(axes[i]);
    const PrimExpr dim = Divisor(shape[axis]);
    const PrimExpr scale = attrs->scales.has_value()
                               ? Real(attrs->scales.value()[at])
                               : tir::div(AsReal(new_shape[axis]), AsReal(dim));
    Line line{axes[i], shape[axis], new_shape[axis], scale};
    if (attrs->roi.has_value()) {
      line.first = attrs->roi.value()[at];
      line.last = attrs->roi.value()[at + static_cast<int64_t>(axes.size())];
    }
    lines.push_back(line);
  }
  return lines;
}

PrimExpr HalfPixel(const Line& line, const PrimExpr& place) {
  return tir::sub(tir::div(tir::add(place, Real(0.5)), line.scale), Real(0.5));
}

/*! \brief The centers of both axes coincide; this form rounds no position over a border. */
PrimExpr HalfPixelSymmetric(const Line& line, const PrimExpr& place) {
  const PrimExpr off_center =
      tir::sub(tir::add(place, Real(0.5)), tir::mul(AsReal(line.new_dim), Real(0.5)));
  return tir::add(tir::mul(line.last_place(), Real(0.5)), tir::div(off_center, line.scale));
}

/*! \brief `value`, or `otherwise` if the resized axis has the length 1. */
PrimExpr UnlessOne(const Line& line, const PrimExpr& value, const PrimExpr& otherwise) {
  return tir::select(tir::not_equal(line.length(), Real(1)), value, otherwise);
}

/*! \brief `place * reach / (length - 1)`; the result for the length 1 is not used. */
PrimExpr Spread(const Line& line, const PrimExpr& place, const PrimExpr& reach) {
  return tir::div(tir::mul(place, reach), tir::sub(line.length(), Real(1)));
}

PrimExpr CropAndResize(const Line& line, const PrimExpr& place) {
  const PrimExpr reach = tir::mul(Real(line.last - line.first), line.last_place());
  const PrimExpr inside = UnlessOne(line, Spread(line, place, reach), tir::div(reach, Real(2)));
  return tir::add(tir::mul(Real(line.first), line.last_place()), inside);
}

/*! \brief The input coordinate of an output position. */
PrimExpr Coordinate(const Line& line, const std::string& mode, const PrimExpr& place) {
  if (mode == "half_pixel") return HalfPixel(line, place);
  if (mode == "half_pixel_symmetric") return HalfPixelSymmetric(line, place);
  if (mode == "pytorch_half_pixel") {
    const PrimExpr one = IndexIn(1, line.new_dim->dtype);
    return tir::select(tir::less(one, line.new_dim), HalfPixel(line, place), Real(0));
  }
  if (mode == "asymmetric") return tir::div(place, line.scale);
  if (mode == "tf_crop_and_resize") return CropAndResize(line, place);
  return UnlessOne(line, Spread(line, place, line.last_place()), Real(0));
}

/*! \brief A stage of the input coordinates of all output positions. */
Value Coordinates(const Line& line, const std::string& mode) {
  return Value(ComputeTensor("coordinates", {line.new_dim}, [&](const Indices& indices) {
    return Coordinate(line, mode, AsReal(indices[0]));
  }));
}

PrimExpr Clipped(const PrimExpr& value, const PrimExpr& low, const PrimExpr& high) {
  return tir::max(low, tir::min(high, value));
}

/*! \brief A position clamped to an axis. */
PrimExpr PlaceIn(const Line& line, const PrimExpr& place) {
  const PrimExpr zero = IndexIn(0, ir::IntType(64));
  return Clipped(place, zero, tir::sub(WideIndex(line.dim), IndexIn(1, ir::IntType(64))));
}

PrimExpr Rounded(const std::string& mode, const PrimExpr& coordinate) {
  if (mode == "round_prefer_floor") return tir::ceil(tir::sub(coordinate, Real(0.5)));
  if (mode == "round_prefer_ceil") return tir::floor(tir::add(coordinate, Real(0.5)));
  return mode == "floor" ? tir::floor(coordinate) : tir::ceil(coordinate);
}

/*! \brief A coordinate between elements, as a quotient with a positive denominator. */
struct Quotient {
  PrimExpr numerator;
  PrimExpr denominator;
};

PrimExpr Twice(const PrimExpr& value) { return tir::mul(value, IndexIn(2, value->dtype)); }

/*! \brief The exact coordinate of an output position, if coordinates depend only on the sizes. */
Quotient ExactCoordinate(const Line& line, const std::string& mode, const PrimExpr& place) {
  const PrimExpr one = IndexIn(1, ir::IntType(64));
  const PrimExpr dim = WideIndex(line.dim);
  const PrimExpr new_dim = WideIndex(Divisor(line.new_dim));
  if (mode == "asymmetric") return {tir::mul(place, dim), new_dim};
  if (mode == "align_corners") {
    return {tir::mul(place, tir::sub(dim, one)), tir::max(tir::sub(new_dim, one), one)};
  }
  const PrimExpr half_pixel = tir::sub(tir::mul(tir::add(Twice(place), one), dim), new_dim);
  if (mode != "pytorch_half_pixel") return {half_pixel, Twice(new_dim)};
  const PrimExpr zero = IndexIn(0, ir::IntType(64));
  return {tir::select(tir::less(one, new_dim), half_pixel, zero), Twice(new_dim)};
}

PrimExpr RoundedQuotient(const std::string& mode, const Quotient& x) {
  const auto up = [](const PrimExpr& a, const PrimExpr& b) {
    const PrimExpr zero = IndexIn(0, a->dtype);
    return tir::sub(zero, tir::floordiv(tir::sub(zero, a), b));
  };
  if (mode == "floor") return tir::floordiv(x.numerator, x.denominator);
  if (mode == "ceil") return up(x.numerator, x.denominator);
  const PrimExpr twice = Twice(x.numerator);
  const PrimExpr divisor = Twice(x.denominator);
  if (mode == "round_prefer_floor") return up(tir::sub(twice, x.denominator), divisor);
  return tir::floordiv(tir::add(twice, x.denominator), divisor);
}

/*! \brief A stage of the nearest element for each output position. */
template <typename Nearest>
Value NearestPlaces(const Line& line, Nearest nearest) {
  return Value(ComputeTensor("places", {line.new_dim}, [&](const Indices& indices) {
    return PlaceIn(line, nearest(indices[0]));
  }));
}

/*! \brief The axis with the nearest element for each output position. */
Value NearestLine(const Value& x, const Line& line, const Value& places) {
  return Gathered(x, WithIndex(x.shape(), line.axis, line.new_dim), {{line.axis, places}});
}

/*! \brief The axis with the elements nearest to coordinates. */
Value NearestLine(const Value& x, const Line& line, const Value& coordinates,
                  const std::string& mode) {
  const Value places = NearestPlaces(line, [&](const PrimExpr& place) {
    return tir::cast(Rounded(mode, coordinates.At({place})), ir::IntType(64));
  });
  return NearestLine(x, line, places);
}

/*! \brief The axis with the nearest elements, if the coordinates depend only on the sizes. */
Value ExactNearestLine(const Value& x, const Line& line, const relay::ResizeAttrsNode* attrs) {
  const Value places = NearestPlaces(line, [&](const PrimExpr& place) {
    const std::string transformation = attrs->coordinate_transformation_mode;
    return RoundedQuotient(attrs->nearest_mode,
                           ExactCoordinate(line, transformation, WideIndex(place)));
  });
  return NearestLine(x, line, places);
}

/*! \brief The kernel of cubic convolution (Keys, 1981), or a triangle. */
PrimExpr Share(const relay::ResizeAttrsNode* attrs, const PrimExpr& distance) {
  const PrimExpr t = tir::abs(distance);
  if (attrs->mode == "linear") return tir::max(Real(0), tir::sub(Real(1), t));
  const double a = attrs->cubic_coeff_a;
  const PrimExpr square = tir::mul(t, t);
  const PrimExpr near =
      tir::add(tir::mul(tir::sub(tir::mul(Real(a + 2), t), Real(a + 3)), square), Real(1));
  const PrimExpr inner = tir::add(tir::mul(tir::sub(t, Real(5)), t), Real(8));
  const PrimExpr far = tir::sub(tir::mul(tir::mul(inner, t), Real(a)), Real(4 * a));
  return tir::select(tir::less_equal(t, Real(1)), near,
                     tir::select(tir::less(t, Real(2)), far, Real(0)));
}

/*! \brief The extent of an axis's kernel around a coordinate. */
struct Reach {
  /*! \brief The factor of distances, less than 1 for a stretched kernel. */
  PrimExpr factor;
  /*! \brief The number of neighbors on each side of a coordinate. */
  PrimExpr neighbors;
  bool is_stretched = false;
};

/*! \brief The reach of an axis's kernel; antialiasing stretches it so that each element counts. */
Reach ReachOf(const relay::ResizeAttrsNode* attrs, const Line& line) {
  const int64_t whole = attrs->mode == "linear" ? 1 : 2;
  if (!attrs->antialias) return {Real(1), IndexIn(whole, ir::IntType(32))};
  if (const auto* scale = line.scale.as<ir::FloatImmNode>()) {
    const double factor = std::min(1.0, scale->value);
    const auto reach = static_cast<int64_t>(std::ceil(static_cast<double>(whole) / factor));
    return {Real(factor), IndexIn(reach, ir::IntType(32)), factor != 1};
  }
  const PrimExpr one = IndexIn(1, ir::IntType(64));
  // The number of neighbors is computed even for an axis that gets no elements.
  const PrimExpr new_dim = tir::max(WideIndex(line.new_dim), one);
  const PrimExpr longer = tir::max(WideIndex(line.dim), new_dim);
  const PrimExpr elements = tir::mul(longer, IndexIn(whole, ir::IntType(64)));
  const PrimExpr rounded_up = tir::floordiv(tir::add(elements, tir::sub(new_dim, one)), new_dim);
  return {tir::min(Real(1), line.scale), rounded_up, true};
}

/*! \brief Computes the neighbors of coordinates, and their weights. */
class Neighborhood {
 public:
  Neighborhood(const relay::ResizeAttrsNode* attrs, const Line& line, Value coordinates)
      : attrs_(attrs),
        line_(line),
        coordinates_(std::move(coordinates)),
        reach_(ReachOf(attrs, line)) {}

  /*! \brief The number of neighbors with a weight. */
  PrimExpr count() const { return Twice(reach_.neighbors); }
  /*! \brief Whether the sums of weights differ from 1. */
  bool must_normalize() const { return attrs_->exclude_outside || reach_.is_stretched; }

  /*! \brief A neighbor of a new position, possibly outside of the axis. */
  PrimExpr Neighbor(const PrimExpr& place, const PrimExpr& offset) const {
    const PrimExpr begin = tir::cast(tir::floor(Source(place)), ir::IntType(64));
    const PrimExpr first = tir::sub(IndexIn(1, ir::IntType(64)), WideIndex(reach_.neighbors));
    return tir::add(tir::add(begin, first), WideIndex(offset));
  }

  /*! \brief The neighbor, clamped to the axis. */
  PrimExpr Element(const PrimExpr& place, const PrimExpr& offset) const {
    return PlaceIn(line_, Neighbor(place, offset));
  }

  /*! \brief The weight of a neighbor. */
  PrimExpr Weight(const PrimExpr& place, const PrimExpr& offset) const {
    const PrimExpr neighbor = Neighbor(place, offset);
    const PrimExpr distance = tir::sub(AsReal(neighbor), Source(place));
    const PrimExpr share = Share(attrs_, tir::mul(distance, reach_.factor));
    if (!attrs_->exclude_outside) return share;
    const PrimExpr zero = IndexIn(0, ir::IntType(64));
    return tir::select(IsWithin(neighbor, zero, WideIndex(line_.dim)), share, Real(0));
  }

 private:
  /*! \brief The coordinate of a position; far outside, all neighbors are the same element. */
  PrimExpr Source(const PrimExpr& place) const {
    const PrimExpr far = tir::add(AsReal(count()), Real(1));
    const PrimExpr last = tir::add(line_.last_place(), far);
    return Clipped(coordinates_.At({place}), tir::sub(Real(0), far), last);
  }

  const relay::ResizeAttrsNode* attrs_;
  const Line& line_;
  Value coordinates_;
  Reach reach_;
};

/*! \brief The axis with weighted sums of elements, in float64. */
Value WeightedLine(const Value& x, const Line& line, const Neighborhood& neighborhood) {
  const Indices shape = WithIndex(x.shape(), line.axis, line.new_dim);
  const auto axis = static_cast<int64_t>(line.axis);
  const PrimExpr count = neighborhood.count();
  // Tables: all lines along the axis have the same neighbors and weights.
  const Indices sides = {count, line.new_dim};
  const Value neighbors(ComputeTensor("neighbors", sides, [&](const Indices& indices) {
    return neighborhood.Element(indices[1], indices[0]);
  }));
  const Value weights(ComputeTensor("weights", sides, [&](const Indices& indices) {
    return neighborhood.Weight(indices[1], indices[0]);
  }));
  const auto product = [&](const Indices& indices, const Indices& reduced) {
    const PrimExpr neighbor = neighbors.At({reduced[0], indices[axis]});
    const PrimExpr element = AsReal(x.At(WithIndex(indices, line.axis, neighbor)));
    return tir::mul(weights.At({reduced[0], indices[axis]}), element);
  };
  const te::ReduceKind sum = te::ReduceKind::kSum;
  const Value sums = Reduction{"sums", sum, shape, {count}, product}.Make();
  if (!neighborhood.must_normalize()) return sums;
  const auto weight = [&](const Indices& indices, const Indices& reduced) {
    return weights.At({reduced[0], indices[0]});
  };
  const Value totals = Reduction{"totals", sum, {line.new_dim}, {count}, weight}.Make();
  const auto element = [=](const Indices& indices) {
    return tir::div(sums.At(indices), totals.At({indices[axis]}));
  };
  return Value(ComputeTensor("normalized", shape, element));
}

/*! \brief A number converted to a data type; to the nearest value of an integer type. */
PrimExpr InType(const PrimExpr& value, DLDataType dtype) {
  if (!ir::IsInteger(dtype) || !ir::IsFloat(value->dtype)) return tir::cast(value, dtype);
  const int bits = dtype.code == kDLInt ? dtype.bits - 1 : dtype.bits;
  const double least = dtype.code == kDLInt ? -std::ldexp(1.0, bits) : 0;
  // The greatest integer of 64 bits is not representable in float64.
  const double greatest =
      bits > 52 ? std::nextafter(std::ldexp(1.0, bits), 0.0) : std::ldexp(1.0, bits) - 1;
  return tir::cast(Clipped(tir::round(value), Real(least), Real(greatest)), dtype);
}

/*! \brief Whether the coordinate of an element is outside of the input. */
PrimExpr IsOutside(const std::vector<Line>& lines, const std::vector<Value>& coordinates,
                   const Indices& indices) {
  PrimExpr is_outside = ir::IntImm(ir::BoolType(), 0);
  for (size_t i = 0; i < lines.size(); ++i) {
    const PrimExpr source = coordinates[i].At({indices[static_cast<int64_t>(lines[i].axis)]});
    const PrimExpr is_beyond =
        tir::logical_or(tir::less(source, Real(0)), tir::less(lines[i].last_place(), source));
    is_outside = i == 0 ? is_beyond : tir::logical_or(is_outside, is_beyond);
  }
  return is_outside;
}

Values LowerResize(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::ResizeAttrsNode>(call.call);
  const std::string transformation = attrs->coordinate_transformation_mode;
  Value result = call.operand(0);
  result.StoreIfComputed();
  const std::vector<Line> lines = LinesOf(attrs, result.shape(), call.results[0]->shape);
  std::vector<Value> coordinates;
  const bool is_nearest = attrs->mode == "nearest";
  const bool fills = transformation == "tf_crop_and_resize";
  for (const Line& line : lines) {
    if (is_nearest && !fills && !attrs->scales.has_value()) {
      result = ExactNearestLine(result, line, attrs);
      continue;
    }
    coordinates.push_back(Coordinates(line, transformation));
    if (is_nearest) {
      result = NearestLine(result, line, coordinates.back(), attrs->nearest_mode);
      continue;
    }
    result = WeightedLine(result, line, Neighborhood(attrs, line, coordinates.back()));
  }
  const DLDataType dtype = call.results[0]->dtype;
  const double fill = attrs->extrapolation_value;
  return {call.Result([=](const Indices& indices) {
    const PrimExpr value = result.At(indices);
    if (!fills || lines.empty()) return InType(value, dtype);
    const PrimExpr filled = InType(Real(fill), value->dtype);
    return InType(tir::select(IsOutside(lines, coordinates, indices), filled, value), dtype);
  })};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.resize", LowerResize);

}  // namespace

}  // namespace uir::transform
