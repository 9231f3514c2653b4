// The type of interpolation.
#include <uir/ir/script_text.h>
#include <uir/relay/interpolation.h>

#include <cmath>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

void CheckModes(const ResizeAttrsNode* attrs) {
  CheckChoice("mode", attrs->mode, {"nearest", "linear", "cubic"});
  CheckChoice("coordinate_transformation_mode", attrs->coordinate_transformation_mode,
              {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric",
               "align_corners", "tf_crop_and_resize"});
  CheckChoice("nearest_mode", attrs->nearest_mode,
              {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
}

/*! \brief Check the attributes with one or two elements for each axis. */
void CheckFactors(const ResizeAttrsNode* attrs, size_t count, TypeContext* context) {
  if (attrs->sizes.has_value()) {
    CheckLength("sizes", attrs->sizes.value().size(), count);
    CheckNotNegative("sizes", ToShape(attrs->sizes.value()), context);
  }
  if (attrs->roi.has_value()) CheckLength("roi", attrs->roi.value().size(), 2 * count);
  if (!attrs->scales.has_value()) return;
  CheckLength("scales", attrs->scales.value().size(), count);
  for (const double scale : attrs->scales.value()) {
    if (scale > 0) continue;
    TVM_FFI_THROW(ValueError) << "the elements of `scales` must be above 0, got " << scale;
  }
}

/*! \brief `floor(dimension * scale)`. */
ir::PrimExpr Scaled(const ir::PrimExpr& dimension, double scale, const DimensionMath& math) {
  if (const std::optional<int64_t> constant = ConstantOf(dimension)) {
    return Dimension(static_cast<int64_t>(std::floor(static_cast<double>(*constant) * scale)));
  }
  if (scale == std::floor(scale)) {
    return math.Mul(dimension, Dimension(static_cast<int64_t>(scale)));
  }
  TVM_FFI_THROW(ValueError) << "`scales` must be integers for dimensions that are not numbers";
  TVM_FFI_UNREACHABLE();
}

}  // namespace

ir::Type InferResize(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<ResizeAttrsNode>(call);
  CheckModes(attrs);
  if (!attrs->sizes.has_value() && !attrs->scales.has_value()) {
    TVM_FFI_THROW(ValueError) << "`sizes` or `scales` must be given";
  }
  const std::vector<size_t> axes = NormalizeAxes(attrs->axes, x->shape);
  CheckFactors(attrs, axes.size(), context);
  const DimensionMath math(context);
  Shape shape = x->shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const auto axis = static_cast<int64_t>(axes[i]);
    shape.Set(axis, attrs->sizes.has_value()
                        ? Dimension(attrs->sizes.value()[index])
                        : Scaled(x->shape[axis], attrs->scales.value()[index], math));
    if (math.IsEmptyOrHasElements(shape[axis], x->shape[axis])) continue;
    TVM_FFI_THROW(ValueError) << "dimension " << axis << " of operand `x` of shape "
                              << ToText(x->shape) << " has no elements to make "
                              << ir::ScriptText(shape[axis]) << " of";
  }
  return ir::TensorType(shape, x->dtype);
}

}  // namespace uir::relay
