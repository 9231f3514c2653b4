/*!
 * \file merged_loops.h
 * \brief One loop in the place of two neighbouring ones, over views that have one dimension for
 * both.
 */
#ifndef UIR_SCHEDULE_MERGED_LOOPS_H_
#define UIR_SCHEDULE_MERGED_LOOPS_H_

#include <vector>

#include "./loop_nest.h"

namespace uir::schedule {

struct MergedNest {
  LoopNest nest;
  /*! \brief Views of buffers, which the nest uses. */
  std::vector<tir::DeclBuffer> views;
};

/*!
 * \brief Leave out loops of one iteration, and merge neighbouring loops where all that the nest
 * accesses lies in memory in their order.
 *
 * Loops over elements are merged with each other, as are those of a reduction.
 */
MergedNest MergeLoops(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_MERGED_LOOPS_H_
