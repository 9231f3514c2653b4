// Evaluates formulas: constants directly, other dimensions through the context.
#include "./formula.h"

#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace uir::relay {

namespace {

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

[[noreturn]] void FailOverflow() {
  TVM_FFI_THROW(ValueError) << "a dimension is out of the range of `int64`";
  TVM_FFI_UNREACHABLE();
}

int64_t Divide(DimensionOp op, int64_t a, int64_t b) {
  if (b == 0) TVM_FFI_THROW(ValueError) << "a rule divides by zero";
  if (b == -1 && a == std::numeric_limits<int64_t>::min()) FailOverflow();
  return op == DimensionOp::kFloorDiv ? FloorDiv(a, b) : a - FloorDiv(a, b) * b;
}

int64_t Apply(DimensionOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflows = false;
  switch (op) {
    case DimensionOp::kAdd:
      overflows = __builtin_add_overflow(a, b, &result);
      break;
    case DimensionOp::kSub:
      overflows = __builtin_sub_overflow(a, b, &result);
      break;
    case DimensionOp::kMul:
      overflows = __builtin_mul_overflow(a, b, &result);
      break;
    case DimensionOp::kFloorDiv:
    case DimensionOp::kFloorMod:
      return Divide(op, a, b);
    case DimensionOp::kMin:
      return std::min(a, b);
    case DimensionOp::kMax:
      return std::max(a, b);
    case DimensionOp::kEqual:
      return a == b ? 1 : 0;
    case DimensionOp::kNotEqual:
      return a != b ? 1 : 0;
    case DimensionOp::kLess:
      return a < b ? 1 : 0;
    case DimensionOp::kLessEqual:
      return a <= b ? 1 : 0;
    case DimensionOp::kAnd:
      return a != 0 && b != 0 ? 1 : 0;
    case DimensionOp::kOr:
      return a != 0 || b != 0 ? 1 : 0;
    case DimensionOp::kNot:
      return a == 0 ? 1 : 0;
  }
  if (overflows) FailOverflow();
  return result;
}

bool IsNumber(const RuleValue& value) {
  return IntegerOf(value).has_value() || value.as<ir::PrimExprNode>() != nullptr;
}

/*! \brief The value of a floating-point number; `nullopt` for any other value, also an integer. */
std::optional<double> FloatOf(const RuleValue& value) {
  if (value.type_index() != ffi::TypeIndex::kTVMFFIFloat) return std::nullopt;
  return value.cast<double>();
}

class Evaluator {
 public:
  Evaluator(const RuleValues& slots, TypeContext* context) : slots_(slots), context_(context) {}

  RuleValue Run(const Formula& formula) {
    switch (formula.kind) {
      case FormulaKind::kInteger:
        return formula.integer;
      case FormulaKind::kFloat:
        return formula.real;
      case FormulaKind::kName:
        return Lookup(formula);
      case FormulaKind::kNegate:
        return Negated(Run(formula.parts[0]));
      case FormulaKind::kNot:
        return Combine(DimensionOp::kNot, Run(formula.parts[0]), 0);
      case FormulaKind::kBinary:
        return RunBinary(formula);
      case FormulaKind::kConditional:
        return Run(formula.parts[IsTrue(formula.parts[1]) ? 0 : 2]);
      case FormulaKind::kCall:
        return RunCall(formula);
      case FormulaKind::kIndex:
        return RunIndex(formula);
      case FormulaKind::kKeyword:
        return Run(formula.parts[0]);
      case FormulaKind::kList:
        break;
      case FormulaKind::kPack:
        TVM_FFI_THROW(ValueError) << "`" << ToText(formula) << "` is valid only among indices";
    }
    ffi::Array<ffi::Any> values;
    for (const Formula& part : formula.parts) values.push_back(Run(part));
    return values;
  }

 private:
  RuleValue Lookup(const Formula& name) {
    const std::optional<RuleValue>& value = slots_[static_cast<size_t>(name.slot)];
    if (value.has_value()) return *value;
    TVM_FFI_THROW(ValueError) << "`" << name.name << "` has no value";
    TVM_FFI_UNREACHABLE();
  }

  RuleValue Negated(const RuleValue& value) {
    if (const std::optional<double> real = FloatOf(value)) return -*real;
    return Combine(DimensionOp::kSub, 0, value);
  }

  RuleValue Combine(DimensionOp op, const RuleValue& a, const RuleValue& b) {
    return Compute(op, a, b, context_);
  }

  bool IsTrue(const Formula& formula) {
    const RuleValue value = Run(formula);
    if (const std::optional<int64_t> integer = IntegerOf(value)) return *integer != 0;
    if (const std::optional<double> real = FloatOf(value)) return *real != 0;
    if (const ffi::ArrayObj* list = ListOf(value)) return !list->empty();
    const auto condition = value.as<ir::PrimExpr>();
    return condition.has_value() && context_->Prove(*condition) == Truth::kYes;
  }

  RuleValue RunBinary(const Formula& formula) {
    if (formula.op == DimensionOp::kAnd || formula.op == DimensionOp::kOr) {
      return RunJunction(formula);
    }
    const RuleValue a = Run(formula.parts[0]);
    const RuleValue b = Run(formula.parts[1]);
    if (IsNumber(a) && IsNumber(b)) return Combine(formula.op, a, b);
    const bool is_equal = a == nullptr && b == nullptr;
    if (formula.op == DimensionOp::kEqual) return is_equal ? 1 : 0;
    if (formula.op == DimensionOp::kNotEqual) return is_equal ? 0 : 1;
    return Combine(formula.op, a, b);
  }

  /*!
   * \brief `a and b`, `a or b`.
   *
   * As in Python, the second part is evaluated only if the first does not decide. A constant part
   * decides or is dropped, because `Combine` turns constants into integers, and `tir` has no `and`
   * of a condition and an integer.
   */
  RuleValue RunJunction(const Formula& formula) {
    const auto decides = [&](int64_t value) {
      return (value != 0) == (formula.op == DimensionOp::kOr);
    };
    RuleValue first = Run(formula.parts[0]);
    const std::optional<int64_t> left = IntegerOf(first);
    if (left.has_value() && decides(*left)) return first;
    RuleValue second = Run(formula.parts[1]);
    if (left.has_value()) return second;
    const std::optional<int64_t> right = IntegerOf(second);
    if (right.has_value()) return decides(*right) ? second : first;
    return Combine(formula.op, first, second);
  }

  RuleValue RunIndex(const Formula& formula) {
    const RuleValue value = Run(formula.parts[0]);
    const ffi::ArrayObj* list = ListOf(value);
    const std::optional<int64_t> index = IntegerOf(Run(formula.parts[1]));
    const auto size = static_cast<int64_t>(list == nullptr ? 0 : list->size());
    const int64_t at = index.value_or(size) < 0 ? *index + size : index.value_or(size);
    if (at < 0 || at >= size) {
      TVM_FFI_THROW(ValueError) << "`" << ToText(formula) << "` is out of range: `"
                                << ToText(formula.parts[0]) << "` has " << size << " elements";
    }
    return list->at(at);
  }

  RuleValue RunCall(const Formula& formula) {
    std::vector<RuleValue> values;
    for (const Formula& part : formula.parts) values.push_back(Run(part));
    const RuleValue only = values.size() == 1 ? values[0] : RuleValue();
    if (const ffi::ArrayObj* list = ListOf(only)) {
      if (formula.name == "len") return static_cast<int64_t>(list->size());
      values.assign(list->begin(), list->end());
    }
    if (formula.name == "sum") return Folded(DimensionOp::kAdd, 0, values);
    if (formula.name == "prod") return Folded(DimensionOp::kMul, 1, values);
    if (formula.name == "min" && !values.empty()) {
      return Folded(DimensionOp::kMin, values[0], values);
    }
    if (formula.name == "max" && !values.empty()) {
      return Folded(DimensionOp::kMax, values[0], values);
    }
    if (formula.name == "abs" && values.size() == 1) {
      return Combine(DimensionOp::kMax, values[0], Negated(values[0]));
    }
    TVM_FFI_THROW(ValueError) << "a rule calls `" << formula.name << "` with " << values.size()
                              << " arguments, which is not defined";
    TVM_FFI_UNREACHABLE();
  }

  RuleValue Folded(DimensionOp op, RuleValue result, const std::vector<RuleValue>& values) {
    for (const RuleValue& value : values) result = Combine(op, result, value);
    return result;
  }

  const RuleValues& slots_;
  TypeContext* context_;
};

std::string Joined(const std::vector<Formula>& parts) {
  std::string text;
  for (const Formula& part : parts) text += (text.empty() ? "" : ", ") + ToText(part);
  return text;
}

/*! \brief The text of a part, in parentheses if it is an operation. */
std::string Part(const Formula& formula) {
  const bool is_loose = formula.kind == FormulaKind::kBinary ||
                        formula.kind == FormulaKind::kConditional ||
                        formula.kind == FormulaKind::kNot;
  return is_loose ? "(" + ToText(formula) + ")" : ToText(formula);
}

}  // namespace

std::optional<int64_t> IntegerOf(const RuleValue& value) {
  const int32_t type_index = value.type_index();
  if (type_index == ffi::TypeIndex::kTVMFFIInt || type_index == ffi::TypeIndex::kTVMFFIBool) {
    return value.cast<int64_t>();
  }
  const auto* constant = value.as<ir::IntImmNode>();
  return constant == nullptr ? std::nullopt : std::optional<int64_t>(constant->value);
}

const ffi::ArrayObj* ListOf(const RuleValue& value) { return value.as<ffi::ArrayObj>(); }

ir::PrimExpr Dimension(int64_t value) {
  const bool is_narrow =
      value <= std::numeric_limits<int32_t>::max() && value >= std::numeric_limits<int32_t>::min();
  return ir::IntImm(ir::IntType(is_narrow ? 32 : 64), value);
}

ir::PrimExpr AsDimension(const RuleValue& value) {
  if (auto dimension = value.as<ir::PrimExpr>()) return *std::move(dimension);
  return Dimension(IntegerOf(value).value());
}

RuleValue Compute(DimensionOp op, const RuleValue& a, const RuleValue& b, TypeContext* context) {
  if (!IsNumber(a) || !IsNumber(b)) {
    TVM_FFI_THROW(TypeError) << "a rule computes with a value other than an integer";
  }
  const std::optional<int64_t> left = IntegerOf(a);
  const std::optional<int64_t> right = IntegerOf(b);
  if (left.has_value() && right.has_value()) return Apply(op, *left, *right);
  return context->Compute(op, AsDimension(a), AsDimension(b));
}

RuleValue Evaluate(const Formula& formula, const RuleValues& slots, TypeContext* context) {
  return Evaluator(slots, context).Run(formula);
}

std::string ToText(const Formula& formula) {
  const std::vector<Formula>& parts = formula.parts;
  switch (formula.kind) {
    case FormulaKind::kInteger:
      return std::to_string(formula.integer);
    case FormulaKind::kFloat:
      return std::to_string(formula.real);
    case FormulaKind::kName:
      return formula.name;
    case FormulaKind::kNegate:
      return "-" + Part(parts[0]);
    case FormulaKind::kNot:
      return "not " + Part(parts[0]);
    case FormulaKind::kBinary:
      return Part(parts[0]) + " " + formula.name + " " + Part(parts[1]);
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

}  // namespace uir::relay
