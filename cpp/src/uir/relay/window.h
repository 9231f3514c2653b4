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
  /*! \brief Whether the padding is what `ceil(dim / stride)` places need. */
  bool is_same = false;

  /*! \brief How many elements the window reaches over along a spatial axis. */
  ir::PrimExpr Span(size_t axis, const DimensionMath& math) const;
};

/*!
 * \brief A window, with steps of 1 and neither padding nor dilation where they are absent.
 * \throws ValueError if an attribute has not an element for each spatial axis, `pads` two, or one
 * is out of range, or `auto_pad` is unknown or stands beside `pads`.
 */
Window MakeWindow(const Shape& kernel, const OptionalIntegers& strides,
                  const OptionalIntegers& pads, const OptionalIntegers& dilations,
                  const ffi::String& auto_pad);

/*!
 * \brief How many places the window has along a spatial axis.
 * \param ceil_mode Whether a last window that reaches beyond the padding counts.
 * \throws ValueError if the window is greater than the padded axis.
 */
ir::PrimExpr Places(const Window& window, const ir::PrimExpr& dimension, size_t axis,
                    bool ceil_mode, const DimensionMath& math);

/*! \throws TypeError unless a shape has spatial axes. \return Their number. */
size_t SpatialRank(const char* operand, const Shape& shape);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_WINDOW_H_
