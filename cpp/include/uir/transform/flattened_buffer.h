/*!
 * \file uir/transform/flattened_buffer.h
 * \brief Flat buffers, and the indices into them.
 */
#ifndef UIR_TRANSFORM_FLATTENED_BUFFER_H_
#define UIR_TRANSFORM_FLATTENED_BUFFER_H_

#include <uir/tir/buffer.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Return the flat buffer for a buffer.
 *
 * Strides and the offset become part of the indices. With `axis_separators`, each group of
 * dimensions becomes one.
 *
 * \param buffer The buffer.
 * \return The buffer itself if its indices need no change.
 */
tir::Buffer FlattenedBuffer(const tir::Buffer& buffer);

/*!
 * \brief Return the indices into the flattened buffer for indices into a buffer.
 * \param buffer The buffer.
 * \param indices One for each of its dimensions; the last one may be a vector.
 * \return One index for each dimension of `FlattenedBuffer(buffer)`; a `Ramp` stays one.
 */
ffi::Array<ir::PrimExpr> FlattenedIndices(const tir::Buffer& buffer,
                                          const ffi::Array<ir::PrimExpr>& indices);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_FLATTENED_BUFFER_H_
