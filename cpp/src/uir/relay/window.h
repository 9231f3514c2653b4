/*!
 * \file window.h
 * \brief Windows that slide over the spatial axes of a tensor of shape (n, c, *spatial).
 */
#ifndef UIR_SRC_RELAY_WINDOW_H_
#define UIR_SRC_RELAY_WINDOW_H_

#include "./shape_rule.h"

namespace uir::relay {

/*! \brief The extents of a window, its steps and the padding, each by spatial axis. */
struct Window {
  Shape kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  std::vector<int64_t> dilations;
  /*! \brief Whether the padding gives `ceil(dim / stride)` places. */
  bool is_same = false;

  /*! \brief The number of elements that the window spans along a spatial axis. */
  ir::PrimExpr Span(size_t axis, const DimensionMath& math) const;
};

/*!
 * \brief A window; by default with strides of 1, without padding and dilation.
 * \throws ValueError if an attribute lacks an element for a spatial axis (`pads` has two), if one
 * is out of range, if `auto_pad` is unknown, or if it is combined with `pads`.
 */
Window MakeWindow(const Shape& kernel, const OptionalIntegers& strides,
                  const OptionalIntegers& pads, const OptionalIntegers& dilations,
                  const ffi::String& auto_pad);

/*!
 * \brief The number of places of the window along a spatial axis.
 * \param ceil_mode Whether to count a last window that reaches beyond the padding.
 * \throws ValueError if the window is greater than the padded axis.
 */
ir::PrimExpr Places(const Window& window, const ir::PrimExpr& dimension, size_t axis,
                    bool ceil_mode, const DimensionMath& math);

/*! \throws TypeError unless a shape has spatial axes. \return Their number. */
size_t SpatialRank(const char* operand, const Shape& shape);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_WINDOW_H_
