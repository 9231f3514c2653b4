// The types of argmax and argmin.
#include <tvm/ffi/dtype.h>
#include <uir/relay/reduction.h>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief Require that an axis has an element. */
void CheckHasElement(const Shape& shape, size_t axis, TypeContext* context) {
  if (context->RequireAtMost(Dimension(1), shape[static_cast<int64_t>(axis)])) return;
  TVM_FFI_THROW(ValueError) << "operand `x`: dimension " << axis
                            << " must have elements (the shape of `x` is " << ToText(shape) << ")";
}

/*! \brief Check that the axis has elements, and remove it from the shape. */
template <typename AttrsNode>
ir::Type InferPlace(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<AttrsNode>(call);
  const bool is_flat = !attrs->axis.has_value();
  const size_t first = is_flat ? 0 : NormalizeAxis(attrs->axis.value(), x->shape);
  const size_t behind = is_flat ? x->shape.size() : first + 1;
  Shape shape;
  for (size_t axis = 0; axis < x->shape.size(); ++axis) {
    const ir::PrimExpr dimension = x->shape[static_cast<int64_t>(axis)];
    const bool is_reduced = first <= axis && axis < behind;
    if (is_reduced) CheckHasElement(x->shape, axis, context);
    if (!is_reduced || attrs->keepdims) shape.push_back(is_reduced ? Dimension(1) : dimension);
  }
  return ir::TensorType(shape, ffi::StringToDLDataType("int64"));
}

}  // namespace

ir::Type InferArgmax(const CallNode* call, TypeContext* context) {
  return InferPlace<ArgmaxAttrsNode>(call, context);
}

ir::Type InferArgmin(const CallNode* call, TypeContext* context) {
  return InferPlace<ArgminAttrsNode>(call, context);
}

}  // namespace uir::relay
