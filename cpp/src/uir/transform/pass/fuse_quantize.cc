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
#include <uir/transform/context.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "../analysis/quantized_operands.h"
#include "../analysis/tensor_type_of.h"
#include "../rewrite/flat_images.h"
#include "../rewrite/quantized_convolution.h"
#include "../rewrite/quantized_product.h"
#include "../rewrite/transposed_operand.h"

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

/*! \brief A product of quantized operands, or why one of them is computed with floats. */
struct FoundProduct {
  std::optional<QuantizedProduct> product;
  /*! \brief Empty for everything else. */
  const char* reason = "";
};

class ProductFinder {
 public:
  void Add(const relay::Binding& binding) { operands_.Add(binding); }

  FoundProduct Find(const RelayExpr& expr) const {
    const auto* call = expr.as<relay::CallNode>();
    const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
    if (op == nullptr || (op->name != "relay.matmul" && op->name != "relay.conv")) return {};
    FoundProduct found = op->name == "relay.conv" ? OfConvolution(call) : OfMatrices(call);
    if (!found.product) return found;
    const QuantizedProduct& product = *found.product;
    if (product.left.scale.has_value() != product.right.scale.has_value()) {
      return {std::nullopt, "one operand has no scale"};
    }
    if (!product.left.scale.has_value()) {
      return product.terms <= kMostTerms ? found : FoundProduct{std::nullopt, kManyTerms};
    }
    if (product.terms > kMostExact) return {std::nullopt, kManyTerms};
    if (!AreInRange(product.left.magnitudes, product.right.magnitudes, product.terms)) {
      return {std::nullopt, "the scales are out of range"};
    }
    return found;
  }

  const QuantizedOperands& operands() const { return operands_; }

 private:
  static constexpr const char* kManyTerms = "int32 does not hold sums of so many terms";
  static constexpr const char* kOneOperand = "only one operand is quantized";

  FoundProduct OfMatrices(const relay::CallNode* call) const {
    auto left = operands_.Find(call->args[0], kLeftTerms);
    auto right = operands_.Find(call->args[1], kRightTerms);
    if (!left && !right) return {};
    if (!left || !right) return {std::nullopt, kOneOperand};
    const auto& shape = TensorTypeOf(left->values)->shape;
    const auto terms = tir::IntConstOf(shape[static_cast<int64_t>(shape.size()) - kLeftTerms]);
    if (!terms) return {std::nullopt, "the number of terms is not known"};
    if (*terms == 0) return {};
    return {QuantizedProduct{*std::move(left), *std::move(right), *terms}};
  }

  FoundProduct OfConvolution(const relay::CallNode* call) const {
    auto images = operands_.Find(call->args[0], kLeftTerms);
    auto weights = operands_.Find(call->args[1], kLeftTerms);
    if (!images && !weights) return {};
    if (!images || !weights) return {std::nullopt, kOneOperand};
    if (!operands_.HasZeroOfValues(*images)) {
      return {std::nullopt, "the zero point of the images has another data type"};
    }
    const size_t rank = TensorTypeOf(images->values)->shape.size();
    for (const auto& factors : {images->zero, images->scale}) {
      if (factors.has_value() && !IsSingle(factors.value())) {
        return {std::nullopt, "the images have several scales or zero points"};
      }
    }
    for (const auto& factors : {weights->zero, weights->scale}) {
      if (factors.has_value() && !IsOfFirstAxis(factors.value(), rank)) {
        return {std::nullopt, "scales or zero points of the weights are not one for each filter"};
      }
    }
    auto product = ConvolutionProduct::Of(call);
    if (!product) return {std::nullopt, "sizes of the convolution are not known"};
    const int64_t terms = product->terms();
    const bool is_of_floats = product->HasSmallGroups() && terms <= kMostExactFloats &&
                              operands_.HasZeroOfValues(*weights);
    const bool is_small = product->IsWindow() && product->channels() <= kFewChannels;
    if (images->scale.has_value() && is_small && !is_of_floats) {
      return {std::nullopt, "windows of few channels are faster as floats"};
    }
    return {QuantizedProduct{*std::move(weights), *std::move(images), terms, std::move(product),
                             is_of_floats}};
  }

  QuantizedOperands operands_;
};

class QuantizeFuser : public BindingRewriter {
 public:
  QuantizeFuser()
      : emit_([this](const RelayExpr& value, const char* name) -> RelayExpr {
          const relay::Var var = EmitNew(value, name);
          finder_.Add(relay::Binding(var, value));
          return var;
        }) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    finder_.Add(binding);
    const FoundProduct search = finder_.Find(binding->value);
    CountProduct(search);
    const std::optional<QuantizedProduct>& found = search.product;
    if (!found) return RewriteOther(binding);
    RelayExpr result = found->is_of_floats
                           ? SumsOfFloats(*found, binding->value.as<relay::CallNode>())
                           : Sums(*found);
    if (found->left.scale.has_value()) result = Scaled(result, *found);
    const bool is_flat = found->convolution && !found->convolution->IsWindow();
    if (is_flat) return EmitImages(binding, result);
    Emit(binding, result);
  }

 private:
  static void CountProduct(const FoundProduct& found) {
    if (found.product) return count("quantized products in 8 bits");
    const std::string reason = found.reason;
    if (!reason.empty()) count("quantized products in float32, because " + reason);
  }

  void RewriteOther(const relay::Binding& binding) {
    const auto use = [this](const RelayExpr& operand) { return VisitRelayExpr(operand); };
    if (const auto moved = TransposeIntegers(binding->value, finder_.operands(), use, emit_)) {
      finder_.Add(relay::Binding(binding->var, *moved));
      return Emit(binding, *moved);
    }
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

  RelayExpr InFloats(const RelayExpr& integers) {
    return emit_(relay::cast(integers, ir::FloatType(32)), "numbers");
  }

  /*!
   * \brief The differences of images as float32.
   *
   * They are computed from the bytes in the shape of images, so that they join the kernel of the
   * convolution.
   */
  RelayExpr ImagesInFloats(const QuantizedProduct& found) {
    const QuantizedOperand& images = found.right;
    const RelayExpr numbers = InFloats(VisitRelayExpr(images.values));
    if (!images.zero.has_value()) return numbers;
    const RelayExpr zero = VisitRelayExpr(finder_.operands().ZeroOfValues(images));
    const RelayExpr start = InFloats(found.convolution->OfImages(zero, emit_));
    return emit_(relay::subtract(numbers, start), "numbers");
  }

  /*! \brief The sums of a convolution, by float32: as int32, unless they are scaled. */
  RelayExpr SumsOfFloats(const QuantizedProduct& found, const relay::CallNode* conv) {
    const auto* attrs = relay::AttrsOf<relay::ConvAttrsNode>(conv);
    const RelayExpr images = ImagesInFloats(found);
    const RelayExpr weights = InFloats(VisitRelayExpr(found.left.centered));
    const RelayExpr sums =
        emit_(relay::conv(images, weights, std::nullopt, attrs->strides, attrs->pads,
                          attrs->dilations, attrs->groups, attrs->auto_pad),
              "sums");
    return found.left.scale.has_value() ? sums : relay::cast(sums, ir::IntType(32));
  }

  RelayExpr Scaled(const RelayExpr& sums, const QuantizedProduct& found) {
    RelayExpr left = VisitRelayExpr(found.left.scale.value());
    RelayExpr right = VisitRelayExpr(found.right.scale.value());
    if (found.convolution) {
      left = found.convolution->OfFilters(left, emit_);
      right = found.convolution->OfImages(right, emit_);
    }
    const RelayExpr scale = emit_(relay::multiply(left, right), "scale");
    return relay::multiply(found.is_of_floats ? sums : InFloats(sums), scale);
  }

  Difference Rewritten(const QuantizedOperand& operand) {
    const bool is_constant = finder_.operands().IsConstant(operand.values);
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
