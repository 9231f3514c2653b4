// Expressions of operators: infix operators and calls become calls of operators.
#include "./operator_formula.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/relay/atom.h>
#include <uir/relay/call.h>

#include <optional>

namespace uir::transform {

namespace {

using ir::Formula;
using ir::FormulaKind;

/*! \brief Make the node of an operator's attributes from the given ones, by name. */
ffi::Optional<ir::Attrs> MakeAttributes(
    const ir::OperatorRow& row, const std::vector<std::pair<ffi::String, ffi::Any>>& given) {
  if (row.attrs_key == nullptr) return std::nullopt;
  static const ffi::Any marker = ffi::Function::GetGlobalRequired("ffi.GetKwargsObject")();
  std::vector<ffi::AnyView> arguments = {marker};
  for (const auto& [name, value] : given) {
    arguments.emplace_back(name);
    arguments.emplace_back(value);
  }
  ffi::Any attributes;
  ffi::Function::GetGlobalRequired(row.attrs_key)
      .CallPacked(arguments.data(), static_cast<int32_t>(arguments.size()), &attributes);
  return attributes.cast<ir::Attrs>();
}

/*! \brief A number other than a boolean; `nullopt` for any other value. */
std::optional<double> RealOperand(const ffi::Any& value) {
  const bool is_number = value.type_index() == ffi::TypeIndex::kTVMFFIInt ||
                         value.type_index() == ffi::TypeIndex::kTVMFFIFloat;
  return is_number ? std::optional<double>(value.cast<double>()) : std::nullopt;
}

/*! \brief The result of an operator on two numbers; `nullopt` if it is not arithmetic. */
std::optional<ffi::Any> FoldedNumber(std::string_view op, const std::vector<ffi::Any>& operands) {
  if (operands.size() != 2) return std::nullopt;
  const std::optional<double> a = RealOperand(operands[0]);
  const std::optional<double> b = RealOperand(operands[1]);
  if (!a || !b) return std::nullopt;
  const std::optional<ir::ScalarOp> scalar = ir::FindTensorOp(op);
  const bool is_computed = scalar && !ir::IsBitwise(*scalar) && !ir::IsLogical(*scalar);
  return is_computed ? std::optional(ir::ComputeReals(*scalar, *a, *b)) : std::nullopt;
}

}  // namespace

FormulaSteps ParseSteps(std::string_view text) {
  FormulaSteps parsed;
  for (size_t end = text.find(';'); end != std::string_view::npos; end = text.find(';')) {
    const std::string_view step = text.substr(0, end);
    const size_t sign = step.find('=');
    ir::Formula value = ir::ParseFormula(step.substr(sign + 1), &parsed.names);
    const int slot = ir::ParseFormula(step.substr(0, sign), &parsed.names).slot;
    parsed.steps.emplace(slot, std::move(value));
    text.remove_prefix(end + 1);
  }
  parsed.result = ir::ParseFormula(text, &parsed.names);
  return parsed;
}

const Formula* FormulaBuilder::StepOf(const Formula& formula) const {
  if (steps_ == nullptr || formula.kind != FormulaKind::kName) return nullptr;
  const auto step = steps_->steps.find(formula.slot);
  return step == steps_->steps.end() ? nullptr : &step->second;
}

ffi::Any FormulaBuilder::RunName(const Formula& formula) {
  const Formula* step = StepOf(formula);
  if (step == nullptr) return (*values_)[static_cast<size_t>(formula.slot)];
  const auto known = bound_.find(ir::ToText(*step));
  return known == bound_.end() ? Run(*step) : ffi::Any(known->second);
}

ffi::Any FormulaBuilder::Apply(const Formula& formula, const ffi::Any&, const ffi::Any&) {
  return RunOperator(ir::RowOf(formula.op).tensor_op, formula.parts);
}

ffi::Any FormulaBuilder::Choose(const Formula& formula, const ffi::Any&) {
  return RunOperator("where", {formula.parts[1], formula.parts[0], formula.parts[2]});
}

ffi::Any FormulaBuilder::RunCall(const Formula& formula) {
  const AttributeFunction function = FindAttributeFunction(formula.name);
  if (function == nullptr) return RunOperator(formula.name, formula.parts);
  std::vector<ffi::Any> arguments;
  for (const Formula& part : formula.parts) arguments.push_back(RunPart(part));
  return function(arguments);
}

ffi::Any FormulaBuilder::RunIndex(const Formula& formula) {
  const ffi::Any value = RunPart(formula.parts[0]);
  const auto index = ir::IntegerOf(Run(formula.parts[1])).value();
  if (const auto list = value.as<ffi::Array<ffi::Any>>()) return (*list)[index];
  return relay::TupleGetItem(value.cast<ir::RelayExpr>(), index);
}

ffi::Any FormulaBuilder::RunOperator(std::string_view name, const std::vector<Formula>& parts) {
  // Operators that the namespace lacks, such as the infix ones, are those of relay.
  const std::string own = ns_ + "." + std::string(name);
  const ir::Op op = ir::get_op(ir::has_op(own) ? own : "relay." + std::string(name));
  const ir::OperatorRow* row = ir::FindOperatorRow(op);
  if (row == nullptr) TVM_FFI_THROW(ValueError) << "`" << op->name << "` is not declared";
  const std::vector<std::string_view> names = ir::ArgumentNamesOf(*row);
  std::vector<ffi::Any> operands(static_cast<size_t>(row->operands.size));
  std::vector<std::pair<ffi::String, ffi::Any>> attributes;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool is_named = parts[i].kind == FormulaKind::kKeyword;
    const std::string argument = is_named ? parts[i].name : std::string(names.at(i));
    ffi::Any value = RunPart(is_named ? parts[i].parts[0] : parts[i]);
    const int32_t operand = ir::FindOperand(*row, argument);
    if (operand >= 0) {
      operands[static_cast<size_t>(operand)] = std::move(value);
    } else {
      attributes.emplace_back(argument, std::move(value));
    }
  }
  if (std::optional<ffi::Any> number = FoldedNumber(name, operands)) return *std::move(number);
  ir::ConvertNumbers(*row, &operands);
  return relay::make_call(op, ffi::Array<ffi::Any>(operands.begin(), operands.end()),
                          MakeAttributes(*row, attributes), span_);
}

ffi::Any FormulaBuilder::RunPart(const Formula& formula) {
  if (const Formula* step = StepOf(formula)) return RunPart(*step);
  if (formula.kind == FormulaKind::kName || formula.kind == FormulaKind::kInteger) {
    return Run(formula);
  }
  const std::string text = ir::ToText(formula);
  const auto known = bound_.find(text);
  if (known != bound_.end()) return known->second;
  ffi::Any value = Run(formula);
  const auto expr = value.as<ir::RelayExpr>();
  if (!expr || relay::IsAtom(*expr)) return value;
  return bound_.emplace(text, bind_(*expr)).first->second;
}

}  // namespace uir::transform
