// Indices of the elements of windows.
#include "./window.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>

#include "../analysis/same_padding.h"

namespace uir::transform {

PrimExpr SlidingWindow::Span(size_t axis) const {
  const PrimExpr& extent = kernel[static_cast<int64_t>(axis)];
  const PrimExpr one = IndexIn(1, extent->dtype);
  const PrimExpr dilation = IndexIn(dilations[axis], extent->dtype);
  return tir::add(tir::mul(tir::sub(extent, one), dilation), one);
}

PrimExpr SlidingWindow::PaddedIndex(size_t axis, const PrimExpr& place,
                                    const PrimExpr& offset) const {
  const PrimExpr begin = tir::mul(place, IndexIn(strides[axis], place->dtype));
  return tir::add(begin, tir::mul(offset, IndexIn(dilations[axis], offset->dtype)));
}

PrimExpr SlidingWindow::Index(size_t axis, const PrimExpr& place, const PrimExpr& offset) const {
  return tir::sub(PaddedIndex(axis, place, offset), before[static_cast<int64_t>(axis)]);
}

SlidingWindow MakeSlidingWindow(const relay::Window& window, const std::string& auto_pad,
                                const Indices& spatial) {
  SlidingWindow sliding{window.kernel, window.strides, window.dilations, {}, {}};
  for (size_t i = 0; i < spatial.size(); ++i) {
    if (!window.is_same) {
      sliding.before.push_back(relay::Dimension(window.before[i]));
      sliding.after.push_back(relay::Dimension(window.after[i]));
      continue;
    }
    const BothPaddings padding =
        SamePadding(spatial[static_cast<int64_t>(i)], sliding.Span(i), window.strides[i], auto_pad);
    sliding.before.push_back(padding.before);
    sliding.after.push_back(padding.after);
  }
  return sliding;
}

Indices SpatialOf(const Indices& shape) { return Between(shape, 2, shape.size()); }

}  // namespace uir::transform
