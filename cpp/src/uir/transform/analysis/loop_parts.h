/*!
 * \file loop_parts.h
 * \brief The parts of a loop with constant bounds in which the known conditions do not change.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LOOP_PARTS_H_
#define UIR_TRANSFORM_ANALYSIS_LOOP_PARTS_H_

#include <cstdint>
#include <vector>

#include "./loop_conditions.h"

namespace uir::transform {

/*! \brief Iterations between two constants, and the conditions that are known in them. */
struct NumberedPart {
  int64_t begin;
  int64_t end;
  ConditionValues values;
};

/*! \brief Whether both ends of all ranges of a condition are constants. */
bool HasNumbers(const LoopCondition& condition);

/*! \brief Split a loop from `begin` to `end` where a condition changes. \pre `HasNumbers`. */
std::vector<NumberedPart> PartsOf(int64_t begin, int64_t end,
                                  const std::vector<LoopCondition>& conditions);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LOOP_PARTS_H_
