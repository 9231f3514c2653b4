// High-level expressions: checks of constants, and types that follow from the operands.
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>

#include <limits>
#include <string>
#include <utility>

namespace uir::relay {

namespace {

ir::IntImm ExtentOf(int64_t value) {
  const bool is_narrow = value <= std::numeric_limits<int32_t>::max();
  return {ir::IntType(is_narrow ? 32 : 64), value};
}

}  // namespace

void VarNode::PostInit() { checked_type = type_annotation; }

void ConstantNode::PostInit() {
  if (data.device().device_type != kDLCPU || !data.IsContiguous()) {
    TVM_FFI_THROW(ValueError) << "Constant: `data` must be a contiguous tensor in the memory of "
                              << "the CPU";
  }
  ffi::Array<ir::PrimExpr> shape;
  for (int64_t extent : data.shape()) shape.push_back(ExtentOf(extent));
  checked_type = ir::TensorType(std::move(shape), data.dtype());
}

void TupleNode::PostInit() {
  checked_type = std::nullopt;
  ffi::Array<ir::Type> types;
  for (const ir::RelayExpr& field : fields) {
    if (!field->checked_type.has_value()) return;
    types.push_back(field->checked_type.value());
  }
  checked_type = ir::TupleType(std::move(types));
}

void TupleGetItemNode::PostInit() {
  checked_type = std::nullopt;
  if (index < 0) TVM_FFI_THROW(ValueError) << "TupleGetItem: `index` must not be negative";
  if (!tuple_value->checked_type.has_value()) return;
  const ir::Type type = tuple_value->checked_type.value();
  const auto* tuple = type.as<ir::TupleTypeNode>();
  if (tuple == nullptr) {
    TVM_FFI_THROW(TypeError) << "TupleGetItem: `tuple_value` must be a tuple, got `"
                             << ir::ScriptText(type) << "`";
  }
  if (index >= static_cast<int64_t>(tuple->fields.size())) {
    TVM_FFI_THROW(ValueError) << "TupleGetItem: `index` must be below " << tuple->fields.size()
                              << ", the number of fields, got " << index;
  }
  checked_type = tuple->fields[index];
}

}  // namespace uir::relay
