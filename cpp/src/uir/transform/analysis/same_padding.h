/*!
 * \file same_padding.h
 * \brief The padding of windows that give `ceil(dimension / stride)` places.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_SAME_PADDING_H_
#define UIR_TRANSFORM_ANALYSIS_SAME_PADDING_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <string>

namespace uir::transform {

/*! \brief The elements of padding before and after those of an axis. */
struct BothPaddings {
  ir::PrimExpr before;
  ir::PrimExpr after;
};

/*!
 * \brief The padding of an axis for `same_upper` or `same_lower`.
 * \param dimension The elements of the axis.
 * \param span The elements that the window spans.
 * \param stride The step of the window.
 * \param auto_pad Where an odd element of padding goes.
 */
BothPaddings SamePadding(const ir::PrimExpr& dimension, const ir::PrimExpr& span, int64_t stride,
                         const std::string& auto_pad);

/*! \brief The part of the padding before the elements, the smaller half for `same_upper`. */
ir::PrimExpr PaddingBefore(const ir::PrimExpr& total, const std::string& auto_pad);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_SAME_PADDING_H_
