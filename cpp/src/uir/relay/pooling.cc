// Types of poolings.
#include <tvm/ffi/dtype.h>
#include <uir/relay/pooling.h>

#include "./window.h"

namespace uir::relay {

namespace {

template <typename AttrsNode>
ir::TensorType InferPool(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<AttrsNode>(call);
  const size_t spatial = SpatialRank("x", x->shape);
  const bool is_one = attrs->kernel.size() == 1;
  if (!is_one) CheckLength("kernel", attrs->kernel.size(), spatial);
  CheckAtLeast("kernel", attrs->kernel, 1);
  Shape kernel;
  for (size_t i = 0; i < spatial; ++i) {
    kernel.push_back(Dimension(attrs->kernel[is_one ? 0 : static_cast<int64_t>(i)]));
  }
  const Window window =
      MakeWindow(kernel, attrs->strides, attrs->pads, attrs->dilations, attrs->auto_pad);
  const DimensionMath math(context);
  Shape shape = {x->shape[0], x->shape[1]};
  for (size_t i = 0; i < spatial; ++i) {
    const ir::PrimExpr dimension = x->shape[static_cast<int64_t>(i + 2)];
    shape.push_back(Places(window, dimension, i, attrs->ceil_mode, math));
  }
  return ir::TensorType(shape, x->dtype);
}

}  // namespace

ir::Type InferMaxPool(const CallNode* call, TypeContext* context) {
  return InferPool<MaxPoolAttrsNode>(call, context);
}

ir::Type InferMaxPoolWithIndices(const CallNode* call, TypeContext* context) {
  const ir::TensorType pooled = InferPool<MaxPoolWithIndicesAttrsNode>(call, context);
  const DLDataType index = ffi::StringToDLDataType("int64");
  return ir::TupleType({pooled, ir::TensorType(pooled->shape, index)});
}

ir::Type InferAvgPool(const CallNode* call, TypeContext* context) {
  return InferPool<AvgPoolAttrsNode>(call, context);
}

}  // namespace uir::relay
