// Checks of scalar expressions, and the types that follow from their operands.
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/operand.h>
#include <uir/ir/stored_call.h>
#include <uir/tir/expr.h>

#include <string>

#include "./stored_call.h"

namespace uir::tir {

namespace {

void CheckLanes(const ffi::Object* node, int32_t lanes) {
  if (lanes >= 2 && lanes <= INT16_MAX) return;
  TVM_FFI_THROW(ValueError) << ir::MessagePrefix(node) << "`lanes` must be between 2 and "
                            << INT16_MAX << ", got " << lanes;
}

void CheckScalar(const ffi::Object* node, ir::Operand operand) {
  if (!ir::IsScalar(operand.value->dtype)) ir::ThrowOperand(node, "a scalar", operand);
}

}  // namespace

void CastNode::PostInit() {
  if (ir::LanesOf(dtype) != ir::LanesOf(value->dtype)) {
    const std::string expected = "of " + std::to_string(ir::LanesOf(dtype)) + " lanes to become `" +
                                 std::string(ffi::DLDataTypeToString(dtype)) + "`";
    ir::ThrowOperand(this, expected.c_str(), {"value", value});
  }
}

void SelectNode::PostInit() {
  ir::CheckBool(this, {"condition", condition});
  ir::CheckSameType(this, {"true_value", true_value}, {"false_value", false_value});
  if (!ir::IsScalar(condition->dtype) &&
      ir::LanesOf(condition->dtype) != ir::LanesOf(true_value->dtype)) {
    ir::ThrowOperand(this, "a scalar or have the lanes of the values", {"condition", condition});
  }
  dtype = true_value->dtype;
}

void LetNode::PostInit() {
  ir::CheckSameType(this, {"var", var}, {"value", value});
  dtype = body->dtype;
}

void RampNode::PostInit() {
  CheckScalar(this, {"base", base});
  if (!ir::IsNumber(base->dtype)) ir::ThrowOperand(this, "a number", {"base", base});
  ir::CheckSameType(this, {"base", base}, {"stride", stride});
  CheckLanes(this, lanes);
  dtype = ir::WithLanes(base->dtype, lanes);
}

void BroadcastNode::PostInit() {
  CheckScalar(this, {"value", value});
  CheckLanes(this, lanes);
  dtype = ir::WithLanes(value->dtype, lanes);
}

void ShuffleNode::PostInit() {
  if (vectors.empty() || indices.empty()) {
    TVM_FFI_THROW(ValueError) << "Shuffle: `vectors` and `indices` must not be empty, got "
                              << vectors.size() << " and " << indices.size();
  }
  const DLDataType element = ir::ElementOf(vectors[0]->dtype);
  int64_t total = 0;
  for (const ir::PrimExpr& vector : vectors) {
    if (ir::ElementOf(vector->dtype) != element) {
      ir::CheckSameType(this, {"vectors[0]", vectors[0]}, {"vectors", vector});
    }
    total += ir::LanesOf(vector->dtype);
  }
  ir::CheckScalarIntegers(this, "indices", indices);
  for (const ir::PrimExpr& index : indices) {
    const auto* constant = index.as<ir::IntImmNode>();
    if (constant != nullptr && (constant->value < 0 || constant->value >= total)) {
      TVM_FFI_THROW(ValueError) << "Shuffle: `indices` must be at least 0 and below " << total
                                << ", the lanes of `vectors`, got " << constant->value;
    }
  }
  dtype = ir::WithLanes(element, static_cast<int>(indices.size()));
}

void CallNode::PostInit() {
  const auto* called = op.as<ir::OpNode>();
  if (called != nullptr && ir::HasStoredCalls() && UpgradeStored(called, this)) {
    called = op.as<ir::OpNode>();
  }
  if (called == nullptr || called->num_inputs < 0) return;
  if (static_cast<int64_t>(args.size()) == called->num_inputs) return;
  TVM_FFI_THROW(ValueError) << "Call: the number of `args` of `" << called->name << "` must be "
                            << called->num_inputs << ", got " << args.size();
}

}  // namespace uir::tir
