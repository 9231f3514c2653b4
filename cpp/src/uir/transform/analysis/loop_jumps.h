/*!
 * \file loop_jumps.h
 * \brief The `break` and `continue` of a loop.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LOOP_JUMPS_H_
#define UIR_TRANSFORM_ANALYSIS_LOOP_JUMPS_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*! \brief The jumps in a statement whose loop is around the statement. */
struct LoopJumps {
  bool has_break = false;
  bool has_continue = false;

  bool any() const { return has_break || has_continue; }
};

/*! \brief Find the jumps of the loop around a statement, not those of loops inside it. */
LoopJumps FindLoopJumps(const tir::Stmt& body);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LOOP_JUMPS_H_
