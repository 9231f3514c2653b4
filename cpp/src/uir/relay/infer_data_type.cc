// Data types of operands and results: variables, classes, and attributes with a data type.
#include <tschema/type_info.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>

#include <string>

#include "./operator_rule.h"

namespace uir::relay {

namespace {

bool IsAccepted(const DataTypeRule& rule, DLDataType dtype) {
  switch (rule.accepted) {
    case DataTypeClass::kAny:
      return true;
    case DataTypeClass::kFloat:
      return ir::IsFloat(dtype);
    case DataTypeClass::kInt:
      return ir::IsInteger(dtype);
    case DataTypeClass::kNumber:
      return ir::IsNumber(dtype);
    case DataTypeClass::kBool:
      return ir::IsBool(dtype);
    case DataTypeClass::kExactly:
      return rule.dtype == dtype;
  }
  TVM_FFI_UNREACHABLE();
}

/*! \brief A class of data types in words: `float` is `floating-point`. */
std::string Words(const std::string& name) {
  if (name == "float") return "floating-point";
  if (name == "int") return "an integer type";
  if (name == "number") return "a number type";
  return "`" + name + "`";
}

const DataTypeRule& RuleOf(const OperatorRule& rule, const TypedOperand& operand) {
  return rule.operands[static_cast<size_t>(operand.row - rule.row->operands.begin())];
}

/*! \brief The first present operand with a variable, or null. */
const TypedOperand* FindOperand(const OperatorRule& rule, const TypedOperands& operands,
                                const std::string& variable) {
  for (const TypedOperand& operand : operands) {
    if (operand.type != nullptr && RuleOf(rule, operand).variable == variable) return &operand;
  }
  return nullptr;
}

DLDataType FirstOf(const TypedOperands& operands) {
  for (const TypedOperand& operand : operands) {
    if (operand.type != nullptr) return operand.type->dtype;
  }
  TVM_FFI_THROW(TypeError) << "the data type of the result does not follow from the operands";
  TVM_FFI_UNREACHABLE();
}

}  // namespace

ffi::Any AttributeOf(const CallNode* call, const std::string& name) {
  if (!call->attrs.has_value()) return nullptr;
  const ffi::Object* attrs = call->attrs.value().get();
  const tschema::FieldInfo* field = tschema::TypeInfoOf(attrs).Find(name);
  return field == nullptr ? ffi::Any() : field->Read(attrs);
}

void CheckDataTypes(const OperatorRule& rule, const TypedOperands& operands) {
  for (const TypedOperand& operand : operands) {
    if (operand.type == nullptr) continue;
    const DLDataType dtype = operand.type->dtype;
    const DataTypeRule& expected = RuleOf(rule, operand);
    if (!IsAccepted(expected, dtype)) {
      TVM_FFI_THROW(TypeError) << "operand `" << operand.Name() << "` has data type `" << dtype
                               << "`, expected " << Words(expected.text);
    }
    if (expected.variable.empty()) continue;
    const TypedOperand* first = FindOperand(rule, operands, expected.variable);
    if (first->type->dtype == dtype) continue;
    TVM_FFI_THROW(TypeError) << "operand `" << operand.Name() << "` has data type `" << dtype
                             << "`, expected `" << first->type->dtype << "`, that of operand `"
                             << first->Name() << "`";
  }
}

DLDataType ResultDataType(const OperatorRule& rule, const TypedOperands& operands,
                          const CallNode* call, size_t index) {
  const bool is_stated = index < rule.results.size() || rule.results.size() == 1;
  if (!is_stated) return FirstOf(operands);
  const std::string& result = rule.results[index < rule.results.size() ? index : 0];
  if (result.empty()) return FirstOf(operands);
  if (const TypedOperand* operand = FindOperand(rule, operands, result)) {
    return operand->type->dtype;
  }
  const ffi::Any attribute = AttributeOf(call, result);
  if (const auto dtype = attribute.try_cast<DLDataType>()) return *dtype;
  const bool is_attribute = call->attrs.has_value() &&
                            tschema::TypeInfoOf(call->attrs.value().get()).Find(result) != nullptr;
  return is_attribute ? FirstOf(operands) : ffi::StringToDLDataType(result);
}

}  // namespace uir::relay
