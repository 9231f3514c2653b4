/*!
 * \file uir/transform/flatten_buffer.h
 * \brief Makes buffers of several dimensions buffers of one.
 */
#ifndef UIR_TRANSFORM_FLATTEN_BUFFER_H_
#define UIR_TRANSFORM_FLATTEN_BUFFER_H_

#include <uir/tir/buffer.h>
#include <uir/tir/function.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Return the buffer of one dimension that takes a buffer's place.
 *
 * Strides and the offset become part of the indices.  Dimensions that `axis_separators` keep apart
 * become one each.
 *
 * \param buffer The buffer.
 * \return The buffer itself if its indices need no change.
 */
tir::Buffer FlattenedBuffer(const tir::Buffer& buffer);

/*!
 * \brief Return the indices into the flattened buffer for indices into a buffer.
 * \param buffer The buffer that is flattened.
 * \param indices One for each of its dimensions; the last one may be a vector.
 * \return One index for each dimension of `FlattenedBuffer(buffer)`; a `Ramp` stays one.
 */
ffi::Array<ir::PrimExpr> FlattenedIndices(const tir::Buffer& buffer,
                                          const ffi::Array<ir::PrimExpr>& indices);

/*!
 * \brief Make all buffers of a function buffers of one dimension.
 *
 * Parameters keep theirs: what they point to is declared anew in the body.
 *
 * \param func The function; blocks in it match no buffers.
 * \return The function itself if nothing is to be flattened.
 * \throws ValueError if a block matches a buffer.
 */
tir::PrimFunc FlattenBuffer(tir::PrimFunc func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_FLATTEN_BUFFER_H_
