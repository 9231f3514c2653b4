// Folds factors and summands of channels into the constant weights of contractions.
#include <uir/ir/tensor_type.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/shape.h>
#include <uir/relay/sign.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <unordered_map>
#include <utility>

#include "../analysis/affine_chains.h"
#include "../analysis/constant_values.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;
using OptionalExpr = ffi::Optional<RelayExpr>;

/*! \brief The number of elements of a tensor whose shape is constant. */
int64_t NumTensorElements(const RelayExpr& expr) {
  int64_t count = 1;
  const auto* type = expr->checked_type.value().as<ir::TensorTypeNode>();
  for (const ir::PrimExpr& dim : type->shape) count *= dim.as<ir::IntImmNode>()->value;
  return count;
}

class AffineFolder : public BindingRewriter {
 public:
  explicit AffineFolder(std::unordered_map<const ffi::Object*, AffineChain> chains)
      : chains_(std::move(chains)) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const auto found = chains_.find(binding->var.get());
    if (found == chains_.end() || !found->second.IsWorthFolding()) {
      return BindingRewriter::RewriteBinding(binding);
    }
    Emit(binding, Folded(found->second));
  }

 private:
  /*! \brief `value * factor + summand`; each operand may be absent. */
  struct Affine {
    OptionalExpr factor;
    OptionalExpr summand;
  };

  /*! \brief The contraction with changed weights, and a single summand. */
  RelayExpr Folded(const AffineChain& chain) {
    const Affine affine = Composed(chain.steps);
    RelayExpr weight = VisitRelayExpr(chain.contraction->args[chain.axes.weight]);
    if (affine.factor.has_value()) {
      weight = Scaled(weight, affine.factor.value(), chain.axes.weight_result_axis);
    }
    if (chain.data_factor.has_value()) {
      const RelayExpr factor = VisitRelayExpr(chain.data_factor.value());
      weight = Scaled(weight, factor, chain.axes.weight_data_axis);
    }
    const RelayExpr product = Contraction(chain, weight);
    if (!affine.summand.has_value()) return product;
    return relay::add(EmitNew(product, "product"), affine.summand.value());
  }

  Affine Composed(const std::vector<AffineStep>& steps) {
    Affine affine;
    for (const AffineStep& step : steps) Add(step, &affine);
    return affine;
  }

  void Add(const AffineStep& step, Affine* affine) {
    const RelayExpr operand = VisitRelayExpr(step.operand);
    OptionalExpr& summand = affine->summand;
    OptionalExpr& factor = affine->factor;
    if (step.op_name == "relay.add") {
      summand = summand.has_value() ? Bound(relay::add(summand.value(), operand)) : operand;
    } else if (step.op_name == "relay.subtract") {
      summand = Bound(summand.has_value() ? relay::subtract(summand.value(), operand)
                                          : relay::negative(operand));
    } else if (step.op_name == "relay.multiply") {
      if (summand.has_value()) summand = Bound(relay::multiply(summand.value(), operand));
      factor = factor.has_value() ? Bound(relay::multiply(factor.value(), operand)) : operand;
    } else {
      if (summand.has_value()) summand = Bound(relay::divide(summand.value(), operand));
      const RelayExpr dividend =
          factor.has_value() ? factor.value() : relay::as_operand(1.0, operand);
      factor = Bound(relay::divide(dividend, operand));
    }
  }

  /*! \brief The weight times a factor of the channels along an axis, counted from the end. */
  RelayExpr Scaled(const RelayExpr& weight, const RelayExpr& factor, int64_t axis) {
    ffi::Array<ffi::Variant<int64_t, ir::PrimExpr>> shape = {NumTensorElements(factor)};
    for (int64_t i = 1; i < axis; ++i) shape.push_back(int64_t{1});
    const RelayExpr aligned = Bound(relay::reshape(factor, shape, /*allowzero=*/true));
    return Bound(relay::multiply(weight, aligned));
  }

  RelayExpr Contraction(const AffineChain& chain, const RelayExpr& weight) {
    ffi::Array<RelayExpr> args = chain.contraction->args;
    const int64_t data = 1 - chain.axes.weight;
    args.Set(chain.axes.weight, weight);
    args.Set(data, VisitRelayExpr(chain.data.has_value() ? chain.data.value() : args[data]));
    return relay::Call(chain.contraction->op, args, chain.contraction->attrs,
                       chain.contraction->span);
  }

  RelayExpr Bound(RelayExpr value) { return EmitNew(std::move(value), "folded"); }

  std::unordered_map<const ffi::Object*, AffineChain> chains_;
};

relay::Function Fold(const relay::Function& func, const PassContext& context) {
  // The values that `FoldConstant` will compute.
  const auto options = OptionsOf<FoldConstantOptions>(context);
  const ConstantValues constants =
      FindConstantValues({func}, {options->max_bytes, options->max_growth});
  return AffineFolder(FindAffineChains(func, constants.vars)).Run(func);
}

}  // namespace

Pass FoldAffineIntoWeights() {
  auto run = [](const relay::Function& func, const ir::IRModule&, const PassContext& context) {
    return Fold(func, context);
  };
  return MakeFunctionPass(run, 1, "FoldAffineIntoWeights", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
