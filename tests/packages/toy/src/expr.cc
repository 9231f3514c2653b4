#include <toy/expr.h>
#include <tvm/ffi/error.h>

namespace toy {

void ClampNode::PostInit() {
  if (bits < 1 || bits > 64) {
    TVM_FFI_THROW(ValueError) << "Clamp: `bits` must be between 1 and 64, not "
                              << static_cast<int>(bits);
  }
  dtype = value->dtype;
}

int64_t ClampNode::UpperBound() const {
  return static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
}

ffi::Array<Clamp> clamp_all(ffi::Array<::uir::ir::PrimExpr> values, uint8_t bits) {
  ffi::Array<Clamp> clamped;
  for (const ::uir::ir::PrimExpr& value : values) clamped.push_back(Clamp(value, bits));
  return clamped;
}

bool is_prim_expr(ffi::Any value) { return value.as<::uir::ir::PrimExprNode>() != nullptr; }

bool lies_in_range(ffi::ObjectRef value) {
  using Node = ::uir::ir::PrimExprNode;
  const int32_t steps = value->type_index() - Node::RuntimeTypeIndex();
  return steps >= 0 && static_cast<uint32_t>(steps) <= Node::_type_child_slots;
}

}  // namespace toy
