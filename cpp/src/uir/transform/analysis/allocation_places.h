/*!
 * \file allocation_places.h
 * \brief The innermost places for allocations that contain all their uses.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_ALLOCATION_PLACES_H_
#define UIR_TRANSFORM_ANALYSIS_ALLOCATION_PLACES_H_

#include <uir/tir/stmt.h>

#include <unordered_map>
#include <unordered_set>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The buffers to allocate before each statement. */
using AllocationPlaces = std::unordered_map<const tir::StmtNode*, ffi::Array<tir::Buffer>>;

/*! \brief The new places of allocations, and the buffers that move. */
struct AllocationMoves {
  AllocationPlaces places;
  /*! \brief The buffers whose present allocations must be removed. */
  std::unordered_set<const ffi::Object*> moved;
};

/*!
 * \brief Find the lowest common ancestor of the uses of each allocation.
 *
 * An allocation enters a loop only if each iteration uses its own elements, so that none carries a
 * value to the next iteration. It does not move if its extents depend on memory. An unused
 * allocation has no place.
 *
 * \param body The body of a function.
 * \param buffers The buffers, each of which one `AllocBuffer` in `body` allocates.
 */
AllocationMoves PlaceAllocations(const tir::Stmt& body,
                                 const std::unordered_set<const ffi::Object*>& buffers);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_ALLOCATION_PLACES_H_
