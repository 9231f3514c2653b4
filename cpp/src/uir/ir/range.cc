// Ranges, whose bounds have one integer type.
#include <uir/ir/operand.h>
#include <uir/ir/range.h>

namespace uir::ir {

void RangeNode::PostInit() {
  CheckScalarInteger(this, {"min", min});
  CheckSameType(this, {"min", min}, {"extent", extent});
}

}  // namespace uir::ir
