/*!
 * \file flat_images.h
 * \brief Images with one axis for all places.
 */
#ifndef UIR_TRANSFORM_REWRITE_FLAT_IMAGES_H_
#define UIR_TRANSFORM_REWRITE_FLAT_IMAGES_H_

#include <uir/relay/expr.h>

#include <functional>
#include <optional>
#include <unordered_map>

#include "./quantized_product.h"

namespace uir::transform {

/*!
 * \brief Images of shape `(n, c, *spatial)` that are reshapes of values of shape `(n, c, places)`.
 *
 * Elementwise operators on them are computed in the flat shape, so that kernels of products, which
 * have that shape, also compute what follows.
 */
class FlatImages {
 public:
  /*! \brief Note that images, a variable of the original function, are a reshape of a value. */
  void Add(const relay::Var& images, const ir::RelayExpr& flat);

  /*!
   * \brief The flat value of an elementwise operator on images; none for other values.
   * \param value The value in the original function.
   * \param use The present form of other operands.
   * \param emit Takes the reshapes of operands with one element for each channel.
   */
  std::optional<ir::RelayExpr> FlatValue(
      const ir::RelayExpr& value, const std::function<ir::RelayExpr(const ir::RelayExpr&)>& use,
      const EmitValue& emit) const;

 private:
  std::unordered_map<const ffi::Object*, ir::RelayExpr> flat_;
};

/*! \brief A flat value as images of the type of an original value. */
ir::RelayExpr AsImages(const ir::RelayExpr& flat, const ir::RelayExpr& original);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_FLAT_IMAGES_H_
