// Multiplies quantized matrices, and convolves quantized images, as integers of 8 bits.
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/convolution.h>
#include <uir/relay/rounding.h>
#include <uir/tir/const_fold.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "../analysis/quantized_operands.h"
#include "../analysis/tensor_type_of.h"
#include "../rewrite/flat_images.h"
#include "../rewrite/quantized_convolution.h"
#include "../rewrite/quantized_product.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief The most terms that an int32 counts. */
constexpr int64_t kMostTerms = (int64_t{1} << 31) - 1;
/*! \brief The greatest difference of bytes. */
constexpr int64_t kMostByte = 255;
/*! \brief The most terms whose sum fits an int32: each is a product of differences of bytes. */
constexpr int64_t kMostExact = kMostTerms / (kMostByte * kMostByte);
/*!
 * \brief The most terms of which all partial sums are exact as float32.
 *
 * Those are integers of up to 2^24: 258 terms sum up to 16776450 at most, in any order.
 */
constexpr int64_t kMostExactFloats = (int64_t{1} << 24) / (kMostByte * kMostByte);
/*! \brief Windows of so few channels, in each group, are faster as floats. */
constexpr int64_t kFewChannels = 8;
/*! \brief The place of the axis of the terms, from the end. */
constexpr int64_t kLeftTerms = 1;
constexpr int64_t kRightTerms = 2;

/*! \brief A product of matrices; of a convolution, the weights are the left factor. */
struct QuantizedProduct {
  QuantizedOperand left;
  QuantizedOperand right;
  int64_t terms;
  std::optional<ConvolutionProduct> convolution = std::nullopt;
  /*! \brief Whether float32 takes less time, and has the same sums. */
  bool is_of_floats = false;
};

/*!
 * \brief Whether sums of bytes times a product of scales are what floats compute.
 *
 * Operands and sums are finite then, and products of scales are normal, or 0.
 */
bool AreInRange(const Magnitudes& left, const Magnitudes& right, int64_t terms) {
  constexpr double kMost = std::numeric_limits<float>::max();
  constexpr double kLeast = std::numeric_limits<float>::min();
  const double left_most = left.most * kMostByte, right_most = right.most * kMostByte;
  return left_most <= kMost && right_most <= kMost &&
         left_most * right_most * static_cast<double>(terms) <= kMost &&
         left.least * right.least >= kLeast;
}

class ProductFinder {
 public:
  void Add(const relay::Binding& binding) { operands_.Add(binding); }

  std::optional<QuantizedProduct> Find(const RelayExpr& expr) const {
    const auto* call = expr.as<relay::CallNode>();
    const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
    if (op == nullptr || (op->name != "relay.matmul" && op->name != "relay.conv")) {
      return std::nullopt;
    }
    auto found = op->name == "relay.conv" ? OfConvolution(call) : OfMatrices(call);
    if (!found || found->left.scale.has_value() != found->right.scale.has_value()) {
      return std::nullopt;
    }
    const bool fits =
        found->left.scale.has_value() ? HasExactSums(*found) : found->terms <= kMostTerms;
    return fits ? std::move(found) : std::nullopt;
  }

  bool IsConstant(const RelayExpr& expr) const { return operands_.IsConstant(expr); }

 private:
  static bool HasExactSums(const QuantizedProduct& found) {
    return found.terms <= kMostExact &&
           AreInRange(found.left.magnitudes, found.right.magnitudes, found.terms);
  }

  std::optional<QuantizedProduct> OfMatrices(const relay::CallNode* call) const {
    auto left = operands_.Find(call->args[0], kLeftTerms);
    auto right = left ? operands_.Find(call->args[1], kRightTerms) : std::nullopt;
    if (!right) return std::nullopt;
    const auto& shape = TensorTypeOf(left->values)->shape;
    const auto terms = tir::IntConstOf(shape[static_cast<int64_t>(shape.size()) - kLeftTerms]);
    if (!terms || *terms == 0) return std::nullopt;
    return QuantizedProduct{*std::move(left), *std::move(right), *terms};
  }

  std::optional<QuantizedProduct> OfConvolution(const relay::CallNode* call) const {
    auto images = operands_.Find(call->args[0], kLeftTerms);
    auto weights = images ? operands_.Find(call->args[1], kLeftTerms) : std::nullopt;
    if (!weights || !operands_.HasZeroOfValues(*images)) return std::nullopt;
    const size_t rank = TensorTypeOf(images->values)->shape.size();
    for (const auto& factors : {images->zero, images->scale}) {
      if (factors.has_value() && !IsSingle(factors.value())) return std::nullopt;
    }
    for (const auto& factors : {weights->zero, weights->scale}) {
      if (factors.has_value() && !IsOfFirstAxis(factors.value(), rank)) return std::nullopt;
    }
    auto product = ConvolutionProduct::Of(call);
    if (!product) return std::nullopt;
    const bool is_small = product->IsWindow() && product->channels() <= kFewChannels;
    if (images->scale.has_value() && is_small) return std::nullopt;
    const int64_t terms = product->terms();
    const bool is_of_floats = product->HasSmallGroups() && terms <= kMostExactFloats &&
                              operands_.HasZeroOfValues(*weights);
    return QuantizedProduct{*std::move(weights), *std::move(images), terms, std::move(product),
                            is_of_floats};
  }

  QuantizedOperands operands_;
};

class QuantizeFuser : public BindingRewriter {
 public:
  QuantizeFuser()
      : emit_([this](const RelayExpr& value, const char* name) -> RelayExpr {
          return EmitNew(value, name);
        }) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    finder_.Add(binding);
    const std::optional<QuantizedProduct> found = finder_.Find(binding->value);
    if (!found) return RewriteOther(binding);
    RelayExpr result =
        found->is_of_floats ? SumsOfFloats(binding->value.as<relay::CallNode>()) : Sums(*found);
    if (found->left.scale.has_value()) result = Scaled(result, *found);
    const bool is_flat = found->convolution && !found->convolution->IsWindow();
    if (is_flat) return EmitImages(binding, result);
    Emit(binding, result);
  }

 private:
  void RewriteOther(const relay::Binding& binding) {
    const auto use = [this](const RelayExpr& operand) { return VisitRelayExpr(operand); };
    const auto flat = images_.FlatValue(binding->value, use, emit_);
    if (!flat) return BindingRewriter::RewriteBinding(binding);
    EmitImages(binding, *flat);
  }

  void EmitImages(const relay::Binding& binding, const RelayExpr& flat) {
    const RelayExpr value = emit_(flat, "flat");
    images_.Add(binding->var, value);
    Emit(binding, AsImages(value, binding->value));
  }

  /*! \brief The product of differences as int32. */
  RelayExpr Sums(const QuantizedProduct& found) {
    Difference left = Rewritten(found.left), right = Rewritten(found.right);
    MakeSignsDiffer(&left, &right, emit_);
    if (found.convolution) return found.convolution->Sums(left, right, emit_);
    return ProductOf(left, right, found.terms, emit_);
  }

  /*! \brief The convolution of int32, by float32. */
  RelayExpr SumsOfFloats(const relay::CallNode* conv) {
    const auto* attrs = relay::AttrsOf<relay::ConvAttrsNode>(conv);
    const auto in_floats = [this](const RelayExpr& differences) {
      return emit_(relay::cast(VisitRelayExpr(differences), ir::FloatType(32)), "numbers");
    };
    const RelayExpr images = in_floats(conv->args[0]), weights = in_floats(conv->args[1]);
    const RelayExpr sums =
        emit_(relay::conv(images, weights, std::nullopt, attrs->strides, attrs->pads,
                          attrs->dilations, attrs->groups, attrs->auto_pad),
              "sums");
    return relay::cast(sums, ir::IntType(32));
  }

  RelayExpr Scaled(const RelayExpr& sums, const QuantizedProduct& found) {
    RelayExpr left = VisitRelayExpr(found.left.scale.value());
    RelayExpr right = VisitRelayExpr(found.right.scale.value());
    if (found.convolution) {
      left = found.convolution->OfFilters(left, emit_);
      right = found.convolution->OfImages(right, emit_);
    }
    const RelayExpr scale = emit_(relay::multiply(left, right), "scale");
    return relay::multiply(emit_(relay::cast(sums, ir::FloatType(32)), "numbers"), scale);
  }

  Difference Rewritten(const QuantizedOperand& operand) {
    const bool is_constant = finder_.IsConstant(operand.values);
    Difference made = {VisitRelayExpr(operand.values), std::nullopt, is_constant};
    if (operand.zero.has_value()) made.zero = VisitRelayExpr(operand.zero.value());
    return made;
  }

  ProductFinder finder_;
  EmitValue emit_;
  FlatImages images_;
};

}  // namespace

Pass FuseQuantize() {
  auto run = [](const relay::Function& func, const ir::IRModule&, const PassContext&) {
    return QuantizeFuser().Run(func);
  };
  return MakeFunctionPass(run, 1, "FuseQuantize", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
