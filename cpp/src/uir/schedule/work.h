/*!
 * \file work.h
 * \brief The amount of work of a nest, by its constant extents, and its parts.
 */
#ifndef UIR_SCHEDULE_WORK_H_
#define UIR_SCHEDULE_WORK_H_

#include <uir/tir/const_fold.h>

#include <algorithm>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief As many parts of the work keep threads busy. */
constexpr int64_t kBusyParts = 8;

/*! \brief The number of innermost stores; a symbolic extent counts as 1. */
inline int64_t WorkOf(const LoopNest& nest) {
  int64_t work = 1;
  const auto count = [&](const tir::For& loop) {
    const int64_t extent = tir::IntConstOf(loop->extent).value_or(1);
    if (__builtin_mul_overflow(work, extent, &work)) work = INT64_MAX;
  };
  std::for_each(nest.spatial.begin(), nest.spatial.end(), count);
  std::for_each(nest.reduction.begin(), nest.reduction.end(), count);
  return work;
}

/*! \brief Whether a nest has this much work, or may have it because extents are symbolic:
 * `LowerParallel` then makes code that checks at run time. */
inline bool MayComputeAtLeast(const LoopNest& nest, int64_t work) {
  const auto is_symbolic = [](const tir::For& loop) { return !tir::IntConstOf(loop->extent); };
  return std::any_of(nest.spatial.begin(), nest.spatial.end(), is_symbolic) || WorkOf(nest) >= work;
}

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_WORK_H_
