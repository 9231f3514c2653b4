/*!
 * \file sliding_builder.h
 * \brief Loops of windows that slide over the pixels of a channel.
 *
 *     for channels, for blocks of lines and columns of the result:
 *       copy the pixels of the block, with their padding, so that those of a tap lie side by side
 *       for groups of lines and vectors:
 *         elements in registers = start
 *         for taps: elements = combine(elements, vectors of pixels)
 *         store the elements
 *
 * Pixels that are `stride` steps apart lie side by side in the copy, whose lines and columns are
 * sorted by their remainders (phases). Where all pixels are elements of the image and a copy would
 * not pay, they are read in place.
 */
#ifndef UIR_SCHEDULE_SLIDING_BUILDER_H_
#define UIR_SCHEDULE_SLIDING_BUILDER_H_

#include "./sliding_window.h"

namespace uir::schedule {

struct SlidingParameters {
  /*! \brief Lines and vectors of elements that stay in registers. */
  int64_t lines;
  int64_t vectors;
  int lanes;
  /*! \brief The lines and columns of the result for which pixels are copied together. */
  int64_t line_block;
  int64_t column_block;
  bool is_parallel;
};

/*! \brief Whether pixels are copied, rather than read in place. */
bool CopiesPixels(const SlidingWindow& window);

/*! \brief The pixels in the copy of a block of lines and columns. */
int64_t CopiedPixels(const SlidingWindow& window, int64_t lines, int64_t columns, int lanes);

/*! \brief The loops; none if a value has no form for vectors. */
std::optional<tir::Stmt> BuildSliding(const SlidingWindow& window,
                                      const SlidingParameters& parameters);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_SLIDING_BUILDER_H_
