// Calls of declared operators: converts and checks the operands, and finds the result's data type.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operator_table.h>
#include <uir/tir/dialect.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operator_result.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "./stored_call.h"

namespace uir::tir {

namespace {

using ir::OperandRow;
using ir::OperatorRow;
using ir::PrimExpr;

/*! \brief An operand of a call, or an element of a variadic one, with its declaration. */
struct Given {
  const OperandRow* row;
  PrimExpr value;
};

std::vector<Given> GivenOf(const OperatorRow& row, const ffi::Array<ffi::Any>& operands) {
  std::vector<Given> given;
  for (int32_t index = 0; index < row.operands.size; ++index) {
    const OperandRow& operand = row.operands[index];
    if (!operand.is_variadic) {
      if (operands[index] != nullptr) given.push_back({&operand, operands[index].cast<PrimExpr>()});
      continue;
    }
    for (const PrimExpr& element : operands[index].cast<ffi::Array<PrimExpr>>()) {
      given.push_back({&operand, element});
    }
  }
  return given;
}

/*! \brief `T` for `T: float` and for `T`; a class of data types has no variable. */
std::string_view VariableOf(const OperandRow& row) {
  const std::string_view dtype = row.dtype;
  const bool is_variable = 'A' <= dtype[0] && dtype[0] <= 'Z';
  return is_variable ? dtype.substr(0, dtype.find(':')) : std::string_view();
}

/*! \brief The class of data types of an operand: `float` for `T: float`. */
std::string_view ClassOf(const OperandRow& row) {
  const std::string_view dtype = row.dtype;
  if (VariableOf(row).empty()) return dtype;
  const size_t colon = dtype.find(": ");
  return colon == std::string_view::npos ? "any" : dtype.substr(colon + 2);
}

/*! \brief Convert operands that share a type variable to their common data type. */
void MatchTypes(std::vector<Given>* given) {
  for (size_t second = 1; second < given->size(); ++second) {
    const std::string_view variable = VariableOf(*(*given)[second].row);
    for (size_t first = 0; first < second && !variable.empty(); ++first) {
      if (VariableOf(*(*given)[first].row) != variable) continue;
      const auto matched = match_types((*given)[first].value, (*given)[second].value);
      (*given)[first].value = matched.get<0>();
      (*given)[second].value = matched.get<1>();
    }
  }
}

/*! \brief The expected kind of operand, for a message; empty if `dtype` is of that kind. */
std::string ExpectedOf(std::string_view type_class, DLDataType dtype) {
  if (type_class == "any") return "";
  if (type_class == "float") return ir::IsFloat(dtype) ? "" : "a floating-point number";
  if (type_class == "int") return ir::IsInteger(dtype) ? "" : "an integer";
  if (type_class == "number") return ir::IsNumber(dtype) ? "" : "a number";
  if (type_class == "bool") return ir::IsBool(dtype) ? "" : "a boolean";
  const std::string name(type_class);
  return dtype == ffi::StringToDLDataType(name) ? "" : "a `" + name + "`";
}

void CheckOperands(const OperatorRow& row, const std::vector<Given>& given) {
  for (const auto& [operand, value] : given) {
    const std::string expected = ExpectedOf(ClassOf(*operand), value->dtype);
    if (expected.empty()) continue;
    const std::string_view name = row.name;
    TVM_FFI_THROW(TypeError) << name.substr(name.rfind('.') + 1) << ": operand `" << operand->name
                             << "` must be " << expected << ", got `" << value->dtype << "` ("
                             << operand->name << " = " << ir::describe(value) << ")";
  }
}

/*! \brief The operand that an argument of a call belongs to; null for an attribute. */
const OperandRow* OperandAt(const OperatorRow& row, size_t place) {
  const auto size = static_cast<size_t>(row.operands.size);
  if (place < size) return &row.operands[place];
  const bool has_more = size != 0 && row.operands[size - 1].is_variadic;
  return has_more ? &row.operands[size - 1] : nullptr;
}

}  // namespace

std::optional<DLDataType> ResultTypeOf(const OperatorRow& row, const ffi::Array<PrimExpr>& args) {
  if (ir::ResultAttributeOf(row) >= 0) return std::nullopt;
  const std::string_view rule = ir::ResultRuleOf(row);
  for (size_t place = 0; place < args.size(); ++place) {
    const OperandRow* operand = OperandAt(row, place);
    if (operand == nullptr) break;
    if (rule.empty() || VariableOf(*operand) == rule) return args[place]->dtype;
  }
  if (rule.empty() || rule == "void") return ir::kVoid;
  const DLDataType dtype = ffi::StringToDLDataType(std::string(rule));
  const bool is_of_lanes = ir::IsBool(dtype) && row.operands.size != 0 && !args.empty();
  return is_of_lanes ? ir::BoolType(ir::LanesOf(args[0]->dtype)) : dtype;
}

PrimExpr make_call(ir::Op op, ffi::Array<ffi::Any> operands, ffi::Array<ffi::Any> attributes,
                   ffi::Optional<ir::Span> span) {
  const OperatorRow* row = ir::FindOperatorRow(op);
  if (row == nullptr || static_cast<int32_t>(operands.size()) != row->operands.size) {
    TVM_FFI_THROW(ValueError) << "make_call: operator `" << op->name << "` is not declared with "
                              << operands.size() << " operands";
  }
  std::vector<Given> given = GivenOf(*row, operands);
  MatchTypes(&given);
  CheckOperands(*row, given);
  ffi::Array<PrimExpr> args;
  for (Given& one : given) args.push_back(std::move(one.value));
  const int32_t dtype_attribute = ir::ResultAttributeOf(*row);
  const DLDataType dtype = dtype_attribute >= 0 ? attributes[dtype_attribute].cast<DLDataType>()
                                                : ResultTypeOf(*row, args).value();
  for (int32_t index = 0; index < row->attributes.size; ++index) {
    if (index != dtype_attribute) args.push_back(AttributeArgument(attributes[index]));
  }
  return Call(dtype, std::move(op), std::move(args), std::move(span));
}

}  // namespace uir::tir
