// Convolutions of quantized images, by rows of weights.
#include "./quantized_convolution.h"

#include <uir/ir/dtype.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/contraction.h>
#include <uir/relay/convolution.h>
#include <uir/relay/creation.h>
#include <uir/relay/infer.h>
#include <uir/relay/rounding.h>
#include <uir/relay/shape.h>
#include <uir/relay/slice.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "../analysis/quantized_operands.h"
#include "../analysis/same_padding.h"
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
      groups_(attrs->groups),
      channels_(SizeOf(TensorTypeOf(conv->args[1])->shape[1])),
      filters_(SizeOf(TensorTypeOf(conv->args[1])->shape[0])),
      image_(SpatialSizes(TensorTypeOf(conv->args[0]))),
      kernel_(SpatialSizes(TensorTypeOf(conv->args[1]))),
      places_(SpatialSizes(conv->checked_type.value().as<ir::TensorTypeNode>())),
      window_(relay::MakeWindow(DimensionsOfPlaces(TensorTypeOf(conv->args[1])), attrs->strides,
                                attrs->pads, attrs->dilations, attrs->auto_pad)) {
  if (!window_.is_same || !HasKnownSizes()) return;
  for (size_t i = 0; i < kernel_.size(); ++i) {
    const int64_t span = window_.dilations[i] * (kernel_[i] - 1) + 1;
    const BothPaddings padding = SamePadding(relay::Dimension(image_[i]), relay::Dimension(span),
                                             window_.strides[i], attrs->auto_pad);
    window_.before[i] = SizeOf(padding.before);
    window_.after[i] = SizeOf(padding.after);
  }
}

std::optional<ConvolutionProduct> ConvolutionProduct::Of(const relay::CallNode* conv) {
  const auto* attrs = relay::AttrsOf<relay::ConvAttrsNode>(conv);
  if (!relay::IsAbsent(conv->args[2])) return std::nullopt;
  ConvolutionProduct made(conv, attrs);
  return made.HasKnownSizes() ? std::optional(std::move(made)) : std::nullopt;
}

bool ConvolutionProduct::HasKnownSizes() const {
  return channels_ > 0 && filters_ > 0 && AreKnown(image_) && AreKnown(kernel_) &&
         AreKnown(places_);
}

bool ConvolutionProduct::IsWindow() const { return groups_ != 1 || NumElements(kernel_) > 1; }

bool ConvolutionProduct::HasSmallGroups() const { return groups_ != 1 && channels_ < kGroup; }

int64_t ConvolutionProduct::terms() const { return channels_ * NumElements(kernel_); }

bool ConvolutionProduct::IsPadded() const {
  const auto is_some = [](int64_t size) { return size != 0; };
  return std::any_of(window_.before.begin(), window_.before.end(), is_some) ||
         std::any_of(window_.after.begin(), window_.after.end(), is_some);
}

int64_t ConvolutionProduct::MorePlaces() const {
  int64_t more = 0;
  while ((kernel_.back() + more) * channels_ % kGroup != 0) ++more;
  return more;
}

RelayExpr ConvolutionProduct::Padded(const Difference& images, int64_t more,
                                     const EmitValue& emit) const {
  if (!IsPadded() && more == 0) return images.values;
  ColumnShape before, after;
  ffi::Array<int64_t> axes;
  for (size_t i = 0; i < kernel_.size(); ++i) {
    before.push_back(window_.before[i]);
    after.push_back(window_.after[i] + (i + 1 == kernel_.size() ? more : 0));
    axes.push_back(static_cast<int64_t>(i) + 2);
  }
  ffi::Optional<RelayExpr> value;
  if (images.zero.has_value()) {
    const RelayExpr zero = OfImages(images.zero.value(), emit);
    value = emit(relay::cast(zero, TensorTypeOf(images.values)->dtype), "padding");
  }
  return emit(relay::pad(images.values, before, after, "constant", value, axes), "padded");
}

RelayExpr ConvolutionProduct::Pixels(const RelayExpr& images, const EmitValue& emit) const {
  if (NumElements(window_.strides) == 1) return images;
  ColumnShape begin, end;
  ffi::Array<int64_t> axes, strides;
  for (size_t i = 0; i < kernel_.size(); ++i) {
    begin.push_back(int64_t{0});
    end.push_back((places_[i] - 1) * window_.strides[i] + 1);
    axes.push_back(static_cast<int64_t>(i) + 2);
    strides.push_back(window_.strides[i]);
  }
  return emit(relay::strided_slice(images, begin, end, axes, strides), "pixels");
}

Difference ConvolutionProduct::Columns(const Difference& images, const EmitValue& emit) const {
  const RelayExpr pixels = Pixels(Padded(images, 0, emit), emit);
  const ColumnShape shape = {batch_, terms(), NumElements(places_)};
  Difference columns = {emit(relay::reshape(pixels, shape), "columns"), std::nullopt,
                        images.is_constant};
  if (images.zero.has_value()) columns.zero = OfImages(images.zero.value(), emit);
  return columns;
}

RelayExpr ConvolutionProduct::RowsOf(const RelayExpr& weights, const EmitValue& emit) const {
  ffi::Array<int64_t> order = {0};
  for (size_t i = 0; i < kernel_.size(); ++i) order.push_back(static_cast<int64_t>(i) + 2);
  order.push_back(1);
  RelayExpr rows = emit(relay::transpose(weights, order), "turned");
  const int64_t more = IsWindow() ? MorePlaces() : 0;
  if (more != 0) {
    rows = emit(relay::pad(rows, ColumnShape{int64_t{0}}, ColumnShape{more}, "constant",
                           std::nullopt, ffi::Array<int64_t>{-2}),
                "padded");
  }
  return emit(relay::reshape(rows, ColumnShape{filters_, int64_t{-1}}), "rows");
}

Difference ConvolutionProduct::Rows(const Difference& weights, const EmitValue& emit) const {
  Difference rows = {RowsOf(weights.values, emit), std::nullopt, weights.is_constant};
  if (weights.zero.has_value()) rows.zero = OfFilters(weights.zero.value(), emit);
  return rows;
}

RelayExpr ConvolutionProduct::Convolved(const RelayExpr& images, const RelayExpr& rows,
                                        const EmitValue& emit) const {
  ffi::Array<int64_t> kernel(kernel_.begin(), kernel_.end());
  kernel.Set(static_cast<int64_t>(kernel_.size()) - 1, kernel_.back() + MorePlaces());
  const ffi::Array<int64_t> strides(window_.strides.begin(), window_.strides.end());
  const ffi::Array<int64_t> dilations(window_.dilations.begin(), window_.dilations.end());
  return emit(relay::integer_conv(images, rows, kernel, strides, dilations, groups_), "products");
}

RelayExpr ConvolutionProduct::Sums(const Difference& weights, const Difference& images,
                                   const EmitValue& emit) const {
  const Difference rows = Rows(weights, emit);
  if (!IsWindow()) return ProductOf(rows, Columns(images, emit), terms(), emit);
  const RelayExpr padded = Padded(images, MorePlaces() * window_.dilations.back(), emit);
  const int64_t row = channels_ * NumElements(kernel_) / kernel_.back();
  const auto of_rows = [&] {
    return OfFilters(TotalsOfRows(rows, row * (kernel_.back() + MorePlaces()), emit), emit);
  };
  const auto of_images = [&] {
    ColumnShape shape = {filters_, channels_};
    for (const int64_t extent : kernel_) shape.push_back(extent);
    const RelayExpr ones = emit(relay::full(relay::as_operand(1, weights.values), shape), "ones");
    return Convolved(padded, RowsOf(ones, emit), emit);
  };
  Difference padded_images = {padded, std::nullopt, images.is_constant};
  if (images.zero.has_value()) padded_images.zero = OfImages(images.zero.value(), emit);
  return SumsOfDifferences(Convolved(padded, rows.values, emit), rows, padded_images, terms(),
                           of_rows, of_images, emit);
}

RelayExpr ConvolutionProduct::OfImages(const RelayExpr& factor, const EmitValue& emit) const {
  return emit(relay::reshape(factor, ColumnShape{}), "factor");
}

RelayExpr ConvolutionProduct::OfFilters(const RelayExpr& factors, const EmitValue& emit) const {
  ColumnShape shape;
  if (!IsSingle(factors)) {
    shape = {filters_};
    const size_t axes = IsWindow() ? kernel_.size() : 1;
    for (size_t i = 0; i < axes; ++i) shape.push_back(int64_t{1});
  }
  return emit(relay::reshape(factors, shape), "factors");
}

}  // namespace uir::transform
