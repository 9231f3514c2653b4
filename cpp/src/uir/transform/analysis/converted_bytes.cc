// Numbers that are converted from bytes.
#include "./converted_bytes.h"

#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/relay/convolution.h>
#include <uir/relay/expr.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "../../relay/shape_rule.h"
#include "./quantized_operands.h"
#include "./tensor_type_of.h"

namespace uir::transform {

namespace {

constexpr std::string_view kConversions[] = {"relay.cast", "relay.multiply", "relay.subtract"};

bool HasBytes(const ir::TensorTypeNode* type) {
  return ir::IsInteger(type->dtype) && type->dtype.bits == 8;
}

bool IsConversion(const relay::CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr) return false;
  const std::string_view name(op->name.data(), op->name.size());
  return std::find(std::begin(kConversions), std::end(kConversions), name) !=
         std::end(kConversions);
}

bool IsSingleConstant(const ir::RelayExpr& expr) {
  return expr.as<relay::ConstantNode>() != nullptr && IsSingle(expr);
}

}  // namespace

void ConvertedBytes::Add(const relay::Binding& binding) {
  const auto* call = binding->value.as<relay::CallNode>();
  if (call == nullptr || !IsConversion(call)) return;
  if (call->args.size() > 1 && !IsSingleConstant(call->args[1])) return;
  const ir::TensorTypeNode *type = TensorTypeOf(binding->value),
                           *source = TensorTypeOf(call->args[0]);
  if (type == nullptr || source == nullptr || HasBytes(type)) return;
  const bool is_converted = HasBytes(source) || converted_.count(call->args[0].get()) != 0;
  if (is_converted && tschema::StructuralEqual(type->shape, source->shape)) {
    converted_.insert(binding->var.get());
  }
}

bool IsDepthwise(const relay::CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr || op->name != "relay.conv") return false;
  const ir::TensorTypeNode* weights = TensorTypeOf(call->args[1]);
  return relay::AttrsOf<relay::ConvAttrsNode>(call)->groups != 1 && weights != nullptr &&
         tir::IntConstOf(weights->shape[1]) == 1;
}

}  // namespace uir::transform
