// Sizes of values, and the work of operators by their kinds and formulas.
#include "./constant_work.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "../../ir/formula.h"

namespace uir::transform {

namespace {

/*! \brief The operations of one call of a function that has no instruction. */
constexpr double kWorkOfFunction = 16;

constexpr std::string_view kCostlyFunctions[] = {
    "acos",  "acosh", "asin",  "asinh", "atan",  "atanh",   "cos", "cosh", "erf", "exp",
    "expm1", "log",   "log1p", "pow",   "power", "sigmoid", "sin", "sinh", "tan", "tanh"};

/*! \brief The elements of a tensor, or of the tensors of a tuple; 0 for a symbolic shape. */
double ElementsOf(const ir::Type& type) {
  if (const auto* tuple = type.as<ir::TupleTypeNode>()) {
    double sum = 0;
    for (const ir::Type& field : tuple->fields) sum += ElementsOf(field);
    return sum;
  }
  const auto* tensor = type.as<ir::TensorTypeNode>();
  double elements = tensor == nullptr ? 0 : 1;
  for (const ir::PrimExpr& extent :
       tensor == nullptr ? ffi::Array<ir::PrimExpr>() : tensor->shape) {
    const auto* constant = extent.as<ir::IntImmNode>();
    elements *= constant == nullptr ? 0 : static_cast<double>(constant->value);
  }
  return elements;
}

double ElementsOf(const ir::RelayExpr& value) {
  return value->checked_type.has_value() ? ElementsOf(value->checked_type.value()) : 0;
}

/*! \brief The operations of a formula; of a condition, those of both of its values. */
double WorkOfFormula(const ir::Formula& formula) {
  using ir::FormulaKind;
  double work = 0;
  if (formula.kind == FormulaKind::kCall) {
    const bool is_function = std::find(std::begin(kCostlyFunctions), std::end(kCostlyFunctions),
                                       formula.name) != std::end(kCostlyFunctions);
    work = is_function ? kWorkOfFunction : 1;
  } else if (formula.kind == FormulaKind::kUnary || formula.kind == FormulaKind::kBinary) {
    work = 1;
  }
  for (const ir::Formula& part : formula.parts) work += WorkOfFormula(part);
  return work;
}

double WorkOfElement(const ir::Op& op) {
  const auto scalar = ir::op_attr(op, "scalar").as<ffi::String>();
  if (!scalar) return 0;
  std::vector<std::string> names;
  return WorkOfFormula(ir::ParseFormula({scalar->data(), scalar->size()}, &names));
}

/*! \brief The terms of each element of a product of matrices. */
double TermsOf(const relay::CallNode* call) {
  const auto& type = call->args[0]->checked_type;
  const auto* left = type.has_value() ? type.value().as<ir::TensorTypeNode>() : nullptr;
  if (left == nullptr || left->shape.empty()) return 1;
  const auto* terms = left->shape.back().as<ir::IntImmNode>();
  return terms == nullptr ? 1 : static_cast<double>(terms->value);
}

}  // namespace

std::optional<int64_t> BytesOf(const ir::Type& type) {
  int64_t bytes = 0;
  if (const auto* tuple = type.as<ir::TupleTypeNode>()) {
    for (const ir::Type& field : tuple->fields) {
      const std::optional<int64_t> more = BytesOf(field);
      if (!more || __builtin_add_overflow(bytes, *more, &bytes)) return std::nullopt;
    }
    return bytes;
  }
  const auto* tensor = type.as<ir::TensorTypeNode>();
  if (tensor == nullptr) return std::nullopt;
  bytes = (tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  for (const ir::PrimExpr& extent : tensor->shape) {
    const auto* constant = extent.as<ir::IntImmNode>();
    const bool overflows =
        constant == nullptr || __builtin_mul_overflow(bytes, constant->value, &bytes);
    if (overflows) return std::nullopt;
  }
  return bytes;
}

double WorkOfValue(const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  const auto op = call == nullptr ? std::nullopt : call->op.as<ir::Op>();
  if (!op || call->args.empty()) return 0;
  const auto kind = ir::op_attr(*op, "kind").as<ffi::String>();
  if (kind == ffi::String("contraction")) return 2 * TermsOf(call) * ElementsOf(value);
  if (kind == ffi::String("reduction") || kind == ffi::String("row")) {
    return ElementsOf(call->args[0]);
  }
  return WorkOfElement(*op) * ElementsOf(value);
}

}  // namespace uir::transform
