// Indices of the elements of windows.
#include "./window.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>

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
    const PrimExpr& dimension = spatial[static_cast<int64_t>(i)];
    const PrimExpr zero = IndexIn(0, dimension->dtype);
    const PrimExpr last =
        tir::mul(tir::sub(CeilDiv(dimension, window.strides[i]), IndexIn(1, dimension->dtype)),
                 IndexIn(window.strides[i], dimension->dtype));
    const PrimExpr total = tir::max(tir::sub(tir::add(last, sliding.Span(i)), dimension), zero);
    sliding.before.push_back(PaddingBefore(total, auto_pad));
    sliding.after.push_back(tir::sub(total, sliding.before.back()));
  }
  return sliding;
}

PrimExpr PaddingBefore(const PrimExpr& total, const std::string& auto_pad) {
  const PrimExpr half = tir::floordiv(total, IndexIn(2, total->dtype));
  return auto_pad == "same_upper" ? half : tir::sub(total, half);
}

Indices SpatialOf(const Indices& shape) { return Between(shape, 2, shape.size()); }

}  // namespace uir::transform
