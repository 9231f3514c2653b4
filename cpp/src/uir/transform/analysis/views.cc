// Views: calls of operators of the kind `view` on tensors.
#include "./views.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>

#include <cstdint>
#include <vector>

namespace uir::transform {

namespace {

bool IsTensor(const ir::RelayExpr& value) {
  return value->checked_type.has_value() &&
         value->checked_type.value().as<ir::TensorTypeNode>() != nullptr;
}

/*! \brief The memory of another tensor. */
struct SharedMemory {
  ffi::Tensor owner;

  void AllocData(DLTensor* tensor) const {
    tensor->data = owner.data_ptr();
    tensor->byte_offset = owner.GetDLTensorPtr()->byte_offset;
  }
  void FreeData(DLTensor*) {}
};

}  // namespace

const relay::CallNode* ViewCallOf(const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
  if (!op || ir::op_attr(*op, "kind").as<ffi::String>() != ffi::String("view")) return nullptr;
  const bool is_known = !call->args.empty() && IsTensor(call->args[0]) && IsTensor(value);
  return is_known ? call : nullptr;
}

ffi::Tensor ViewOf(const ffi::Tensor& tensor, const ir::TensorTypeNode* type) {
  std::vector<int64_t> shape;
  for (const ir::PrimExpr& extent : type->shape) {
    shape.push_back(extent.as<ir::IntImmNode>()->value);
  }
  return ffi::Tensor::FromNDAlloc(SharedMemory{tensor}, ffi::ShapeView(shape.data(), shape.size()),
                                  tensor.dtype(), tensor.device());
}

}  // namespace uir::transform
