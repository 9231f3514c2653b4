// The padding of windows that give `ceil(dimension / stride)` places.
#include "./same_padding.h"

#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

namespace uir::transform {

BothPaddings SamePadding(const ir::PrimExpr& dimension, const ir::PrimExpr& span, int64_t stride,
                         const std::string& auto_pad) {
  const auto number = [&](int64_t value) { return tir::make_const(value, dimension->dtype); };
  const ir::PrimExpr rounded = tir::add(dimension, number(stride - 1));
  const ir::PrimExpr places = tir::floordiv(rounded, number(stride));
  const ir::PrimExpr last = tir::mul(tir::sub(places, number(1)), number(stride));
  const ir::PrimExpr total = tir::max(tir::sub(tir::add(last, span), dimension), number(0));
  const ir::PrimExpr before = PaddingBefore(total, auto_pad);
  return {before, tir::sub(total, before)};
}

ir::PrimExpr PaddingBefore(const ir::PrimExpr& total, const std::string& auto_pad) {
  const ir::PrimExpr half = tir::floordiv(total, tir::make_const(2, total->dtype));
  return auto_pad == "same_upper" ? half : tir::sub(total, half);
}

}  // namespace uir::transform
