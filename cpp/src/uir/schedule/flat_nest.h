/*!
 * \file flat_nest.h
 * \brief Nests whose buffers all have the same layout, as one loop.
 */
#ifndef UIR_SCHEDULE_FLAT_NEST_H_
#define UIR_SCHEDULE_FLAT_NEST_H_

#include <vector>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief Whether the elements of a buffer fill its memory in order. */
bool IsCompact(const tir::Buffer& buffer);

/*! \brief Whether a dimension is known to be the extent of a loop. */
bool IsExtentOf(const tir::For& loop, const ir::PrimExpr& dimension);

/*! \brief Whether the product of two extents fits their data type; true if it is not known. */
bool ProductFits(const ir::PrimExpr& outer, const ir::PrimExpr& inner);

struct FlatNest {
  LoopNest nest;
  /*! \brief Views of the buffers with one dimension, which the nest uses. */
  std::vector<tir::DeclBuffer> views;
};

/*!
 * \brief An elementwise nest as one loop over all elements.
 *
 * There is one if the nest reads compact buffers of its own shape, at the element that it stores.
 */
std::optional<FlatNest> Flatten(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_FLAT_NEST_H_
