// Finds chains of a contraction and affine steps, in one walk over the bindings.
#include "./affine_chains.h"

#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/convolution.h>
#include <uir/relay/relay_expr_functor.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "./tensor_type_of.h"
#include "./use_counts.h"

namespace uir::transform {

namespace {

constexpr int kMinBits = 32;
constexpr std::array<std::string_view, 4> kSteps = {"relay.add", "relay.subtract", "relay.multiply",
                                                    "relay.divide"};

std::string_view OperatorName(const relay::CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  return op == nullptr ? std::string_view() : std::string_view(op->name.data(), op->name.size());
}

bool IsAbsent(const ir::RelayExpr& operand) {
  const auto* tuple = operand.as<relay::TupleNode>();
  return tuple != nullptr && tuple->fields.empty();
}

int64_t RankOrZero(const ir::RelayExpr& expr) {
  const ir::TensorTypeNode* type = TensorTypeOf(expr);
  return type == nullptr ? 0 : static_cast<int64_t>(type->shape.size());
}

/*! \brief Whether all dimensions of a tensor are 1, except at most that of an axis from the end. */
bool IsAlongAxis(const ir::RelayExpr& expr, int64_t axis) {
  const ir::TensorTypeNode* type = TensorTypeOf(expr);
  if (type == nullptr) return false;
  const auto rank = static_cast<int64_t>(type->shape.size());
  for (int64_t i = 0; i < rank; ++i) {
    const auto* dim = type->shape[i].as<ir::IntImmNode>();
    if (dim == nullptr || (dim->value != 1 && rank - i != axis)) return false;
  }
  return true;
}

class ChainFinder : private relay::RelayExprVisitor {
 public:
  explicit ChainFinder(const std::unordered_set<const ffi::Object*>& constants)
      : constants_(constants) {}

  std::unordered_map<const ffi::Object*, AffineChain> Run(const relay::Function& func) {
    uses_ = CountUses(func);
    VisitBlock(func->body.get());
    return std::move(chains_);
  }

 private:
  void VisitBlock(const relay::BlockNode* op) override {
    for (const relay::Binding& binding : op->bindings) {
      if (const auto* call = binding->value.as<relay::CallNode>()) {
        calls_.emplace(binding->var.get(), call);
        Extend(binding->var.get(), call);
      } else {
        VisitRelayExpr(binding->value);
      }
    }
  }

  bool IsConstant(const ir::RelayExpr& operand) const {
    return operand.as<relay::ConstantNode>() != nullptr || constants_.count(operand.get()) != 0;
  }

  /*! \brief Note the chain that a call begins or extends. */
  void Extend(const relay::VarNode* var, const relay::CallNode* call) {
    std::optional<AffineChain> chain = Begun(call);
    if (!chain.has_value()) chain = Continued(call);
    if (chain.has_value()) chains_.emplace(var, std::move(*chain));
  }

  std::optional<AffineChain> Begun(const relay::CallNode* call) const {
    const std::optional<ChannelAxes> axes = AxesOf(call);
    const auto* type = call->checked_type.has_value()
                           ? call->checked_type.value().as<ir::TensorTypeNode>()
                           : nullptr;
    const bool is_wide =
        type != nullptr && ir::IsFloat(type->dtype) && type->dtype.bits >= kMinBits;
    if (!axes.has_value() || !is_wide) return std::nullopt;
    AffineChain chain = {call, *axes, std::nullopt, std::nullopt, {}};
    FindDataFactor(&chain);
    return chain;
  }

  std::optional<ChannelAxes> AxesOf(const relay::CallNode* call) const {
    const std::string_view name = OperatorName(call);
    if (name == "relay.matmul") return AxesOfProduct(call);
    const bool is_conv = name == "relay.conv";
    if (!is_conv && name != "relay.conv_transpose") return std::nullopt;
    const bool has_bias = call->args.size() > 2 && !IsAbsent(call->args[2]);
    if (has_bias || !IsConstant(call->args[1])) return std::nullopt;
    const int64_t rank = RankOrZero(call->args[1]);
    const int64_t channel = rank - 1;
    if (is_conv) {
      const bool is_whole = call->attrs.value().as<relay::ConvAttrsNode>()->groups == 1;
      return ChannelAxes{1, channel, rank, is_whole ? channel : 0, channel};
    }
    const bool is_whole = call->attrs.value().as<relay::ConvTransposeAttrsNode>()->groups == 1;
    if (!is_whole) return std::nullopt;
    return ChannelAxes{1, channel, channel, channel, rank};
  }

  std::optional<ChannelAxes> AxesOfProduct(const relay::CallNode* call) const {
    if (IsConstant(call->args[1])) return ChannelAxes{1, 1, 1, 1, 2};
    if (IsConstant(call->args[0])) return ChannelAxes{0, 2, 2, 2, 1};
    return std::nullopt;
  }

  /*! \brief Search for a factor of input channels, which keeps the zeros of padding. */
  void FindDataFactor(AffineChain* chain) const {
    const ir::RelayExpr data = chain->contraction->args[1 - chain->axes.weight];
    const auto* var = data.as<relay::VarNode>();
    const auto found = calls_.find(var);
    if (chain->axes.data_axis == 0 || var == nullptr || found == calls_.end()) return;
    if (uses_.at(var) != 1 || OperatorName(found->second) != "relay.multiply") return;
    for (int64_t i = 0; i < 2; ++i) {
      const ir::RelayExpr& factor = found->second->args[i];
      const ir::RelayExpr& value = found->second->args[1 - i];
      const bool is_factor = IsConstant(factor) && HaveSameType(value, data) &&
                             IsAlongAxis(factor, chain->axes.data_axis);
      if (!is_factor) continue;
      chain->data = value;
      chain->data_factor = factor;
      return;
    }
  }

  /*! \brief Extend the chain of an operand by one step. */
  std::optional<AffineChain> Continued(const relay::CallNode* call) {
    const auto* const step = std::find(kSteps.begin(), kSteps.end(), OperatorName(call));
    if (step == kSteps.end()) return std::nullopt;
    const bool is_symmetric = *step == "relay.add" || *step == "relay.multiply";
    for (int64_t i = 0; i < (is_symmetric ? 2 : 1); ++i) {
      const auto* var = call->args[i].as<relay::VarNode>();
      const auto found = var == nullptr ? chains_.end() : chains_.find(var);
      const ir::RelayExpr& operand = call->args[1 - i];
      if (found == chains_.end() || !IsStep(call, var, operand, found->second)) continue;
      AffineChain chain = std::move(found->second);
      chains_.erase(found);
      chain.steps.push_back({*step, operand});
      return chain;
    }
    return std::nullopt;
  }

  bool IsStep(const relay::CallNode* call, const relay::VarNode* var, const ir::RelayExpr& operand,
              const AffineChain& chain) const {
    return uses_.at(var) == 1 && IsConstant(operand) &&
           IsAlongAxis(operand, chain.axes.result_axis) &&
           tschema::StructuralEqual(call->checked_type, var->checked_type);
  }

  const std::unordered_set<const ffi::Object*>& constants_;
  std::unordered_map<const ffi::Object*, int64_t> uses_;
  std::unordered_map<const ffi::Object*, const relay::CallNode*> calls_;
  /*! \brief The chains that no step continues so far, by the variable of their last step. */
  std::unordered_map<const ffi::Object*, AffineChain> chains_;
};

}  // namespace

bool AffineChain::IsWorthFolding() const {
  const bool has_factor = std::any_of(steps.begin(), steps.end(), [](const AffineStep& step) {
    return step.op_name == "relay.multiply" || step.op_name == "relay.divide";
  });
  return has_factor || data_factor.has_value() || steps.size() > 1;
}

std::unordered_map<const ffi::Object*, AffineChain> FindAffineChains(
    const relay::Function& func, const std::unordered_set<const ffi::Object*>& constants) {
  return ChainFinder(constants).Run(func);
}

}  // namespace uir::transform
