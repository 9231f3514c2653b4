// Multiplies quantized matrices as integers of 8 bits.
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/rounding.h>
#include <uir/tir/const_fold.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <optional>
#include <string_view>
#include <utility>

#include "../analysis/quantized_operands.h"
#include "../analysis/tensor_type_of.h"
#include "../rewrite/quantized_product.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief The most terms that an int32 counts. */
constexpr int64_t kMostTerms = (int64_t{1} << 31) - 1;
/*! \brief The most terms whose sum fits an int32: each is a product of differences of bytes. */
constexpr int64_t kMostExact = kMostTerms / (255 * 255);
/*! \brief The place of the axis of the terms, from the end. */
constexpr int64_t kLeftTerms = 1;
constexpr int64_t kRightTerms = 2;

struct QuantizedProduct {
  QuantizedOperand left;
  QuantizedOperand right;
  int64_t terms;
};

class ProductFinder {
 public:
  explicit ProductFinder(const relay::Function& func) : operands_(func) {}

  std::optional<QuantizedProduct> Find(const RelayExpr& expr) const {
    const auto* call = expr.as<relay::CallNode>();
    const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
    if (op == nullptr || op->name != "relay.matmul") return std::nullopt;
    auto left = operands_.Find(call->args[0], kLeftTerms);
    auto right = left ? operands_.Find(call->args[1], kRightTerms) : std::nullopt;
    if (!right || left->scale.has_value() != right->scale.has_value()) return std::nullopt;
    const auto& shape = TensorTypeOf(left->values)->shape;
    const auto terms = tir::IntConstOf(shape[static_cast<int64_t>(shape.size()) - kLeftTerms]);
    if (!terms || *terms == 0 || *terms > kMostTerms) return std::nullopt;
    if (left->scale.has_value() && *terms > kMostExact) return std::nullopt;
    return QuantizedProduct{*std::move(left), *std::move(right), *terms};
  }

  bool IsConstant(const RelayExpr& expr) const { return operands_.IsConstant(expr); }

 private:
  QuantizedOperands operands_;
};

class QuantizeFuser : public BindingRewriter {
 public:
  explicit QuantizeFuser(const relay::Function& func) : finder_(func) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const std::optional<QuantizedProduct> found = finder_.Find(binding->value);
    if (!found) return BindingRewriter::RewriteBinding(binding);
    RelayExpr sums = Sums(*found);
    if (found->left.scale.has_value()) {
      const RelayExpr left = VisitRelayExpr(found->left.scale.value());
      const RelayExpr right = VisitRelayExpr(found->right.scale.value());
      const RelayExpr scale = EmitNew(relay::multiply(left, right), "scale");
      const RelayExpr numbers = EmitNew(relay::cast(sums, ir::FloatType(32)), "numbers");
      sums = relay::multiply(numbers, scale);
    }
    Emit(binding, sums);
  }

 private:
  /*! \brief The product of differences as int32. */
  RelayExpr Sums(const QuantizedProduct& found) {
    const EmitValue emit = [this](const RelayExpr& value, const char* name) -> RelayExpr {
      return EmitNew(value, name);
    };
    Difference left = Rewritten(found.left), right = Rewritten(found.right);
    MakeSignsDiffer(&left, &right, emit);
    return ProductOf(left, right, found.terms, emit);
  }

  Difference Rewritten(const QuantizedOperand& operand) {
    const bool is_constant = finder_.IsConstant(operand.values);
    Difference made = {VisitRelayExpr(operand.values), std::nullopt, is_constant};
    if (operand.zero.has_value()) made.zero = VisitRelayExpr(operand.zero.value());
    return made;
  }

  ProductFinder finder_;
};

}  // namespace

Pass FuseQuantize() {
  auto run = [](const relay::Function& func, const ir::IRModule&, const PassContext&) {
    return QuantizeFuser(func).Run(func);
  };
  return MakeFunctionPass(run, 1, "FuseQuantize", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
