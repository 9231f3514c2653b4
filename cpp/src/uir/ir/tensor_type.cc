// Tensor types: checks extents, and gives constant ones canonical data types.
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/ir/script_text.h>
#include <uir/ir/tensor_type.h>

#include <cstdint>

namespace uir::ir {

namespace {

/*! \brief Reject a type whose constant extents alone give 2^63 bytes or more. */
void CheckSize(const TensorTypeNode* type) {
  int64_t bytes = (static_cast<int64_t>(type->dtype.bits) * type->dtype.lanes + 7) / 8;
  bool is_too_large = false;
  for (const PrimExpr& dim : type->shape) {
    const auto* extent = dim.as<IntImmNode>();
    if (extent == nullptr || extent->value < 0) continue;
    if (extent->value == 0) return;
    is_too_large = is_too_large || __builtin_mul_overflow(bytes, extent->value, &bytes);
  }
  if (!is_too_large) return;
  TVM_FFI_THROW(ValueError) << MessagePrefix(type)
                            << "`shape` has more than 2**63 bytes: " << ScriptText(type->shape);
}

}  // namespace

void TensorTypeNode::PostInit() {
  CheckScalarIntegers(this, "shape", shape);
  // Types with equal constant extents are equal, regardless of the data types of the constants.
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const auto* extent = shape[index].as<IntImmNode>();
    if (extent == nullptr) continue;
    const bool is_narrow = extent->value >= INT32_MIN && extent->value <= INT32_MAX;
    const DLDataType dtype = IntType(is_narrow ? 32 : 64);
    if (extent->dtype != dtype) shape.Set(index, IntImm(dtype, extent->value, extent->span));
  }
  CheckSize(this);
}

}  // namespace uir::ir
