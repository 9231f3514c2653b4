/*!
 * \file blocked_window.h
 * \brief Convolutions whose channels lie in blocks (channel_blocks.h).
 *
 *     for blocks of channels, for blocks of the sum, for lines:
 *       for groups of pixels of a line:
 *         sums in registers (nest::BlockedWindow)
 */
#ifndef UIR_SCHEDULE_BLOCKED_WINDOW_H_
#define UIR_SCHEDULE_BLOCKED_WINDOW_H_

#include <optional>
#include <vector>

#include "./contraction.h"
#include "./nest/recipes.h"

namespace uir::schedule {

struct BlockedWindow {
  /*! \brief The contraction; its row counts the pixels of a line, its column the channels of a
   * block, and no loop is outside. */
  Contraction contraction;
  /*! \brief The loops over blocks of channels. */
  std::vector<tir::For> blocks;
  /*! \brief The loops over images and their lines. */
  std::vector<tir::For> lines;

  /*! \brief The pixels of a line, if their number is known. */
  std::optional<int64_t> pixels() const;
  int64_t channels() const;
};

/*! \brief The window that a nest computes, if it has this form. */
std::optional<BlockedWindow> MatchBlockedWindow(const LoopNest& nest);

/*! \brief A window without loops. */
nest::Nest BareNest(const BlockedWindow& window);

/*! \brief The roles of its axes, of which some are parallel. */
nest::ChannelBlocks ChannelBlocksOf(const BlockedWindow& window, bool is_parallel);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_BLOCKED_WINDOW_H_
