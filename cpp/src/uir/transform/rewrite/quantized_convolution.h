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
 * \brief A convolution as one of integers, or as the product of weights and of pixels if a place
 * of the result sees one pixel of the image.
 *
 * The terms of a sum are those of all places of the window, with channels counted fastest. Padding
 * has the value that is 0 as a difference.
 */
class ConvolutionProduct {
 public:
  /*!
   * \brief The product of a call of `relay.conv`; none if it has a bias, or if sizes other than
   * that of the batch are not known.
   */
  static std::optional<ConvolutionProduct> Of(const relay::CallNode* conv);

  /*! \brief The channels of a group. */
  int64_t channels() const { return channels_; }
  /*! \brief Whether there are groups, or a place of the result sees several pixels. */
  bool IsWindow() const;
  /*! \brief Whether there are groups of so few channels that instructions lack terms. */
  bool HasSmallGroups() const;
  /*! \brief The terms of a sum. */
  int64_t terms() const;
  /*!
   * \brief The sums of products of differences.
   * \param weights Kernels of shape `(o, c / groups, *kernel)`.
   * \param images Images of shape `(n, c, *spatial)`, with one zero point.
   * \param emit Takes the steps.
   * \return Images of a window, else a matrix for each image, whose columns are pixels.
   */
  ir::RelayExpr Sums(const Difference& weights, const Difference& images,
                     const EmitValue& emit) const;
  /*! \brief A zero point or scale of images, for sums. */
  ir::RelayExpr OfImages(const ir::RelayExpr& factor, const EmitValue& emit) const;
  /*! \brief Zero points or scales of weights, one or of shape `(o, 1, ...)`, for sums. */
  ir::RelayExpr OfFilters(const ir::RelayExpr& factors, const EmitValue& emit) const;

 private:
  using Sizes = std::vector<int64_t>;

  ConvolutionProduct(const relay::CallNode* conv, const relay::ConvAttrsNode* attrs);
  bool HasKnownSizes() const;
  bool IsPadded() const;
  Difference Columns(const Difference& images, const EmitValue& emit) const;
  Difference Rows(const Difference& weights, const EmitValue& emit) const;
  ir::RelayExpr RowsOf(const ir::RelayExpr& weights, const EmitValue& emit) const;
  ir::RelayExpr Padded(const Difference& images, int64_t more, const EmitValue& emit) const;
  ir::RelayExpr Pixels(const ir::RelayExpr& images, const EmitValue& emit) const;
  ir::RelayExpr Convolved(const ir::RelayExpr& images, const ir::RelayExpr& rows,
                          const EmitValue& emit) const;
  /*! \brief The places to add to a line of the window, so that it has whole groups of terms. */
  int64_t MorePlaces() const;

  ir::PrimExpr batch_;
  int64_t groups_;
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
