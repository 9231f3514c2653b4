// Checks of branches and loops: conditions must be scalar booleans, and types stay the same.
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

void CheckCondition(const char* node, const char* what, const ffi::Optional<ir::Type>& type) {
  if (!type.has_value() || IsCondition(type.value())) return;
  TVM_FFI_THROW(TypeError) << node << ": " << what << " must be a tensor of shape `()` and data "
                           << "type `bool`, got `" << ir::ScriptText(type.value()) << "`";
}

/*! \brief Check that a value of a loop has the type of its variable. */
void CheckCarried(const Var& param, const char* when, const ffi::Optional<ir::Type>& type) {
  const ir::Type expected = param->type_annotation.value();
  if (!type.has_value() || tschema::StructuralEqual(expected, type.value())) return;
  TVM_FFI_THROW(TypeError) << "While: `" << param->name << "` has the type `"
                           << ir::ScriptText(expected) << "`, its value " << when << " `"
                           << ir::ScriptText(type.value()) << "`";
}

/*! \brief Check the value of a body: a condition, and a value for each variable. */
void CheckStep(const WhileNode* loop, const ffi::Optional<ir::Type>& type) {
  if (!type.has_value()) return;
  const auto* tuple = type.value().as<ir::TupleTypeNode>();
  if (tuple == nullptr || tuple->fields.size() != loop->params.size() + 1) {
    TVM_FFI_THROW(TypeError) << "While: the body must compute a condition and "
                             << loop->params.size() << " values, got `"
                             << ir::ScriptText(type.value()) << "`";
  }
  CheckCondition("While", "the condition of the next step", tuple->fields[0]);
  for (size_t i = 0; i < loop->params.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    CheckCarried(loop->params[at], "after a step", tuple->fields[at + 1]);
  }
}

}  // namespace

void IfNode::PostInit() {
  checked_type = std::nullopt;
  CheckCondition("If", "`condition`", condition->checked_type);
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

void WhileNode::PostInit() {
  if (params.empty() || params.size() != initial.size()) {
    TVM_FFI_THROW(ValueError) << "While: there must be a variable for each initial value, and at "
                              << "least one, got " << params.size() << " and " << initial.size();
  }
  CheckCondition("While", "`condition`", condition->checked_type);
  ffi::Array<ir::Type> types;
  for (size_t i = 0; i < params.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const ffi::Optional<ir::Type> type = params[at]->type_annotation;
    if (!type.has_value() || type.value().as<ir::TensorTypeNode>() == nullptr) {
      TVM_FFI_THROW(TypeError) << "While: `" << params[at]->name
                               << "` must have the type of a tensor";
    }
    CheckCarried(params[at], "before the first step", initial[at]->checked_type);
    types.push_back(type.value());
  }
  CheckStep(this, body->result->checked_type);
  checked_type = ir::TupleType(std::move(types));
}

}  // namespace uir::relay
