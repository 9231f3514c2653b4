// Columns of images, and rows of weights.
#include "./quantized_convolution.h"

#include <uir/ir/dtype.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/convolution.h>
#include <uir/relay/infer.h>
#include <uir/relay/rounding.h>
#include <uir/relay/shape.h>
#include <uir/relay/slice.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "../analysis/quantized_operands.h"
#include "../analysis/tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;
using Sizes = std::vector<int64_t>;
using ColumnShape = ffi::Array<relay::Extent>;

int64_t NumElements(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

int64_t SizeOf(const ir::PrimExpr& dimension) { return tir::IntConstOf(dimension).value_or(-1); }

/*! \brief The dimensions after the first two. */
relay::Shape DimensionsOfPlaces(const ir::TensorTypeNode* type) {
  return {type->shape.begin() + 2, type->shape.end()};
}

Sizes SpatialSizes(const ir::TensorTypeNode* type) {
  Sizes sizes;
  for (const ir::PrimExpr& dimension : DimensionsOfPlaces(type)) sizes.push_back(SizeOf(dimension));
  return sizes;
}

bool AreKnown(const Sizes& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size > 0; });
}

}  // namespace

ConvolutionProduct::ConvolutionProduct(const relay::CallNode* conv,
                                       const relay::ConvAttrsNode* attrs)
    : batch_(TensorTypeOf(conv->args[0])->shape[0]),
      channels_(SizeOf(TensorTypeOf(conv->args[1])->shape[1])),
      filters_(SizeOf(TensorTypeOf(conv->args[1])->shape[0])),
      image_(SpatialSizes(TensorTypeOf(conv->args[0]))),
      kernel_(SpatialSizes(TensorTypeOf(conv->args[1]))),
      places_(SpatialSizes(conv->checked_type.value().as<ir::TensorTypeNode>())),
      window_(relay::MakeWindow(DimensionsOfPlaces(TensorTypeOf(conv->args[1])), attrs->strides,
                                attrs->pads, attrs->dilations, attrs->auto_pad)) {
  if (window_.is_same) SetSamePadding(attrs->auto_pad == "same_upper");
}

std::optional<ConvolutionProduct> ConvolutionProduct::Of(const relay::CallNode* conv) {
  const auto* attrs = relay::AttrsOf<relay::ConvAttrsNode>(conv);
  if (attrs->groups != 1 || !relay::IsAbsent(conv->args[2])) return std::nullopt;
  ConvolutionProduct made(conv, attrs);
  return made.HasKnownSizes() ? std::optional(std::move(made)) : std::nullopt;
}

bool ConvolutionProduct::HasKnownSizes() const {
  return channels_ > 0 && filters_ > 0 && AreKnown(image_) && AreKnown(kernel_) &&
         AreKnown(places_);
}

void ConvolutionProduct::SetSamePadding(bool is_upper) {
  for (size_t i = 0; i < kernel_.size(); ++i) {
    const int64_t span = window_.dilations[i] * (kernel_[i] - 1) + 1;
    const int64_t seen = (places_[i] - 1) * window_.strides[i] + span;
    const int64_t total = std::max<int64_t>(seen - image_[i], 0);
    window_.before[i] = is_upper ? total / 2 : total - total / 2;
    window_.after[i] = total - window_.before[i];
  }
}

bool ConvolutionProduct::IsWindow() const { return NumElements(kernel_) > 1; }

int64_t ConvolutionProduct::terms() const { return channels_ * NumElements(kernel_); }

bool ConvolutionProduct::IsPadded() const {
  const auto is_some = [](int64_t size) { return size != 0; };
  return std::any_of(window_.before.begin(), window_.before.end(), is_some) ||
         std::any_of(window_.after.begin(), window_.after.end(), is_some);
}

bool ConvolutionProduct::IsWholeImage() const {
  return !IsWindow() && NumElements(window_.strides) == 1 && !IsPadded();
}

RelayExpr ConvolutionProduct::Padded(const Difference& images, const EmitValue& emit) const {
  if (!IsPadded()) return images.values;
  ColumnShape before, after;
  ffi::Array<int64_t> axes;
  for (size_t i = 0; i < kernel_.size(); ++i) {
    before.push_back(window_.before[i]);
    after.push_back(window_.after[i]);
    axes.push_back(static_cast<int64_t>(i) + 2);
  }
  ffi::Optional<RelayExpr> value;
  if (images.zero.has_value()) {
    const RelayExpr zero = OfImages(images.zero.value(), emit);
    value = emit(relay::cast(zero, TensorTypeOf(images.values)->dtype), "padding");
  }
  return emit(relay::pad(images.values, before, after, "constant", value, axes), "padded");
}

RelayExpr ConvolutionProduct::Tap(const RelayExpr& images, int64_t tap,
                                  const EmitValue& emit) const {
  const size_t count = kernel_.size();
  Sizes offsets(count);
  for (size_t i = count; i-- > 0; tap /= kernel_[i]) {
    offsets[i] = tap % kernel_[i] * window_.dilations[i];
  }
  ColumnShape begin, end;
  ffi::Array<int64_t> axes, strides;
  for (size_t i = 0; i < count; ++i) {
    begin.push_back(offsets[i]);
    end.push_back(offsets[i] + (places_[i] - 1) * window_.strides[i] + 1);
    axes.push_back(static_cast<int64_t>(i) + 2);
    strides.push_back(window_.strides[i]);
  }
  return emit(relay::strided_slice(images, begin, end, axes, strides), "tap");
}

Difference ConvolutionProduct::Columns(const Difference& images, const EmitValue& emit) const {
  RelayExpr values = Padded(images, emit);
  if (!IsWholeImage()) {
    ffi::Array<RelayExpr> taps;
    for (int64_t tap = 0; tap < NumElements(kernel_); ++tap) taps.push_back(Tap(values, tap, emit));
    values = taps.size() == 1 ? taps[0] : emit(relay::concatenate(taps, 1), "taps");
  }
  values =
      emit(relay::reshape(values, ColumnShape{batch_, terms(), NumElements(places_)}), "columns");
  Difference columns = {values, std::nullopt, images.is_constant};
  if (images.zero.has_value()) columns.zero = OfImages(images.zero.value(), emit);
  return columns;
}

Difference ConvolutionProduct::Rows(const Difference& weights, const EmitValue& emit) const {
  ffi::Array<int64_t> order = {0};
  for (size_t i = 0; i < kernel_.size(); ++i) order.push_back(static_cast<int64_t>(i) + 2);
  order.push_back(1);
  const RelayExpr turned = emit(relay::transpose(weights.values, order), "turned");
  const RelayExpr values = emit(relay::reshape(turned, ColumnShape{filters_, terms()}), "rows");
  Difference rows = {values, std::nullopt, weights.is_constant};
  if (weights.zero.has_value()) rows.zero = OfFilters(weights.zero.value(), emit);
  return rows;
}

RelayExpr ConvolutionProduct::OfImages(const RelayExpr& factor, const EmitValue& emit) const {
  return emit(relay::reshape(factor, ColumnShape{}), "factor");
}

RelayExpr ConvolutionProduct::OfFilters(const RelayExpr& factors, const EmitValue& emit) const {
  const ColumnShape shape = IsSingle(factors) ? ColumnShape{} : ColumnShape{filters_, int64_t{1}};
  return emit(relay::reshape(factors, shape), "factors");
}

}  // namespace uir::transform
