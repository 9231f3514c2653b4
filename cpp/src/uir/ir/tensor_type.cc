// Tensor types: extents that are integers.
#include <uir/ir/operand.h>
#include <uir/ir/tensor_type.h>

namespace uir::ir {

void TensorTypeNode::PostInit() { CheckScalarIntegers(this, "shape", shape); }

}  // namespace uir::ir
