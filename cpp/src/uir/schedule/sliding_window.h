/*!
 * \file sliding_window.h
 * \brief Windows that slide over the pixels of one channel, such as pooling and depthwise
 * convolutions.
 *
 * In: a nest whose elements combine the pixels of a window, as in
 *
 *     out[n, c, i, j] = start
 *     for k: for l: out[n, c, i, j] = combine(out[n, c, i, j], x[n, c, i * 2 + k, j * 2 + l], ...)
 *
 * Out: the axes of the image along which the window slides, the value of a pixel, perhaps with
 * padding, and its combination with an element.
 */
#ifndef UIR_SCHEDULE_SLIDING_WINDOW_H_
#define UIR_SCHEDULE_SLIDING_WINDOW_H_

#include <optional>
#include <vector>

#include "./epilogue.h"
#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief An axis of the image: its index is `place * stride + tap * dilation` and a constant of
 * the channel. */
struct WindowAxis {
  /*! \brief The loop over the places of the window. */
  tir::For place;
  /*! \brief The loop over the window; none if the window has one pixel along the axis. */
  std::optional<tir::For> tap;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t taps = 1;
};

struct SlidingWindow {
  LoopNest nest;
  /*! \brief The loops over channels. */
  std::vector<tir::For> outer;
  /*! \brief The axes, of which the last one runs along the lines of the image. */
  std::vector<WindowAxis> axes;
  /*! \brief The pixel by places and taps. */
  ir::PrimExpr pixel;
  /*! \brief Whether all pixels of windows are elements of a tensor, side by side or steps apart. */
  bool is_plain;
  /*! \brief The new value of an element, where the two variables are the old one and the
   * pixel. */
  ir::PrimExpr combined;
  tir::Var element_var;
  tir::Var pixel_var;
  std::optional<Epilogue> epilogue = std::nullopt;

  /*! \brief The loop over the places along a line. */
  const tir::For& columns() const { return axes.back().place; }
  /*! \brief The pixels of a window. */
  int64_t taps() const;
};

/*! \brief The sliding window that a nest computes, if it is one with several places on a line. */
std::optional<SlidingWindow> MatchSlidingWindow(const LoopNest& nest);

/*! \brief Whether a nest is best scheduled as a sliding window: if few channels of the result are
 * computed from the same pixels. */
bool Slides(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_SLIDING_WINDOW_H_
