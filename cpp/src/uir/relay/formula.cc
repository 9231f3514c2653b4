// Evaluates formulas: constants directly, other dimensions through the context.
#include "./formula.h"

#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace uir::relay {

namespace {

using ir::Formula;

bool IsNumber(const RuleValue& value) {
  return ir::IntegerOf(value).has_value() || value.as<ir::PrimExprNode>() != nullptr;
}

class Evaluator : public ir::FormulaEvaluator {
 public:
  Evaluator(const RuleValues& slots, TypeContext* context) : slots_(slots), context_(context) {}

 protected:
  RuleValue RunName(const Formula& name) override {
    const std::optional<RuleValue>& value = slots_[static_cast<size_t>(name.slot)];
    if (value.has_value()) return *value;
    TVM_FFI_THROW(ValueError) << "`" << name.name << "` has no value";
    TVM_FFI_UNREACHABLE();
  }

  RuleValue Apply(const Formula& formula, const RuleValue& a, const RuleValue& b) override {
    if (formula.op == ir::ScalarOp::kNegate) return Combine(ir::ScalarOp::kSub, 0, a);
    if (formula.op == ir::ScalarOp::kNot) return Combine(formula.op, a, 0);
    const bool are_numbers = IsNumber(a) && IsNumber(b);
    if (formula.op == ir::ScalarOp::kEQ && !are_numbers) return a == nullptr && b == nullptr;
    if (formula.op == ir::ScalarOp::kNE && !are_numbers) return a != nullptr || b != nullptr;
    return Combine(formula.op, a, b);
  }

  /*! \brief A list holds unless it is empty, and a condition if it is proved. */
  std::optional<bool> TruthOf(const RuleValue& value) const override {
    if (const ffi::ArrayObj* list = ListOf(value)) return !list->empty();
    const auto condition = value.as<ir::PrimExpr>();
    if (!condition || ir::IntegerOf(value)) return FormulaEvaluator::TruthOf(value).value_or(false);
    return context_->Prove(*condition) == Truth::kYes;
  }

  RuleValue Choose(const Formula&, const RuleValue&) override { TVM_FFI_UNREACHABLE(); }

  RuleValue RunIndex(const Formula& formula) override {
    const RuleValue value = Run(formula.parts[0]);
    const ffi::ArrayObj* list = ListOf(value);
    const std::optional<int64_t> index = ir::IntegerOf(Run(formula.parts[1]));
    const auto size = static_cast<int64_t>(list == nullptr ? 0 : list->size());
    const int64_t at = index.value_or(size) < 0 ? *index + size : index.value_or(size);
    if (at < 0 || at >= size) {
      TVM_FFI_THROW(ValueError) << "`" << ToText(formula) << "` is out of range: `"
                                << ToText(formula.parts[0]) << "` has " << size << " elements";
    }
    return list->at(at);
  }

  RuleValue RunCall(const Formula& formula) override {
    std::vector<RuleValue> values;
    for (const Formula& part : formula.parts) values.push_back(Run(part));
    const RuleValue only = values.size() == 1 ? values[0] : RuleValue();
    if (const ffi::ArrayObj* list = ListOf(only)) {
      if (formula.name == "len") return static_cast<int64_t>(list->size());
      values.assign(list->begin(), list->end());
    }
    if (formula.name == "sum") return Folded(ir::ScalarOp::kAdd, 0, values);
    if (formula.name == "prod") return Folded(ir::ScalarOp::kMul, 1, values);
    if (formula.name == "min" && !values.empty()) {
      return Folded(ir::ScalarOp::kMin, values[0], values);
    }
    if (formula.name == "max" && !values.empty()) {
      return Folded(ir::ScalarOp::kMax, values[0], values);
    }
    if (formula.name == "abs" && values.size() == 1) {
      return Combine(ir::ScalarOp::kMax, values[0], Combine(ir::ScalarOp::kSub, 0, values[0]));
    }
    TVM_FFI_THROW(ValueError) << "a rule calls `" << formula.name << "` with " << values.size()
                              << " arguments, which is not defined";
    TVM_FFI_UNREACHABLE();
  }

 private:
  RuleValue Combine(ir::ScalarOp op, const RuleValue& a, const RuleValue& b) const {
    return relay::Compute(op, a, b, context_);
  }

  RuleValue Folded(ir::ScalarOp op, RuleValue result, const std::vector<RuleValue>& values) {
    for (const RuleValue& value : values) result = Combine(op, result, value);
    return result;
  }

  const RuleValues& slots_;
  TypeContext* context_;
};

}  // namespace

const ffi::ArrayObj* ListOf(const RuleValue& value) { return value.as<ffi::ArrayObj>(); }

ir::PrimExpr Dimension(int64_t value) {
  const bool is_narrow =
      value <= std::numeric_limits<int32_t>::max() && value >= std::numeric_limits<int32_t>::min();
  return ir::IntImm(ir::IntType(is_narrow ? 32 : 64), value);
}

ir::PrimExpr AsDimension(const RuleValue& value) {
  if (auto dimension = value.as<ir::PrimExpr>()) return *std::move(dimension);
  return Dimension(ir::IntegerOf(value).value());
}

RuleValue Compute(ir::ScalarOp op, const RuleValue& a, const RuleValue& b, TypeContext* context) {
  if (!IsNumber(a) || !IsNumber(b)) {
    TVM_FFI_THROW(TypeError) << "a rule computes with a value other than an integer";
  }
  const std::optional<int64_t> left = ir::IntegerOf(a);
  const std::optional<int64_t> right = ir::IntegerOf(b);
  if (left.has_value() && right.has_value()) return ir::ComputeIntegers(op, *left, *right);
  return context->Compute(op, AsDimension(a), AsDimension(b));
}

RuleValue Evaluate(const Formula& formula, const RuleValues& slots, TypeContext* context) {
  return Evaluator(slots, context).Run(formula);
}

}  // namespace uir::relay
