/*!
 * \file window.h
 * \brief Windows that are contractions: sums of products of weights and of pixels, such as
 * convolutions.
 */
#ifndef UIR_SCHEDULE_WINDOW_H_
#define UIR_SCHEDULE_WINDOW_H_

#include <optional>
#include <vector>

#include "./contraction.h"

namespace uir::schedule {

/*! \brief A contraction whose columns are the pixels of an image, line by line. */
struct Window {
  /*! \brief The contraction; its column counts all pixels, and it stores to a view. */
  Contraction contraction;
  /*! \brief The loops over the pixels, of which the last one runs along a line. */
  std::vector<tir::For> pixels;
  /*! \brief Views of the result and of the buffers of the epilogue, with one index for all pixels;
   * none if there is one loop over them. */
  std::vector<tir::DeclBuffer> views;

  /*! \brief The number of lines, and of pixels in each. */
  ir::PrimExpr Lines() const;
  const ir::PrimExpr& Width() const { return pixels.back()->extent; }
};

/*! \brief The window that a nest computes, if its elements are sums of products. Channels that
 * are computed from groups of others become a loop over groups and one over those of a group. */
std::optional<Window> MatchWindow(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_WINDOW_H_
