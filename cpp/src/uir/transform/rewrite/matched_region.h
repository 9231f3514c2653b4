/*!
 * \file matched_region.h
 * \brief The regions that a block's buffers match.
 */
#ifndef UIR_TRANSFORM_REWRITE_MATCHED_REGION_H_
#define UIR_TRANSFORM_REWRITE_MATCHED_REGION_H_

#include <uir/tir/buffer.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The region of a buffer that starts at an element. */
struct MatchedRegion {
  tir::Buffer source;
  /*! \brief The first index in each dimension of `source`, scalars. */
  ffi::Array<ir::PrimExpr> starts;

  /*!
   * \brief The indices in `source` of an element of the region.
   * \param indices One for each of the last dimensions; only the last one may be a vector.
   */
  ffi::Array<ir::PrimExpr> IndicesOf(const ffi::Array<ir::PrimExpr>& indices) const;

  /*! \brief The stride of a dimension of a matching buffer with `rank` dimensions. */
  ir::PrimExpr StrideOf(size_t axis, size_t rank) const;

  /*! \brief Whether the region starts at 0 in all groups of dimensions but the last one. */
  bool HasOffset() const;

  /*!
   * \brief The offset of the first element from the data pointer of `source`, in elements.
   *
   * With several groups of dimensions, this is the offset in the last group.
   */
  ir::PrimExpr Offset() const { return source->Offsets(starts).back(); }
};

/*!
 * \brief Check that a buffer has the shape, scope and alignment of the region that it matches.
 * \param match The match, for errors.
 * \param extents The extents of the region, after replacements.
 * \param shape The extents of the buffer, after replacements.
 * \throws ValueError if that is not proved.
 */
void CheckMatch(const tir::MatchBufferRegionNode* match, const ffi::Array<ir::PrimExpr>& extents,
                const ffi::Array<ir::PrimExpr>& shape);

/*! \throws ValueError if a property of a matched buffer is not proved to be that of its region. */
void CheckMatched(const tir::MatchBufferRegionNode* match, const char* property,
                  const ir::PrimExpr& found, const ir::PrimExpr& expected);

/*! \throws ValueError always: the region starts at a separated dimension. */
[[noreturn]] void RefuseOffset(const tir::MatchBufferRegionNode* match);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_MATCHED_REGION_H_
