// Tensor types: extents that are integers, constant ones in one form.
#include <tvm/ffi/dtype.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/ir/tensor_type.h>

#include <cstdint>

namespace uir::ir {

void TensorTypeNode::PostInit() {
  CheckScalarIntegers(this, "shape", shape);
  // Types of the same constants are equal, whichever data types the constants came with.
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const auto* extent = shape[index].as<IntImmNode>();
    if (extent == nullptr) continue;
    const bool is_narrow = extent->value >= INT32_MIN && extent->value <= INT32_MAX;
    const DLDataType dtype = IntType(is_narrow ? 32 : 64);
    if (extent->dtype != dtype) shape.Set(index, IntImm(dtype, extent->value, extent->span));
  }
}

}  // namespace uir::ir
