// Fuses matrix products with a softmax between them into one operator.
#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/normalization.h>
#include <uir/relay/shape.h>
#include <uir/relay/transformer.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "../analysis/tensor_type_of.h"
#include "../analysis/use_counts.h"
#include "../lower_ops/constant_element.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief `softmax(scale * query @ keys + mask) @ value`. */
struct AttentionPattern {
  RelayExpr query{ffi::UnsafeInit{}};
  /*! \brief The right operand of the first product: the keys with their last two axes swapped. */
  RelayExpr keys{ffi::UnsafeInit{}};
  RelayExpr value{ffi::UnsafeInit{}};
  double scale = 1;
  ffi::Optional<RelayExpr> mask;
};

size_t RankOf(const RelayExpr& expr) { return TensorTypeOf(expr)->shape.size(); }

/*! \brief Whether two tensors have the same dimensions before the last two. */
bool HaveSameStack(const RelayExpr& a, const RelayExpr& b) {
  const ffi::Array<ir::PrimExpr>& left = TensorTypeOf(a)->shape;
  const ffi::Array<ir::PrimExpr>& right = TensorTypeOf(b)->shape;
  if (left.size() != right.size()) return false;
  for (size_t i = 0; i + 2 < left.size(); ++i) {
    if (!tschema::StructuralEqual(left[i], right[i])) return false;
  }
  return true;
}

std::optional<double> ScalarConstant(const RelayExpr& expr) {
  const auto* constant = expr.as<relay::ConstantNode>();
  if (constant == nullptr || constant->data.numel() != 1) return std::nullopt;
  const auto number = ConstantElement(constant);
  const auto* value = number.as<ir::FloatImmNode>();
  return value == nullptr ? std::nullopt : std::optional(value->value);
}

/*! \brief Matches from the last product backwards. */
class PatternMatcher {
 public:
  explicit PatternMatcher(const relay::Function& func) : uses_(CountUses(func)) {
    for (const relay::Binding& binding : func->body->bindings) {
      values_.emplace(binding->var.get(), binding->value);
    }
  }

  std::optional<AttentionPattern> Match(const RelayExpr& expr) const {
    const relay::CallNode* product = CallOf(expr, "relay.matmul");
    if (product == nullptr || product->args[1].as<relay::ConstantNode>()) return std::nullopt;
    const relay::CallNode* softmax = OnlyUse(product->args[0], "relay.softmax");
    if (softmax == nullptr || !IsAlongKeys(softmax)) return std::nullopt;
    AttentionPattern found;
    found.value = product->args[1];
    RelayExpr scores = softmax->args[0];
    TakeMask(&scores, &found);
    TakeScale(&scores, &found);
    const relay::CallNode* first = OnlyUse(scores, "relay.matmul");
    if (first == nullptr || first->args[1].as<relay::ConstantNode>()) return std::nullopt;
    found.query = first->args[0];
    found.keys = first->args[1];
    return IsAttention(found) ? std::optional(found) : std::nullopt;
  }

 private:
  static const relay::CallNode* CallOf(const RelayExpr& expr, std::string_view name) {
    const auto* call = expr.as<relay::CallNode>();
    const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
    const bool is_named =
        op != nullptr && std::string_view(op->name.data(), op->name.size()) == name;
    return is_named ? call : nullptr;
  }

  /*! \brief The call of an operator that an operand is bound to, if this is its only use. */
  const relay::CallNode* OnlyUse(const RelayExpr& operand, std::string_view name) const {
    const auto bound = values_.find(operand.get());
    if (bound == values_.end() || uses_.at(operand.get()) != 1) return nullptr;
    return CallOf(bound->second, name);
  }

  static bool IsAlongKeys(const relay::CallNode* softmax) {
    const auto axis = softmax->attrs.value().as<relay::SoftmaxAttrsNode>()->axis;
    return axis == -1 || axis + 1 == static_cast<int64_t>(RankOf(softmax->args[0]));
  }

  /*! \brief Match a summand that does not broadcast the scores to another shape. */
  void TakeMask(RelayExpr* scores, AttentionPattern* found) const {
    const relay::CallNode* sum = OnlyUse(*scores, "relay.add");
    for (int64_t i = 0; sum != nullptr && i < 2; ++i) {
      const RelayExpr& inner = sum->args[i];
      AttentionPattern rest;
      RelayExpr product = inner;
      TakeScale(&product, &rest);
      if (!HaveSameType(inner, *scores) || OnlyUse(product, "relay.matmul") == nullptr) continue;
      found->mask = sum->args[1 - i];
      *scores = inner;
      return;
    }
  }

  void TakeScale(RelayExpr* scores, AttentionPattern* found) const {
    const relay::CallNode* quotient = OnlyUse(*scores, "relay.divide");
    const std::optional<double> divisor =
        quotient == nullptr ? std::nullopt : ScalarConstant(quotient->args[1]);
    // Any other reciprocal would be 0, infinite or denormal.
    if (divisor && std::isnormal(static_cast<float>(1 / *divisor)) &&
        HaveSameType(quotient->args[0], *scores)) {
      found->scale = 1 / *divisor;
      *scores = quotient->args[0];
      return;
    }
    const relay::CallNode* multiple = OnlyUse(*scores, "relay.multiply");
    for (int64_t i = 0; multiple != nullptr && i < 2; ++i) {
      const std::optional<double> factor = ScalarConstant(multiple->args[1 - i]);
      if (!factor || !HaveSameType(multiple->args[i], *scores)) continue;
      found->scale = *factor;
      *scores = multiple->args[i];
      return;
    }
  }

  static bool IsAttention(const AttentionPattern& found) {
    const ir::TensorTypeNode* type = TensorTypeOf(found.query);
    const size_t rank = type->shape.size();
    return (rank == 3 || rank == 4) && ir::IsFloat(type->dtype) && type->dtype.bits >= 32 &&
           HaveSameStack(found.query, found.keys) && HaveSameStack(found.query, found.value) &&
           (!found.mask.has_value() || RankOf(found.mask.value()) <= rank);
  }

  std::unordered_map<const ffi::Object*, RelayExpr> values_;
  std::unordered_map<const ffi::Object*, int64_t> uses_;
};

class AttentionFuser : public BindingRewriter {
 public:
  explicit AttentionFuser(const relay::Function& func) : matcher_(func) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const std::optional<AttentionPattern> found = matcher_.Match(binding->value);
    if (!found) return BindingRewriter::RewriteBinding(binding);
    const bool is_stack = RankOf(found->query) == 3;
    const RelayExpr value = Attention(*found, is_stack);
    Emit(binding,
         is_stack ? relay::squeeze(EmitNew(value, "attention"), ffi::Array<int64_t>{0}) : value);
  }

 private:
  /*! \brief An operand with four axes. */
  RelayExpr Operand(const RelayExpr& expr, bool is_stack) {
    const RelayExpr rewritten = VisitRelayExpr(expr);
    if (!is_stack) return rewritten;
    return EmitNew(relay::expand_dims(rewritten, {0}), "stack");
  }

  RelayExpr Attention(const AttentionPattern& found, bool is_stack) {
    const RelayExpr keys = Operand(found.keys, is_stack);
    const RelayExpr key = EmitNew(relay::transpose(keys, ffi::Array<int64_t>{0, 1, 3, 2}), "key");
    // A mask broadcasts from the last axis on.
    ffi::Optional<RelayExpr> mask;
    if (found.mask.has_value()) mask = VisitRelayExpr(found.mask.value());
    const RelayExpr query = Operand(found.query, is_stack);
    return relay::attention(query, key, Operand(found.value, is_stack), mask, /*causal=*/false,
                            found.scale, /*softcap=*/0.0, /*zero_unseen=*/false);
  }

  PatternMatcher matcher_;
};

}  // namespace

Pass FuseAttention() {
  auto run = [](const relay::Function& func, const ir::IRModule&, const PassContext&) {
    return AttentionFuser(func).Run(func);
  };
  return MakeFunctionPass(run, 1, "FuseAttention", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
