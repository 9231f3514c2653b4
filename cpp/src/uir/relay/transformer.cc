// The type of attention.
#include <tvm/ffi/dtype.h>
#include <uir/ir/dtype.h>
#include <uir/relay/transformer.h>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

void CheckMask(const CallNode* call, const ir::TensorType& query, const ir::PrimExpr& keys,
               TypeContext* context) {
  if (IsAbsent(call->args[3])) return;
  const ir::TensorType mask = TensorTypeOf(call->args[3], "mask");
  if (!ir::IsBool(mask->dtype) && mask->dtype != query->dtype) {
    TVM_FFI_THROW(TypeError) << "operand `mask` has data type `" << mask->dtype
                             << "`, expected `bool` or `" << query->dtype << "`";
  }
  const Shape scores = {query->shape[0], query->shape[1], query->shape[2], keys};
  CheckBroadcast("mask", mask->shape, scores, context);
}

}  // namespace

ir::Type InferAttention(const CallNode* call, TypeContext* context) {
  const ir::TensorType query = TensorTypeOf(call->args[0], "query");
  const ir::TensorType key = TensorTypeOf(call->args[1], "key");
  const ir::TensorType value = TensorTypeOf(call->args[2], "value");
  CheckRank("query", query->shape, 4);
  CheckRank("key", key->shape, 4);
  CheckRank("value", value->shape, 4);
  CheckDimension("key", key->shape, 0, query->shape[0], context);
  CheckDimension("key", key->shape, 3, query->shape[3], context);
  for (const size_t axis : {0, 1, 2}) {
    CheckDimension("value", value->shape, axis, key->shape[static_cast<int64_t>(axis)], context);
  }
  const DimensionMath math(context);
  if (ConstantOf(key->shape[1]) == 0) {
    TVM_FFI_THROW(ValueError) << "operand `key` must have at least one head";
  }
  const ir::PrimExpr repeats = math.FloorDiv(query->shape[1], key->shape[1]);
  if (!context->RequireEqual(math.Mul(repeats, key->shape[1]), query->shape[1])) {
    TVM_FFI_THROW(ValueError) << "the heads of operand `query` of shape " << ToText(query->shape)
                              << " must be a multiple of those of operand `key` of shape "
                              << ToText(key->shape);
  }
  CheckMask(call, query, key->shape[2], context);
  const Shape shape = {query->shape[0], query->shape[1], query->shape[2], value->shape[3]};
  return ir::TensorType(shape, query->dtype);
}

}  // namespace uir::relay
