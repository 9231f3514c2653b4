/*!
 * \file window_builder.h
 * \brief Loops of windows that are contractions.
 *
 *     for blocks of whole lines of pixels, or of parts of a line, for blocks of the sum:
 *       pack the pixels that each product needs, side by side
 *       for groups of rows, for panels:
 *         sums in registers = start, or the sums of the previous block
 *         for k: sums += weight * packed pixels
 *         store the sums
 *
 * The weights are read where they are. This is the multiplication of matrices to which a
 * convolution is lowered (Chellapilla, Puri, Simard, 2006), of which a small part is in memory at
 * a time.
 */
#ifndef UIR_SCHEDULE_WINDOW_BUILDER_H_
#define UIR_SCHEDULE_WINDOW_BUILDER_H_

#include "./nest/recipes.h"
#include "./window.h"

namespace uir::schedule {

/*! \brief Blocked loops over packed pixels. A block has at most `column_block` pixels, and
 * `row_block` is not used. */
tir::Stmt BuildWindow(const Window& window, const nest::ContractionParameters& parameters);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_WINDOW_BUILDER_H_
