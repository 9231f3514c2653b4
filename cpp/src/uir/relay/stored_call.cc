// Upgrades calls of operators in files of older versions: adds missing attributes and operands.
#include "./stored_call.h"

#include <tschema/json.h>
#include <tvm/ffi/error.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/stored_call.h>

#include <string>
#include <utility>

#include "./operator_rule.h"

namespace uir::relay {

namespace {

/*! \brief The default attributes of an operator, for a call that was stored without attributes. */
ir::Attrs DefaultAttrs(const std::string& key) {
  return tschema::LoadJSON(R"({"nodes":[{"type":")" + key + R"(","data":{}}],"root_index":0})")
      .cast<ir::Attrs>();
}

void UpgradeForm(const ir::OpNode* op, CallNode* call) {
  const ffi::Array<ffi::Any> stored(call->args.begin(), call->args.end());
  const ffi::Any attrs = call->attrs.has_value() ? ffi::Any(call->attrs.value()) : ffi::Any();
  std::optional<ir::UpgradedCall> upgraded = ir::UpgradeStoredCall(op, stored, attrs);
  if (!upgraded) return;
  ffi::Array<ir::RelayExpr> args;
  for (const ffi::Any& one : upgraded->args) args.push_back(ToOperand(one));
  call->op = std::move(upgraded->op);
  call->args = std::move(args);
  call->attrs = upgraded->attrs.cast<ffi::Optional<ir::Attrs>>();
}

}  // namespace

ir::RelayExpr ToOperand(const ffi::Any& value) {
  if (value == nullptr) return Tuple(ffi::Array<ir::RelayExpr>());
  if (const auto elements = value.as<ffi::Array<ir::RelayExpr>>()) return Tuple(*elements);
  return value.cast<ir::RelayExpr>();
}

void UpgradeStored(CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr) return;
  if (ir::HasStoredCalls()) UpgradeForm(op, call);
  if (call->attrs.has_value()) return;
  const OperatorRule* rule = FindOperatorRule(call->op.as<ir::Op>().value());
  if (rule == nullptr || rule->row->attrs_key == nullptr) return;
  try {
    call->attrs = DefaultAttrs(rule->row->attrs_key);
  } catch (const ffi::Error& error) {
    TVM_FFI_THROW(ValueError) << rule->row->name << ": a call must have attributes of type `"
                              << rule->row->attrs_key << "`: " << error.message();
  }
}

bool AddAbsentOperands(CallNode* call) {
  const auto op = call->op.as<ir::Op>();
  const ir::OperatorRow* row = op ? ir::FindOperatorRow(*op) : nullptr;
  const auto given = static_cast<int32_t>(call->args.size());
  if (row == nullptr || given >= row->operands.size) return false;
  for (int32_t i = given; i < row->operands.size; ++i) {
    if (!row->operands[i].is_optional) return false;
  }
  for (int32_t i = given; i < row->operands.size; ++i) call->args.push_back(ToOperand(nullptr));
  return true;
}

}  // namespace uir::relay
