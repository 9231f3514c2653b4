/*!
 * \file quantized_convolution.h
 * \brief Convolutions of quantized images as products of matrices.
 */
#ifndef UIR_TRANSFORM_REWRITE_QUANTIZED_CONVOLUTION_H_
#define UIR_TRANSFORM_REWRITE_QUANTIZED_CONVOLUTION_H_

#include <uir/relay/call.h>
#include <uir/relay/convolution.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "../../relay/window.h"
#include "./quantized_product.h"

namespace uir::transform {

/*!
 * \brief A convolution as the product of weights and of the columns that the window sees.
 *
 * A column has the elements of all places of the window, with channels counted fastest. Padding has
 * the value that is 0 as a difference.
 */
class ConvolutionProduct {
 public:
  /*!
   * \brief The product of a call of `relay.conv`; none if it has a bias or groups, or if sizes
   * other than that of the batch are not known.
   */
  static std::optional<ConvolutionProduct> Of(const relay::CallNode* conv);

  int64_t channels() const { return channels_; }
  /*! \brief Whether a place of the result sees more than one place of the image. */
  bool IsWindow() const;
  /*! \brief The terms of a sum. */
  int64_t terms() const;
  /*! \brief Differences of images, of shape `(n, c, *spatial)` and one zero point, as columns. */
  Difference Columns(const Difference& images, const EmitValue& emit) const;
  /*! \brief Differences of weights, of shape `(o, c, *kernel)`, as rows. */
  Difference Rows(const Difference& weights, const EmitValue& emit) const;
  /*! \brief A zero point or scale of images, for columns. */
  ir::RelayExpr OfImages(const ir::RelayExpr& factor, const EmitValue& emit) const;
  /*! \brief Zero points or scales of weights, one or of shape `(o, 1, ...)`, for rows. */
  ir::RelayExpr OfFilters(const ir::RelayExpr& factors, const EmitValue& emit) const;

 private:
  using Sizes = std::vector<int64_t>;

  ConvolutionProduct(const relay::CallNode* conv, const relay::ConvAttrsNode* attrs);
  bool HasKnownSizes() const;
  void SetSamePadding(bool is_upper);
  bool IsPadded() const;
  bool IsWholeImage() const;
  ir::RelayExpr Padded(const Difference& images, const EmitValue& emit) const;
  ir::RelayExpr Tap(const ir::RelayExpr& images, int64_t tap, const EmitValue& emit) const;

  ir::PrimExpr batch_;
  int64_t channels_;
  int64_t filters_;
  /*! \brief The dimensions by spatial axis; -1 for those that are not known. */
  Sizes image_;
  Sizes kernel_;
  Sizes places_;
  relay::Window window_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_QUANTIZED_CONVOLUTION_H_
