// Types of results whose size is known only when they are computed.
#include <tvm/ffi/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/relay/bounded.h>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

DLDataType IndexType() { return ffi::StringToDLDataType("int64"); }

/*! \brief Rows of indices for at most `bound` results, and the number of results. */
ir::Type RowsAndCount(const ir::PrimExpr& bound, int64_t width) {
  return ir::TupleType({ir::TensorType({bound, Dimension(width)}, IndexType()),
                        ir::TensorType(Shape(), IndexType())});
}

/*! \brief Check that an operand, which may be absent, has the shape `()`. */
void CheckIsScalar(const ir::RelayExpr& operand, const char* name) {
  if (!IsAbsent(operand)) CheckRank(name, TensorTypeOf(operand, name)->shape, 0);
}

}  // namespace

ir::Type InferFirstRows(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  if (x->shape.empty()) TVM_FFI_THROW(TypeError) << "operand `x` must have rank 1 or more";
  CheckIsScalar(call->args[1], "count");
  const ir::PrimExpr size = AttrsOf<FirstRowsAttrsNode>(call)->size;
  if (!context->IsVariable(size)) {
    TVM_FFI_THROW(ValueError) << "`size` must be a variable, which the call binds, got `"
                              << ir::ScriptText(size) << "`";
  }
  Shape shape = x->shape;
  shape.Set(0, size);
  return ir::TensorType(shape, x->dtype);
}

ir::Type InferNonzero(const CallNode* call, TypeContext* context) {
  const Shape shape = TensorTypeOf(call->args[0], "x")->shape;
  return RowsAndCount(DimensionMath(context).Product(shape), static_cast<int64_t>(shape.size()));
}

ir::Type InferNonMaxSuppression(const CallNode* call, TypeContext* context) {
  const Shape boxes = TensorTypeOf(call->args[0], "boxes")->shape;
  const Shape scores = TensorTypeOf(call->args[1], "scores")->shape;
  CheckRank("boxes", boxes, 3);
  CheckRank("scores", scores, 3);
  CheckDimension("boxes", boxes, 2, Dimension(4), context);
  CheckDimension("scores", scores, 0, boxes[0], context);
  CheckDimension("scores", scores, 2, boxes[1], context);
  CheckIsScalar(call->args[2], "iou_threshold");
  CheckIsScalar(call->args[3], "score_threshold");
  const int64_t most = AttrsOf<NonMaxSuppressionAttrsNode>(call)->max_output;
  if (most < 0) TVM_FFI_THROW(ValueError) << "`max_output` must not be negative, got " << most;
  const DimensionMath math(context);
  return RowsAndCount(math.Product({scores[0], scores[1], math.Min(Dimension(most), scores[2])}),
                      3);
}

}  // namespace uir::relay
