// Quantized operands, as importers write them.
#include "./quantized_operands.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/relay/expr.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <cmath>

#include "./tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief The steps from a constant to a value that depends on it. */
constexpr int kConstantSteps = 6;

bool HasType(const RelayExpr& expr, DLDataType dtype) {
  const ir::TensorTypeNode* type = TensorTypeOf(expr);
  return type != nullptr && type->dtype == dtype;
}

bool IsOfBytes(const RelayExpr& expr) {
  return HasType(expr, ir::IntType(8)) || HasType(expr, ir::UIntType(8));
}

/*! \brief The magnitudes of scales; none unless they are finite and of float32. */
std::optional<Magnitudes> MagnitudesOf(const ffi::Tensor& tensor) {
  if (tensor.dtype() != ir::FloatType(32) || !tensor.IsContiguous()) return std::nullopt;
  const DLTensor& raw = *tensor.GetDLTensorPtr();
  const auto* scales =
      reinterpret_cast<const float*>(static_cast<const char*>(raw.data) + raw.byte_offset);
  Magnitudes found;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    if (!std::isfinite(scales[i])) return std::nullopt;
    const double magnitude = std::abs(scales[i]);
    if (magnitude == 0) continue;
    found.least = std::min(found.least, magnitude);
    found.most = std::max(found.most, magnitude);
  }
  return found;
}

bool IsOne(const ir::PrimExpr& dimension) { return tir::IntConstOf(dimension) == 1; }

/*! \brief Whether a factor is the same for all elements along an axis. */
bool IsSameAlong(const RelayExpr& factor, int64_t from_end) {
  const ir::TensorTypeNode* type = TensorTypeOf(factor);
  if (type == nullptr) return false;
  const auto rank = static_cast<int64_t>(type->shape.size());
  return rank < from_end || tir::IntConstOf(type->shape[rank - from_end]) == 1;
}

/*! \brief Whether the shape of a value is the one that a factor broadcast it to. */
bool KeepsShape(const RelayExpr& result, const RelayExpr& values) {
  const ir::TensorTypeNode *after = TensorTypeOf(result), *before = TensorTypeOf(values);
  return after != nullptr && before != nullptr &&
         tschema::StructuralEqual(after->shape, before->shape);
}

}  // namespace

bool IsSingle(const RelayExpr& factors) {
  const ir::TensorTypeNode* type = TensorTypeOf(factors);
  return type != nullptr && std::all_of(type->shape.begin(), type->shape.end(), IsOne);
}

bool IsOfFirstAxis(const RelayExpr& factors, size_t rank) {
  if (IsSingle(factors)) return true;
  const ir::TensorTypeNode* type = TensorTypeOf(factors);
  return type != nullptr && type->shape.size() == rank &&
         std::all_of(type->shape.begin() + 1, type->shape.end(), IsOne);
}

void QuantizedOperands::Add(const relay::Binding& binding) {
  values_.insert_or_assign(binding->var.get(), binding->value);
}

const relay::CallNode* QuantizedOperands::CallOf(const RelayExpr& expr,
                                                 std::string_view name) const {
  const auto bound = values_.find(expr.get());
  const auto* call = (bound == values_.end() ? expr : bound->second).as<relay::CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  return op != nullptr && std::string_view(op->name.data(), op->name.size()) == name ? call
                                                                                     : nullptr;
}

bool QuantizedOperands::HasZeroOfValues(const QuantizedOperand& operand) const {
  if (!operand.zero.has_value()) return true;
  const relay::CallNode* cast = CallOf(operand.zero.value(), "relay.cast");
  return cast != nullptr && HasType(cast->args[0], TensorTypeOf(operand.values)->dtype);
}

RelayExpr QuantizedOperands::ZeroOfValues(const QuantizedOperand& operand) const {
  return CallOf(operand.zero.value(), "relay.cast")->args[0];
}

bool QuantizedOperands::IsConstant(const RelayExpr& expr) const {
  return DependsOnConstants(expr, kConstantSteps);
}

bool QuantizedOperands::DependsOnConstants(const RelayExpr& expr, int steps) const {
  if (expr.as<relay::ConstantNode>() != nullptr) return true;
  const auto bound = values_.find(expr.get());
  if (steps == 0 || bound == values_.end()) return false;
  if (bound->second.as<relay::ConstantNode>() != nullptr) return true;
  const auto* call = bound->second.as<relay::CallNode>();
  if (call == nullptr || call->op.as<ir::OpNode>() == nullptr) return false;
  return std::all_of(call->args.begin(), call->args.end(),
                     [&](const RelayExpr& arg) { return DependsOnConstants(arg, steps - 1); });
}

std::optional<Magnitudes> QuantizedOperands::MagnitudesOfConstant(RelayExpr expr) const {
  for (int step = 0; step < kConstantSteps; ++step) {
    if (const auto* constant = expr.as<relay::ConstantNode>()) return MagnitudesOf(constant->data);
    const relay::CallNode* view = CallOf(expr, "relay.reshape");
    if (view == nullptr) view = CallOf(expr, "relay.expand_dims");
    if (view == nullptr) view = CallOf(expr, "relay.transpose");
    if (view == nullptr) return std::nullopt;
    expr = view->args[0];
  }
  return std::nullopt;
}

std::optional<QuantizedOperand> QuantizedOperands::FindCentered(const RelayExpr& expr,
                                                                int64_t terms) const {
  if (!HasType(expr, ir::IntType(32))) return std::nullopt;
  QuantizedOperand found;
  found.centered = expr;
  RelayExpr wide = expr;
  if (const relay::CallNode* difference = CallOf(expr, "relay.subtract")) {
    wide = difference->args[0];
    found.zero = difference->args[1];
    if (!KeepsShape(expr, wide) || !IsSameAlong(difference->args[1], terms)) return std::nullopt;
  }
  const relay::CallNode* cast = CallOf(wide, "relay.cast");
  if (cast == nullptr || !IsOfBytes(cast->args[0])) return std::nullopt;
  found.values = cast->args[0];
  return found;
}

std::optional<QuantizedOperand> QuantizedOperands::Find(const RelayExpr& expr,
                                                        int64_t terms) const {
  if (auto found = FindCentered(expr, terms)) return found;
  const relay::CallNode* product = CallOf(expr, "relay.multiply");
  if (product == nullptr || !HasType(expr, ir::FloatType(32))) return std::nullopt;
  const RelayExpr& scale = product->args[1];
  const relay::CallNode* cast = CallOf(product->args[0], "relay.cast");
  if (cast == nullptr || !KeepsShape(expr, product->args[0])) return std::nullopt;
  const auto magnitudes = MagnitudesOfConstant(scale);
  if (!IsSameAlong(scale, terms) || !magnitudes) return std::nullopt;
  auto found = FindCentered(cast->args[0], terms);
  if (!found || !HasZeroOfValues(*found)) return std::nullopt;
  found->scale = scale;
  found->magnitudes = *magnitudes;
  return found;
}

}  // namespace uir::transform
