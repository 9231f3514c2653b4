/*!
 * \file allocation_places.h
 * \brief The places at which allocations surround all their uses most closely.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_ALLOCATION_PLACES_H_
#define UIR_TRANSFORM_ANALYSIS_ALLOCATION_PLACES_H_

#include <uir/tir/stmt.h>

#include <unordered_map>
#include <unordered_set>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The buffers to allocate in front of each statement. */
using AllocationPlaces = std::unordered_map<const tir::StmtNode*, ffi::Array<tir::Buffer>>;

/*! \brief Where allocations go, and which leave the place where they are. */
struct AllocationMoves {
  AllocationPlaces places;
  /*! \brief The buffers that are not to be allocated any more where they are now. */
  std::unordered_set<const ffi::Object*> moved;
};

/*!
 * \brief Find the lowest common ancestor of the uses of each of some allocations.
 *
 * An allocation enters a loop only if each iteration uses elements of its own, so that none is
 * carried to the next one. It stays where it is if its extents depend on memory. One without a use
 * has no place.
 *
 * \param body The body of a function.
 * \param buffers The buffers, each of which one `AllocBuffer` in `body` allocates.
 */
AllocationMoves PlaceAllocations(const tir::Stmt& body,
                                 const std::unordered_set<const ffi::Object*>& buffers);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_ALLOCATION_PLACES_H_
