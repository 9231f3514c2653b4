// Types of operators that read or write elements at indices from tensors.
#include <uir/ir/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/relay/indexing.h>

#include <algorithm>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief Append dimensions of a shape, from one axis up to another. */
void Append(const Shape& from, size_t begin, size_t end, Shape* to) {
  for (size_t i = begin; i < end; ++i) to->push_back(from[static_cast<int64_t>(i)]);
}

/*! \brief The length of the rows of indices, which must be constant. */
size_t RowLength(const Shape& indices, size_t most) {
  if (indices.empty()) {
    TVM_FFI_THROW(TypeError) << "operand `indices` must have rank 1 or more";
  }
  const std::optional<int64_t> length = ConstantOf(indices.back());
  if (!length.has_value()) {
    TVM_FFI_THROW(ValueError) << "the last dimension of operand `indices` must be a number "
                              << "(its shape is " << ToText(indices) << ")";
  }
  if (static_cast<size_t>(*length) > most) {
    TVM_FFI_THROW(ValueError) << "the rows of operand `indices` have " << *length
                              << " elements, but operand `x` has " << most << " axes for them";
  }
  return static_cast<size_t>(*length);
}

void CheckSameShape(const char* operand, const Shape& shape, const Shape& expected,
                    TypeContext* context) {
  CheckRank(operand, shape, expected.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    CheckDimension(operand, shape, i, expected[static_cast<int64_t>(i)], context);
  }
}

/*! \brief Check the attribute `reduction`: any value but `none` requires numbers, not booleans. */
void CheckReduction(const ffi::String& reduction, const ir::TensorType& x) {
  CheckChoice("reduction", reduction, {"none", "add", "mul", "min", "max"});
  if (reduction == "none" || !ir::IsBool(x->dtype)) return;
  TVM_FFI_THROW(TypeError) << "`reduction` is `" << reduction
                           << "`, which takes numbers: operand `x` has data type `bool`";
}

/*! \brief Check indices along one axis: they have the rank of `x`, and fit into its other axes. */
void CheckIndicesAlong(size_t axis, const Shape& indices, const Shape& x, TypeContext* context) {
  CheckRank("indices", indices, x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    if (i == axis || context->RequireAtMost(indices[index], x[index])) continue;
    TVM_FFI_THROW(TypeError) << "operand `indices`: dimension " << i << " is "
                             << ir::ScriptText(indices[index]) << ", expected at most "
                             << ir::ScriptText(x[index]) << ", that of operand `x` (the shape of "
                             << "`indices` is " << ToText(indices) << ")";
  }
}

}  // namespace

ir::Type InferTake(const CallNode* call, TypeContext*) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const ir::TensorType indices = TensorTypeOf(call->args[1], "indices");
  const auto* attrs = AttrsOf<TakeAttrsNode>(call);
  CheckChoice("mode", attrs->mode, {"raise", "clip", "wrap"});
  if (!attrs->axis.has_value()) return ir::TensorType(indices->shape, x->dtype);
  const size_t axis = NormalizeAxis(attrs->axis.value(), x->shape);
  Shape shape;
  Append(x->shape, 0, axis, &shape);
  Append(indices->shape, 0, indices->shape.size(), &shape);
  Append(x->shape, axis + 1, x->shape.size(), &shape);
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferTakeAlongAxis(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const ir::TensorType indices = TensorTypeOf(call->args[1], "indices");
  const size_t axis = NormalizeAxis(AttrsOf<TakeAlongAxisAttrsNode>(call)->axis, x->shape);
  CheckIndicesAlong(axis, indices->shape, x->shape, context);
  return ir::TensorType(indices->shape, x->dtype);
}

ir::Type InferGatherNd(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const ir::TensorType indices = TensorTypeOf(call->args[1], "indices");
  const int64_t batch_dims = AttrsOf<GatherNdAttrsNode>(call)->batch_dims;
  const size_t most = std::min(x->shape.size(), std::max<size_t>(indices->shape.size(), 1) - 1);
  if (batch_dims < 0 || static_cast<size_t>(batch_dims) > most) {
    TVM_FFI_THROW(ValueError) << "`batch_dims` must be from 0 to " << most << ", got "
                              << batch_dims;
  }
  const auto batch = static_cast<size_t>(batch_dims);
  const size_t length = RowLength(indices->shape, x->shape.size() - batch);
  for (size_t i = 0; i < batch; ++i) {
    const ir::PrimExpr expected = x->shape[static_cast<int64_t>(i)];
    CheckDimension("indices", indices->shape, i, expected, context);
  }
  Shape shape;
  Append(indices->shape, 0, indices->shape.size() - 1, &shape);
  Append(x->shape, batch + length, x->shape.size(), &shape);
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferScatterNd(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const ir::TensorType indices = TensorTypeOf(call->args[1], "indices");
  CheckReduction(AttrsOf<ScatterNdAttrsNode>(call)->reduction, x);
  const size_t length = RowLength(indices->shape, x->shape.size());
  Shape expected;
  Append(indices->shape, 0, indices->shape.size() - 1, &expected);
  Append(x->shape, length, x->shape.size(), &expected);
  const ir::TensorType updates = TensorTypeOf(call->args[2], "updates");
  CheckSameShape("updates", updates->shape, expected, context);
  return x;
}

ir::Type InferScatterElements(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const ir::TensorType indices = TensorTypeOf(call->args[1], "indices");
  const ir::TensorType updates = TensorTypeOf(call->args[2], "updates");
  const auto* attrs = AttrsOf<ScatterElementsAttrsNode>(call);
  CheckReduction(attrs->reduction, x);
  const size_t axis = NormalizeAxis(attrs->axis, x->shape);
  CheckIndicesAlong(axis, indices->shape, x->shape, context);
  CheckSameShape("updates", updates->shape, indices->shape, context);
  return x;
}

}  // namespace uir::relay
