// Types of convolutions and their transposes.
#include <uir/ir/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/relay/convolution.h>

#include "./window.h"

namespace uir::relay {

namespace {

/*! \brief The dimensions after the first two. */
Shape SpatialOf(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

void CheckGroups(int64_t groups) {
  if (groups < 1) TVM_FFI_THROW(ValueError) << "`groups` must be at least 1, got " << groups;
}

/*! \throws ValueError if channels do not divide into groups. */
void CheckDivides(const char* operand, const ir::PrimExpr& channels, int64_t groups,
                  TypeContext* context) {
  const DimensionMath math(context);
  const ir::PrimExpr count = Dimension(groups);
  const ir::PrimExpr whole = math.Mul(math.FloorDiv(channels, count), count);
  if (context->RequireEqual(whole, channels)) return;
  TVM_FFI_THROW(ValueError) << "the channels of operand `" << operand << "` do not divide into "
                            << groups << " groups";
}

void CheckBias(const CallNode* call, const ir::PrimExpr& channels, TypeContext* context) {
  if (IsAbsent(call->args[2])) return;
  const ir::TensorType bias = TensorTypeOf(call->args[2], "bias");
  CheckRank("bias", bias->shape, 1);
  CheckDimension("bias", bias->shape, 0, channels, context);
}

/*! \brief The dimension of a transposed convolution's result for a dimension of the data. */
ir::PrimExpr TransposedDimension(const Window& window, const ir::PrimExpr& dimension, size_t axis,
                                 int64_t extra, const DimensionMath& math) {
  const ir::PrimExpr stride = Dimension(window.strides[axis]);
  if (window.is_same) return math.Mul(dimension, stride);
  const ir::PrimExpr reach = math.Mul(math.Sub(dimension, Dimension(1)), stride);
  const int64_t more = extra - window.before[axis] - window.after[axis];
  ir::PrimExpr result = math.Add(math.Add(reach, window.Span(axis, math)), Dimension(more));
  if (!math.context()->RequireAtMost(Dimension(0), result)) {
    TVM_FFI_THROW(ValueError) << "`pads` remove more than dimension " << axis + 2
                              << " of the result, which would be " << ir::ScriptText(result);
  }
  return result;
}

}  // namespace

ir::Type InferConv(const CallNode* call, TypeContext* context) {
  const ir::TensorType data = TensorTypeOf(call->args[0], "data");
  const ir::TensorType weight = TensorTypeOf(call->args[1], "weight");
  const auto* attrs = AttrsOf<ConvAttrsNode>(call);
  const size_t spatial = SpatialRank("data", data->shape);
  CheckRank("weight", weight->shape, data->shape.size());
  CheckGroups(attrs->groups);
  const DimensionMath math(context);
  CheckDivides("data", data->shape[1], attrs->groups, context);
  CheckDivides("weight", weight->shape[0], attrs->groups, context);
  const ir::PrimExpr inner = math.FloorDiv(data->shape[1], Dimension(attrs->groups));
  CheckDimension("weight", weight->shape, 1, inner, context);
  CheckBias(call, weight->shape[0], context);
  const Window window = MakeWindow(SpatialOf(weight->shape), attrs->strides, attrs->pads,
                                   attrs->dilations, attrs->auto_pad);
  Shape shape = {data->shape[0], weight->shape[0]};
  for (size_t i = 0; i < spatial; ++i) {
    const ir::PrimExpr dimension = data->shape[static_cast<int64_t>(i + 2)];
    shape.push_back(Places(window, dimension, i, /*ceil_mode=*/false, math));
  }
  return ir::TensorType(shape, data->dtype);
}

ir::Type InferIntegerConv(const CallNode* call, TypeContext* context) {
  const ir::TensorType data = TensorTypeOf(call->args[0], "data");
  const ir::TensorType rows = TensorTypeOf(call->args[1], "rows");
  const auto* attrs = AttrsOf<IntegerConvAttrsNode>(call);
  const size_t spatial = SpatialRank("data", data->shape);
  CheckRank("rows", rows->shape, 2);
  CheckGroups(attrs->groups);
  CheckLength("kernel", attrs->kernel.size(), spatial);
  CheckAtLeast("kernel", attrs->kernel, 1);
  const DimensionMath math(context);
  CheckDivides("data", data->shape[1], attrs->groups, context);
  CheckDivides("rows", rows->shape[0], attrs->groups, context);
  Shape kernel;
  for (const int64_t extent : attrs->kernel) kernel.push_back(Dimension(extent));
  const ir::PrimExpr inner = math.FloorDiv(data->shape[1], Dimension(attrs->groups));
  CheckDimension("rows", rows->shape, 1, math.Mul(inner, math.Product(kernel)), context);
  const Window window =
      MakeWindow(kernel, attrs->strides, std::nullopt, attrs->dilations, "notset");
  Shape shape = {data->shape[0], rows->shape[0]};
  for (size_t i = 0; i < spatial; ++i) {
    const ir::PrimExpr dimension = data->shape[static_cast<int64_t>(i + 2)];
    shape.push_back(Places(window, dimension, i, /*ceil_mode=*/false, math));
  }
  return ir::TensorType(shape, ir::IntType(32));
}

ir::Type InferConvTranspose(const CallNode* call, TypeContext* context) {
  const ir::TensorType data = TensorTypeOf(call->args[0], "data");
  const ir::TensorType weight = TensorTypeOf(call->args[1], "weight");
  const auto* attrs = AttrsOf<ConvTransposeAttrsNode>(call);
  const size_t spatial = SpatialRank("data", data->shape);
  CheckRank("weight", weight->shape, data->shape.size());
  CheckGroups(attrs->groups);
  CheckDivides("data", data->shape[1], attrs->groups, context);
  CheckDimension("weight", weight->shape, 0, data->shape[1], context);
  const DimensionMath math(context);
  const ir::PrimExpr channels = math.Mul(weight->shape[1], Dimension(attrs->groups));
  CheckBias(call, channels, context);
  const Window window = MakeWindow(SpatialOf(weight->shape), attrs->strides, attrs->pads,
                                   attrs->dilations, attrs->auto_pad);
  if (attrs->output_padding.has_value()) {
    CheckLength("output_padding", attrs->output_padding.value().size(), spatial);
    CheckAtLeast("output_padding", attrs->output_padding.value(), 0);
  }
  Shape shape = {data->shape[0], channels};
  if (attrs->output_shape.has_value()) {
    const Shape wanted = ToShape(attrs->output_shape.value());
    CheckLength("output_shape", wanted.size(), spatial);
    CheckNotNegative("output_shape", wanted, context);
    if (attrs->pads.has_value()) {
      TVM_FFI_THROW(ValueError) << "`pads` must be left out where `output_shape` is given";
    }
    shape.insert(shape.end(), wanted.begin(), wanted.end());
    return ir::TensorType(shape, data->dtype);
  }
  for (size_t i = 0; i < spatial; ++i) {
    const auto index = static_cast<int64_t>(i);
    const int64_t extra =
        attrs->output_padding.has_value() ? attrs->output_padding.value()[index] : 0;
    shape.push_back(TransposedDimension(window, data->shape[index + 2], i, extra, math));
  }
  return ir::TensorType(shape, data->dtype);
}

}  // namespace uir::relay
