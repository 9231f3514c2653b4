// Data types of operands and results: variables, classes, and attributes that hold one.
#include <tschema/type_info.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>

#include <string>
#include <utility>

#include "./operator_rule.h"

namespace uir::relay {

namespace {

bool IsInClass(const std::string& name, DLDataType dtype) {
  if (name == "any") return true;
  if (name == "float") return ir::IsFloat(dtype);
  if (name == "int") return ir::IsInteger(dtype);
  if (name == "number") return ir::IsNumber(dtype);
  if (name == "bool") return ir::IsBool(dtype);
  return ffi::StringToDLDataType(name) == dtype;
}

/*! \brief A class in words: `float` is `floating-point`. */
std::string Words(const std::string& name) {
  if (name == "float") return "floating-point";
  if (name == "int") return "an integer type";
  if (name == "number") return "a number type";
  return "`" + name + "`";
}

/*! \brief The data types that variables stand for, and the operands that say so. */
class Variables {
 public:
  void Bind(const std::string& variable, DLDataType dtype, const std::string& operand) {
    for (const Entry& entry : entries_) {
      if (entry.variable != variable) continue;
      if (entry.dtype == dtype) return;
      TVM_FFI_THROW(TypeError) << "operand `" << operand << "` has data type `" << dtype
                               << "`, expected `" << entry.dtype << "`, that of operand `"
                               << entry.operand << "`";
    }
    entries_.push_back({variable, dtype, operand});
  }

  const DLDataType* Find(const std::string& variable) const {
    for (const Entry& entry : entries_) {
      if (entry.variable == variable) return &entry.dtype;
    }
    return nullptr;
  }

 private:
  struct Entry {
    std::string variable;
    DLDataType dtype;
    std::string operand;
  };
  std::vector<Entry> entries_;
};

DLDataType FirstOf(const TypedOperands& operands) {
  for (const std::optional<ir::TensorType>& type : operands.types) {
    if (type.has_value()) return (*type)->dtype;
  }
  TVM_FFI_THROW(TypeError) << "the data type of the result does not follow from the operands";
  TVM_FFI_UNREACHABLE();
}

DLDataType ResultOf(const std::string& result, const Variables& variables,
                    const TypedOperands& operands, const CallNode* call) {
  if (result.empty()) return FirstOf(operands);
  if (const DLDataType* dtype = variables.Find(result)) return *dtype;
  const ffi::Any attribute = AttributeOf(call, result);
  if (const auto dtype = attribute.try_cast<DLDataType>()) return *dtype;
  const bool is_attribute = call->attrs.has_value() &&
                            tschema::TypeInfoOf(call->attrs.value().get()).Find(result) != nullptr;
  return is_attribute ? FirstOf(operands) : ffi::StringToDLDataType(result);
}

}  // namespace

ffi::Any AttributeOf(const CallNode* call, const std::string& name) {
  if (!call->attrs.has_value()) return nullptr;
  const ffi::Object* attrs = call->attrs.value().get();
  const tschema::FieldInfo* field = tschema::TypeInfoOf(attrs).Find(name);
  return field == nullptr ? ffi::Any() : field->Read(attrs);
}

std::vector<DLDataType> InferDataTypes(const OperatorRule& rule, const TypedOperands& operands,
                                       const CallNode* call, size_t count) {
  Variables variables;
  for (size_t i = 0; i < operands.types.size(); ++i) {
    if (!operands.types[i].has_value()) continue;
    const DLDataType dtype = (*operands.types[i])->dtype;
    const DataTypeRule& expected = rule.operands[static_cast<size_t>(operands.rows[i])];
    if (!IsInClass(expected.accepted, dtype)) {
      TVM_FFI_THROW(TypeError) << "operand `" << operands.names[i] << "` has data type `" << dtype
                               << "`, expected " << Words(expected.accepted);
    }
    if (!expected.variable.empty()) variables.Bind(expected.variable, dtype, operands.names[i]);
  }
  std::vector<DLDataType> dtypes;
  for (size_t i = 0; i < count; ++i) {
    const bool is_stated = i < rule.results.size() || rule.results.size() == 1;
    const std::string& result =
        is_stated ? rule.results[i < rule.results.size() ? i : 0] : std::string();
    dtypes.push_back(ResultOf(result, variables, operands, call));
  }
  return dtypes;
}

}  // namespace uir::relay
