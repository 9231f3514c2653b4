// Texts of formulas, and their evaluation on numbers.
#include "./formula.h"

#include <tvm/ffi/error.h>
#include <uir/ir/expr.h>

namespace uir::ir {

namespace {

std::string Joined(const std::vector<Formula>& parts) {
  std::string text;
  for (const Formula& part : parts) text += (text.empty() ? "" : ", ") + ToText(part);
  return text;
}

/*! \brief The text of a part, in parentheses if it is an operation. */
std::string Part(const Formula& formula) {
  const bool is_loose = formula.kind == FormulaKind::kBinary ||
                        formula.kind == FormulaKind::kConditional ||
                        (formula.kind == FormulaKind::kUnary && formula.op == ScalarOp::kNot);
  return is_loose ? "(" + ToText(formula) + ")" : ToText(formula);
}

}  // namespace

std::string ToText(const Formula& formula) {
  const std::vector<Formula>& parts = formula.parts;
  const std::string symbol(RowOf(formula.op).symbol);
  switch (formula.kind) {
    case FormulaKind::kInteger:
      return std::to_string(formula.integer);
    case FormulaKind::kBoolean:
      return formula.integer != 0 ? "True" : "False";
    case FormulaKind::kFloat:
      return std::to_string(formula.real);
    case FormulaKind::kName:
      return formula.name;
    case FormulaKind::kUnary:
      return (formula.op == ScalarOp::kNot ? "not " : "-") + Part(parts[0]);
    case FormulaKind::kBinary:
      return Part(parts[0]) + " " + symbol + " " + Part(parts[1]);
    case FormulaKind::kConditional:
      return Part(parts[0]) + " if " + Part(parts[1]) + " else " + Part(parts[2]);
    case FormulaKind::kCall:
      return formula.name + "(" + Joined(parts) + ")";
    case FormulaKind::kIndex:
      return Part(parts[0]) + "[" + Joined({parts.begin() + 1, parts.end()}) + "]";
    case FormulaKind::kPack:
      return "*" + formula.name;
    case FormulaKind::kList:
      return "(" + Joined(parts) + ")";
    case FormulaKind::kKeyword:
      return formula.name + "=" + ToText(parts[0]);
  }
  TVM_FFI_UNREACHABLE();
}

std::optional<int64_t> IntegerOf(const ffi::Any& value) {
  const int32_t type_index = value.type_index();
  if (type_index == ffi::TypeIndex::kTVMFFIInt || type_index == ffi::TypeIndex::kTVMFFIBool) {
    return value.cast<int64_t>();
  }
  const auto* constant = value.as<IntImmNode>();
  return constant == nullptr ? std::nullopt : std::optional<int64_t>(constant->value);
}

int64_t ComputeIntegers(ScalarOp op, int64_t a, int64_t b) {
  const std::optional<int64_t> value = Evaluate(op, a, b);
  if (value) return *value;
  if (IsDivision(op) && b == 0) TVM_FFI_THROW(ValueError) << "a rule divides by zero";
  TVM_FFI_THROW(ValueError) << "a dimension is out of the range of `int64`";
  TVM_FFI_UNREACHABLE();
}

ffi::Any ComputeReals(ScalarOp op, double a, double b) {
  const double value = Evaluate(op, a, b);
  return IsComparison(op) ? ffi::Any(value != 0) : ffi::Any(value);
}

ffi::Any FormulaEvaluator::Run(const Formula& formula) {
  switch (formula.kind) {
    case FormulaKind::kInteger:
    case FormulaKind::kBoolean:
      return formula.integer;
    case FormulaKind::kFloat:
      return formula.real;
    case FormulaKind::kName:
      return RunName(formula);
    case FormulaKind::kUnary:
      return RunUnary(formula);
    case FormulaKind::kBinary: {
      if (IsLogical(formula.op)) return RunJunction(formula);
      const ffi::Any a = RunPart(formula.parts[0]);
      return Compute(formula, a, RunPart(formula.parts[1]));
    }
    case FormulaKind::kConditional:
      return RunConditional(formula);
    case FormulaKind::kCall:
      return RunCall(formula);
    case FormulaKind::kIndex:
      return RunIndex(formula);
    case FormulaKind::kList:
      return RunList(formula);
    case FormulaKind::kKeyword:
      return Run(formula.parts[0]);
    case FormulaKind::kPack:
      break;
  }
  TVM_FFI_THROW(ValueError) << "`" << ToText(formula) << "` is valid only among indices";
  TVM_FFI_UNREACHABLE();
}

ffi::Any FormulaEvaluator::RunList(const Formula& list) {
  ffi::Array<ffi::Any> values;
  for (const Formula& part : list.parts) values.push_back(RunPart(part));
  return values;
}

std::optional<bool> FormulaEvaluator::TruthOf(const ffi::Any& value) const {
  return value == nullptr ? false : IsNonZero(value);
}

std::optional<bool> FormulaEvaluator::IsNonZero(const ffi::Any& value) const {
  const std::optional<double> number = AsReal(value);
  return number ? std::optional(*number != 0) : std::nullopt;
}

ffi::Any FormulaEvaluator::Compute(const Formula& formula, const ffi::Any& a, const ffi::Any& b) {
  const std::optional<int64_t> left = AsInteger(a);
  const std::optional<int64_t> right = left ? AsInteger(b) : std::nullopt;
  if (right) return ComputeIntegers(formula.op, *left, *right);
  const std::optional<double> x = AsReal(a);
  const std::optional<double> y = x ? AsReal(b) : std::nullopt;
  return y ? ComputeReals(formula.op, *x, *y) : Apply(formula, a, b);
}

ffi::Any FormulaEvaluator::RunUnary(const Formula& formula) {
  const ffi::Any value = RunPart(formula.parts[0]);
  const std::optional<double> number = AsReal(value);
  if (!number) return Apply(formula, value, nullptr);
  if (formula.op == ScalarOp::kNot) return *number == 0;
  const std::optional<int64_t> integer = AsInteger(value);
  return integer ? ffi::Any(ComputeIntegers(formula.op, *integer, 0)) : ffi::Any(-*number);
}

/*! \brief `a and b`, `a or b`: a number decides or is dropped. */
ffi::Any FormulaEvaluator::RunJunction(const Formula& formula) {
  const bool deciding = formula.op == ScalarOp::kOr;
  const ffi::Any first = RunPart(formula.parts[0]);
  const std::optional<bool> left = IsNonZero(first);
  if (left == deciding) return first;
  const ffi::Any second = RunPart(formula.parts[1]);
  if (left) return second;
  const std::optional<bool> right = IsNonZero(second);
  if (right) return *right == deciding ? second : first;
  return Apply(formula, first, second);
}

ffi::Any FormulaEvaluator::RunConditional(const Formula& formula) {
  const ffi::Any condition = RunPart(formula.parts[1]);
  const std::optional<bool> holds = TruthOf(condition);
  return holds ? Run(formula.parts[*holds ? 0 : 2]) : Choose(formula, condition);
}

std::optional<double> FormulaEvaluator::AsReal(const ffi::Any& value) const {
  if (value.type_index() == ffi::TypeIndex::kTVMFFIFloat) return value.cast<double>();
  const std::optional<int64_t> integer = AsInteger(value);
  return integer ? std::optional(static_cast<double>(*integer)) : std::nullopt;
}

}  // namespace uir::ir
