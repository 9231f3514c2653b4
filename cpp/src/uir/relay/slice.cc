// Types of operators that split, join and pad tensors.
#include <uir/relay/slice.h>

#include <limits>
#include <utility>

#include "./slice_begin.h"

namespace uir::relay {

namespace {

/*! \brief A shape with another dimension. */
Shape With(Shape shape, size_t axis, const ir::PrimExpr& dimension) {
  shape.Set(static_cast<int64_t>(axis), dimension);
  return shape;
}

/*! \brief The maximal number of pieces of a tensor; each takes memory at compile time. */
constexpr int64_t kMostSections = 65536;

/*! \brief Pieces of the same size; the last one may be smaller, or empty. */
Shape Sections(const ir::PrimExpr& dimension, int64_t count, const DimensionMath& math) {
  if (count < 1 || count > kMostSections) {
    TVM_FFI_THROW(ValueError) << "`sections` must be from 1 to " << kMostSections << ", got "
                              << count;
  }
  const ir::PrimExpr size = math.CeilDiv(dimension, Dimension(count));
  Shape sizes;
  for (int64_t i = 0; i < count; ++i) {
    const ir::PrimExpr rest = math.Sub(dimension, math.Mul(Dimension(i), size));
    sizes.push_back(math.Max(Dimension(0), math.Min(size, rest)));
  }
  return sizes;
}

/*! \brief A clamped index of a slice; a symbolic index always counts from the front. */
ir::PrimExpr Clamp(const ir::PrimExpr& index, const ir::PrimExpr& least,
                   const ir::PrimExpr& greatest, const ir::PrimExpr& dimension,
                   const DimensionMath& math) {
  const std::optional<int64_t> constant = ConstantOf(index);
  // Bounds such as the least int64 mean the end of the axis.
  constexpr int64_t kFar = std::numeric_limits<int32_t>::max();
  if (constant.has_value() && *constant >= kFar) return greatest;
  if (constant.has_value() && *constant <= -kFar) return least;
  const bool from_end = constant.has_value() && *constant < 0;
  const ir::PrimExpr place = from_end ? math.Add(index, dimension) : index;
  return math.Min(math.Max(place, least), greatest);
}

/*! \brief The least and the greatest index that may bound a slice. */
std::pair<ir::PrimExpr, ir::PrimExpr> BoundsOf(int64_t stride, const ir::PrimExpr& dimension,
                                               const DimensionMath& math) {
  const bool is_forward = stride > 0;
  return {Dimension(is_forward ? 0 : -1),
          is_forward ? dimension : math.Sub(dimension, Dimension(1))};
}

/*! \brief The number of elements of `begin:end:stride`. */
ir::PrimExpr SliceLength(const ir::PrimExpr& begin, const ir::PrimExpr& end, int64_t stride,
                         const ir::PrimExpr& dimension, const DimensionMath& math) {
  const bool is_forward = stride > 0;
  const auto [least, greatest] = BoundsOf(stride, dimension, math);
  const ir::PrimExpr first = Clamp(begin, least, greatest, dimension, math);
  const ir::PrimExpr last = Clamp(end, least, greatest, dimension, math);
  const ir::PrimExpr reach = is_forward ? math.Sub(last, first) : math.Sub(first, last);
  const ir::PrimExpr count = math.CeilDiv(reach, Dimension(is_forward ? stride : -stride));
  return math.Max(Dimension(0), count);
}

/*! \brief The elements that a width adds if `sign` is 1, or removes if it is -1. */
ir::PrimExpr WidthOf(const ir::PrimExpr& width, int64_t sign, const DimensionMath& math) {
  return math.Max(Dimension(0), math.Mul(Dimension(sign), width));
}

/*!
 * \brief A dimension of a padded tensor.
 * \throws ValueError if the padding removes more elements than the tensor has, or copies elements
 * of an empty tensor.
 */
ir::PrimExpr PaddedDimension(const PadAttrsNode* attrs, size_t index, const Shape& shape,
                             size_t axis, const DimensionMath& math) {
  const auto at = static_cast<int64_t>(index);
  const ir::PrimExpr before = Dimension(attrs->before[at]), after = Dimension(attrs->after[at]);
  const ir::PrimExpr dimension = shape[static_cast<int64_t>(axis)];
  const ir::PrimExpr removed = math.Add(WidthOf(before, -1, math), WidthOf(after, -1, math));
  if (!math.context()->RequireAtMost(removed, dimension)) {
    TVM_FFI_THROW(ValueError) << "`before` and `after` remove more than dimension " << axis
                              << " of operand `x` of shape " << ToText(shape);
  }
  const ir::PrimExpr added = math.Add(WidthOf(before, 1, math), WidthOf(after, 1, math));
  const bool copies = attrs->mode != "constant";
  if (copies && !math.IsEmptyOrHasElements(added, math.Sub(dimension, removed))) {
    TVM_FFI_THROW(ValueError) << "mode `" << attrs->mode << "` has no elements to copy along "
                              << "dimension " << axis << " of operand `x` of shape "
                              << ToText(shape);
  }
  return math.Add(math.Add(before, dimension), after);
}

}  // namespace

ir::PrimExpr SliceBegin(const ir::PrimExpr& begin, int64_t stride, const ir::PrimExpr& dimension,
                        const DimensionMath& math) {
  const auto [least, greatest] = BoundsOf(stride, dimension, math);
  return Clamp(begin, least, greatest, dimension, math);
}

ir::Type InferConcatenate(const CallNode* call, TypeContext* context) {
  const auto tensors = ffi::Any(call->args[0]).cast<Tuple>()->fields;
  if (tensors.empty()) TVM_FFI_THROW(ValueError) << "operand `tensors` must not be empty";
  const ir::TensorType first = TensorTypeOf(tensors[0], "tensors[0]");
  const size_t axis = NormalizeAxis(AttrsOf<ConcatenateAttrsNode>(call)->axis, first->shape);
  const DimensionMath math(context);
  ir::PrimExpr total = Dimension(0);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = "tensors[" + std::to_string(i) + "]";
    const ir::TensorType type = TensorTypeOf(tensors[static_cast<int64_t>(i)], name.c_str());
    CheckRank(name.c_str(), type->shape, first->shape.size());
    for (size_t other = 0; other < type->shape.size(); ++other) {
      if (other == axis) continue;
      const ir::PrimExpr expected = first->shape[static_cast<int64_t>(other)];
      CheckDimension(name.c_str(), type->shape, other, expected, context);
    }
    total = math.Add(total, type->shape[static_cast<int64_t>(axis)]);
  }
  return ir::TensorType(With(first->shape, axis, total), first->dtype);
}

ir::Type InferSplit(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<SplitAttrsNode>(call);
  if (attrs->sizes.has_value() == attrs->sections.has_value()) {
    TVM_FFI_THROW(ValueError) << "exactly one of `sizes` and `sections` must be given";
  }
  const size_t axis = NormalizeAxis(attrs->axis, x->shape);
  const ir::PrimExpr dimension = x->shape[static_cast<int64_t>(axis)];
  const DimensionMath math(context);
  Shape sizes;
  if (attrs->sections.has_value()) {
    sizes = Sections(dimension, attrs->sections.value(), math);
  } else {
    sizes = ToShape(attrs->sizes.value());
    CheckNotNegative("sizes", sizes, context);
    ir::PrimExpr total = Dimension(0);
    for (const ir::PrimExpr& size : sizes) total = math.Add(total, size);
    if (!context->RequireEqual(dimension, total)) {
      TVM_FFI_THROW(ValueError) << "`sizes` " << ToText(sizes) << " must add up to dimension "
                                << axis << " of operand `x` of shape " << ToText(x->shape);
    }
  }
  ffi::Array<ir::Type> parts;
  for (const ir::PrimExpr& size : sizes) {
    parts.push_back(ir::TensorType(With(x->shape, axis, size), x->dtype));
  }
  return ir::TupleType(std::move(parts));
}

ir::Type InferStridedSlice(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<StridedSliceAttrsNode>(call);
  const Shape begin = ToShape(attrs->begin);
  const Shape end = ToShape(attrs->end);
  std::vector<size_t> axes = NormalizeAxes(attrs->axes, x->shape);
  if (!attrs->axes.has_value() && begin.size() < axes.size()) axes.resize(begin.size());
  CheckLength("begin", begin.size(), axes.size());
  CheckLength("end", end.size(), axes.size());
  if (attrs->strides.has_value()) {
    CheckLength("strides", attrs->strides.value().size(), axes.size());
  }
  const DimensionMath math(context);
  Shape shape = x->shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const int64_t stride = attrs->strides.has_value() ? attrs->strides.value()[index] : 1;
    if (stride == 0) TVM_FFI_THROW(ValueError) << "element " << i << " of `strides` is 0";
    const ir::PrimExpr dimension = x->shape[static_cast<int64_t>(axes[i])];
    shape = With(shape, axes[i], SliceLength(begin[index], end[index], stride, dimension, math));
  }
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferPad(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  if (!IsAbsent(call->args[1])) {
    CheckRank("value", TensorTypeOf(call->args[1], "value")->shape, 0);
  }
  const auto* attrs = AttrsOf<PadAttrsNode>(call);
  CheckChoice("mode", attrs->mode, {"constant", "edge", "reflect", "symmetric", "wrap"});
  const std::vector<size_t> axes = NormalizeAxes(attrs->axes, x->shape);
  CheckLength("before", attrs->before.size(), axes.size());
  CheckLength("after", attrs->after.size(), axes.size());
  const DimensionMath math(context);
  Shape shape = x->shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    shape = With(shape, axes[i], PaddedDimension(attrs, i, x->shape, axes[i], math));
  }
  return ir::TensorType(shape, x->dtype);
}

}  // namespace uir::relay
