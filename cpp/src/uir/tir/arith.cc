// Checks of arithmetic: operands and result have one data type.
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/arith.h>

namespace uir::tir {

void BinaryOpNode::PostInit() {
  ir::CheckSameType(this, {"a", a}, {"b", b});
  if (!ir::IsNumber(a->dtype)) ir::ThrowOperand(this, "a number", {"a", a});
  dtype = a->dtype;
}

}  // namespace uir::tir
