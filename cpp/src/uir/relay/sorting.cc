// The type of the greatest and smallest elements along an axis.
#include <tvm/ffi/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/relay/sorting.h>

#include "./shape_rule.h"

namespace uir::relay {

ir::Type InferTopk(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const auto* attrs = AttrsOf<TopkAttrsNode>(call);
  const size_t axis = NormalizeAxis(attrs->axis, x->shape);
  const ir::PrimExpr k = Dimension(attrs->k);
  const ir::PrimExpr dimension = x->shape[static_cast<int64_t>(axis)];
  const bool fits = context->RequireAtMost(Dimension(0), k) && context->RequireAtMost(k, dimension);
  if (!fits) {
    TVM_FFI_THROW(ValueError) << "`k` must be from 0 to dimension " << axis
                              << " of operand `x` of shape " << ToText(x->shape) << ", got "
                              << ir::ScriptText(k);
  }
  Shape shape = x->shape;
  shape.Set(static_cast<int64_t>(axis), k);
  const DLDataType index = ffi::StringToDLDataType("int64");
  return ir::TupleType({ir::TensorType(shape, x->dtype), ir::TensorType(shape, index)});
}

}  // namespace uir::relay
