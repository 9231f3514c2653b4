/*!
 * \file loop_jumps.h
 * \brief The `break` and `continue` of a loop.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LOOP_JUMPS_H_
#define UIR_TRANSFORM_ANALYSIS_LOOP_JUMPS_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*! \brief Which jumps a statement has whose loop is around the statement. */
struct LoopJumps {
  bool has_break = false;
  bool has_continue = false;

  bool any() const { return has_break || has_continue; }
};

/*! \brief Find the jumps of the loop around a statement; those of loops in it are not counted. */
LoopJumps FindLoopJumps(const tir::Stmt& body);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LOOP_JUMPS_H_
