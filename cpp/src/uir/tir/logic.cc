// Checks of comparisons and logic, whose results are booleans.
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/logic.h>

namespace uir::tir {

void CmpOpNode::PostInit() {
  ir::CheckSameType(this, {"a", a}, {"b", b});
  dtype = ir::BoolType(ir::LanesOf(a->dtype));
}

void LogicalOpNode::PostInit() {
  ir::CheckBool(this, {"a", a});
  ir::CheckSameType(this, {"a", a}, {"b", b});
  dtype = a->dtype;
}

void NotNode::PostInit() {
  ir::CheckBool(this, {"a", a});
  dtype = a->dtype;
}

}  // namespace uir::tir
