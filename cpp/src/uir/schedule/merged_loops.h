/*!
 * \file merged_loops.h
 * \brief Merges neighbouring loops, over views of the buffers that merge their dimensions.
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
 * \brief Leave out loops of one iteration, and merge neighbouring loops if all accesses of the nest
 * are contiguous in their order.
 *
 * Loops over elements are merged with each other, as are those of a reduction.
 */
MergedNest MergeLoops(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_MERGED_LOOPS_H_
