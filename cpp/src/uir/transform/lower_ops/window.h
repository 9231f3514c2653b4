/*!
 * \file window.h
 * \brief Windows that slide over the spatial axes of a tensor of shape (n, c, *spatial).
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_WINDOW_H_
#define UIR_TRANSFORM_LOWER_OPS_WINDOW_H_

#include <string>
#include <vector>

#include "../../relay/window.h"
#include "./index_math.h"
#include "./value.h"

namespace uir::transform {

/*! \brief A window, its steps and the padding before the elements, each by spatial axis. */
struct SlidingWindow {
  Indices kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  Indices before;
  /*! \brief The padding after the elements, without that of a last window of `ceil_mode`. */
  Indices after;

  /*! \brief The number of elements that the window spans. */
  PrimExpr Span(size_t axis) const;
  /*! \brief The index of a window's element in the padded axis. */
  PrimExpr PaddedIndex(size_t axis, const PrimExpr& place, const PrimExpr& offset) const;
  /*! \brief The index of a window's element in the axis; out of range in the padding. */
  PrimExpr Index(size_t axis, const PrimExpr& place, const PrimExpr& offset) const;
};

/*!
 * \brief A window of an operator with the attributes `strides`, `pads`, `dilations`, `auto_pad`.
 * \param spatial The spatial dimensions of the operand.
 */
SlidingWindow MakeSlidingWindow(const relay::Window& window, const std::string& auto_pad,
                                const Indices& spatial);

/*! \brief The dimensions after the first two. */
Indices SpatialOf(const Indices& shape);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_WINDOW_H_
