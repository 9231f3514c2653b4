/*!
 * \file arena_bound.h
 * \brief A lower bound of the memory that live ranges need: the maximal live size.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_ARENA_BOUND_H_
#define UIR_TRANSFORM_ANALYSIS_ARENA_BOUND_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <vector>

#include "./arena_plan.h"

namespace uir::transform {

/*! \brief The maximal number of units that are live at the same time. */
int64_t LiveUnits(const std::vector<ArenaBlock>& blocks);

/*! \brief Blocks that are counted in the same unit. */
struct LiveRegion {
  /*! \brief The size of a unit in bytes. */
  ir::PrimExpr unit;
  std::vector<ArenaBlock> blocks;
};

/*!
 * \brief The maximal number of bytes of all regions that are live at the same time.
 *
 * With symbolic units, this is a maximum over several times. It has at most 16 operands, so that
 * the expression stays short, and is an upper bound.
 */
ir::PrimExpr LiveBytes(const std::vector<LiveRegion>& regions);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_ARENA_BOUND_H_
