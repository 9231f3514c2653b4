/*!
 * \file arena_bound.h
 * \brief The least memory that live ranges allow: the most that is live at one time.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_ARENA_BOUND_H_
#define UIR_TRANSFORM_ANALYSIS_ARENA_BOUND_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <vector>

#include "./arena_plan.h"

namespace uir::transform {

/*! \brief The most units that are live at one time. */
int64_t LiveUnits(const std::vector<ArenaBlock>& blocks);

/*! \brief Blocks that are counted in one unit. */
struct LiveRegion {
  /*! \brief The bytes of a unit. */
  ir::PrimExpr unit;
  std::vector<ArenaBlock> blocks;
};

/*!
 * \brief The most bytes of all regions that are live at one time.
 *
 * Where units are symbolic, several times may have the most: a maximum of at most 16 of them, so
 * that the expression stays short, and is a bound still.
 */
ir::PrimExpr LiveBytes(const std::vector<LiveRegion>& regions);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_ARENA_BOUND_H_
