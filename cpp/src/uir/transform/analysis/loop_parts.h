/*!
 * \file loop_parts.h
 * \brief The parts of a loop between two numbers in which the same conditions are known.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LOOP_PARTS_H_
#define UIR_TRANSFORM_ANALYSIS_LOOP_PARTS_H_

#include <cstdint>
#include <vector>

#include "./loop_conditions.h"

namespace uir::transform {

/*! \brief Iterations between two numbers, and the conditions that are known there. */
struct NumberedPart {
  int64_t begin;
  int64_t end;
  ConditionValues values;
};

/*! \brief Whether both ends of all ranges of a condition are numbers. */
bool HasNumbers(const LoopCondition& condition);

/*! \brief Split a loop from `begin` to `end` where a condition, which has numbers, changes. */
std::vector<NumberedPart> PartsOf(int64_t begin, int64_t end,
                                  const std::vector<LoopCondition>& conditions);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LOOP_PARTS_H_
