// Checks of branches: conditions must be scalar booleans, and both branches of one type.
#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/script_text.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/block.h>

namespace uir::relay {

namespace {

bool IsCondition(const ir::Type& type) {
  const auto* tensor = type.as<ir::TensorTypeNode>();
  return tensor != nullptr && tensor->shape.empty() && ir::IsBool(tensor->dtype);
}

}  // namespace

void IfNode::PostInit() {
  checked_type = std::nullopt;
  if (condition->checked_type.has_value() && !IsCondition(condition->checked_type.value())) {
    TVM_FFI_THROW(TypeError) << "If: `condition` must be a tensor of shape `()` and data type "
                             << "`bool`, got `" << ir::ScriptText(condition->checked_type.value())
                             << "`";
  }
  const ffi::Optional<ir::Type> type = true_branch->result->checked_type;
  const ffi::Optional<ir::Type> other = false_branch->result->checked_type;
  if (!type.has_value() || !other.has_value()) return;
  if (!tschema::StructuralEqual(type.value(), other.value())) {
    TVM_FFI_THROW(TypeError) << "If: both branches must have the same type, got `"
                             << ir::ScriptText(type.value()) << "` and `"
                             << ir::ScriptText(other.value()) << "`";
  }
  checked_type = type;
}

}  // namespace uir::relay
