// Evaluation of formulas: constants at once, everything else through the context.
#include "./formula.h"

#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace uir::relay {

namespace {

using Kind = RuleValue::Kind;

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
  return value.kind == Kind::kInteger || value.kind == Kind::kExpr;
}

class Evaluator {
 public:
  Evaluator(const std::vector<RuleValue>& slots, TypeContext* context)
      : slots_(slots), context_(context) {}

  RuleValue Run(const Formula& formula) {
    switch (formula.kind) {
      case FormulaKind::kInteger:
        return RuleValue::Integer(formula.integer);
      case FormulaKind::kFloat:
        return RuleValue::Float(formula.real);
      case FormulaKind::kName:
        return Lookup(formula);
      case FormulaKind::kNegate:
        return Negated(Run(formula.parts[0]));
      case FormulaKind::kNot:
        return Combine(DimensionOp::kNot, Run(formula.parts[0]), RuleValue::Integer(0));
      case FormulaKind::kBinary:
        return RunBinary(formula);
      case FormulaKind::kConditional:
        return Run(formula.parts[IsTrue(formula.parts[1]) ? 0 : 2]);
      case FormulaKind::kCall:
        return RunCall(formula);
      case FormulaKind::kIndex:
        return RunIndex(formula);
      case FormulaKind::kList:
        break;
    }
    std::vector<RuleValue> values;
    for (const Formula& part : formula.parts) values.push_back(Run(part));
    return RuleValue::List(std::move(values));
  }

 private:
  RuleValue Lookup(const Formula& name) {
    const RuleValue& value = slots_[static_cast<size_t>(name.slot)];
    if (value.is_set()) return value;
    TVM_FFI_THROW(ValueError) << "`" << name.name << "` has no value";
    TVM_FFI_UNREACHABLE();
  }

  RuleValue Negated(const RuleValue& value) {
    if (value.kind == Kind::kFloat) return RuleValue::Float(-value.real);
    return Combine(DimensionOp::kSub, RuleValue::Integer(0), value);
  }

  bool IsTrue(const Formula& formula) {
    const RuleValue value = Run(formula);
    switch (value.kind) {
      case Kind::kInteger:
        return value.integer != 0;
      case Kind::kFloat:
        return value.real != 0;
      case Kind::kList:
        return !value.list.empty();
      case Kind::kExpr:
        return context_->Prove(value.expr.value()) == Truth::kYes;
      default:
        return false;
    }
  }

  RuleValue RunBinary(const Formula& formula) {
    if (formula.op == DimensionOp::kAnd || formula.op == DimensionOp::kOr) {
      return RunJunction(formula);
    }
    const RuleValue a = Run(formula.parts[0]);
    const RuleValue b = Run(formula.parts[1]);
    if (IsNumber(a) && IsNumber(b)) return Combine(formula.op, a, b);
    const bool is_equal = a.kind == b.kind && a.kind == Kind::kNone;
    if (formula.op == DimensionOp::kEqual) return RuleValue::Integer(is_equal ? 1 : 0);
    if (formula.op == DimensionOp::kNotEqual) return RuleValue::Integer(is_equal ? 0 : 1);
    return Combine(formula.op, a, b);
  }

  /*!
   * \brief `a and b`, `a or b`.
   *
   * As in Python, the second part is evaluated only if it counts. A constant part decides, or
   * leaves the other one, because `Combine` makes an integer of a constant, and `tir` has no `and`
   * of a condition and an integer.
   */
  RuleValue RunJunction(const Formula& formula) {
    const auto decides = [&](const RuleValue& value) {
      return (value.integer != 0) == (formula.op == DimensionOp::kOr);
    };
    const RuleValue first = Run(formula.parts[0]);
    if (first.kind == Kind::kInteger && decides(first)) return first;
    const RuleValue second = Run(formula.parts[1]);
    if (first.kind == Kind::kInteger) return second;
    if (second.kind == Kind::kInteger) return decides(second) ? second : first;
    return Combine(formula.op, first, second);
  }

  RuleValue Combine(DimensionOp op, const RuleValue& a, const RuleValue& b) {
    if (!IsNumber(a) || !IsNumber(b)) {
      TVM_FFI_THROW(TypeError) << "a rule computes with a value other than an integer";
    }
    if (a.kind == Kind::kInteger && b.kind == Kind::kInteger) {
      return RuleValue::Integer(Apply(op, a.integer, b.integer));
    }
    return RuleValue::Dimension(context_->Compute(op, a.AsDimension(), b.AsDimension()));
  }

  RuleValue RunIndex(const Formula& formula) {
    const RuleValue list = Run(formula.parts[0]);
    const RuleValue index = Run(formula.parts[1]);
    const auto size = static_cast<int64_t>(list.list.size());
    const int64_t at = index.integer < 0 ? index.integer + size : index.integer;
    if (list.kind != Kind::kList || index.kind != Kind::kInteger || at < 0 || at >= size) {
      TVM_FFI_THROW(ValueError) << "`" << ToText(formula) << "` is out of range: `"
                                << ToText(formula.parts[0]) << "` has " << size << " elements";
    }
    return list.list[static_cast<size_t>(at)];
  }

  RuleValue RunCall(const Formula& formula) {
    std::vector<RuleValue> values;
    for (const Formula& part : formula.parts) values.push_back(Run(part));
    if (formula.name == "len" && values.size() == 1 && values[0].kind == Kind::kList) {
      return RuleValue::Integer(static_cast<int64_t>(values[0].list.size()));
    }
    if (values.size() == 1 && values[0].kind == Kind::kList) values = values[0].list;
    if (formula.name == "sum") return Folded(DimensionOp::kAdd, RuleValue::Integer(0), values);
    if (formula.name == "prod") return Folded(DimensionOp::kMul, RuleValue::Integer(1), values);
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

  const std::vector<RuleValue>& slots_;
  TypeContext* context_;
};

std::string Joined(const std::vector<Formula>& parts) {
  std::string text;
  for (const Formula& part : parts) text += (text.empty() ? "" : ", ") + ToText(part);
  return text;
}

/*! \brief The text of a part, in parentheses where it is not a single word. */
std::string Part(const Formula& formula) {
  const bool is_loose = formula.kind == FormulaKind::kBinary ||
                        formula.kind == FormulaKind::kConditional ||
                        formula.kind == FormulaKind::kNot;
  return is_loose ? "(" + ToText(formula) + ")" : ToText(formula);
}

}  // namespace

RuleValue RuleValue::Integer(int64_t value) {
  RuleValue result;
  result.kind = Kind::kInteger;
  result.integer = value;
  return result;
}

RuleValue RuleValue::Float(double value) {
  RuleValue result;
  result.kind = Kind::kFloat;
  result.real = value;
  return result;
}

RuleValue RuleValue::Dimension(const ir::PrimExpr& dimension) {
  RuleValue result;
  const auto* constant = dimension.as<ir::IntImmNode>();
  result.kind = constant != nullptr ? Kind::kInteger : Kind::kExpr;
  if (constant != nullptr) result.integer = constant->value;
  result.expr = dimension;
  return result;
}

RuleValue RuleValue::List(std::vector<RuleValue> values) {
  RuleValue result;
  result.kind = Kind::kList;
  result.list = std::move(values);
  return result;
}

ir::PrimExpr RuleValue::AsDimension() const {
  if (expr.has_value()) return expr.value();
  const bool is_narrow = integer <= std::numeric_limits<int32_t>::max() &&
                         integer >= std::numeric_limits<int32_t>::min();
  return ir::IntImm(ir::IntType(is_narrow ? 32 : 64), integer);
}

RuleValue Evaluate(const Formula& formula, const std::vector<RuleValue>& slots,
                   TypeContext* context) {
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
      return Part(parts[0]) + "[" + ToText(parts[1]) + "]";
    case FormulaKind::kList:
      return "(" + Joined(parts) + ")";
  }
  TVM_FFI_UNREACHABLE();
}

}  // namespace uir::relay
