/*!
 * \file uir/transform/flatten_buffer.h
 * \brief Flattening of multi-dimensional buffers.
 */
#ifndef UIR_TRANSFORM_FLATTEN_BUFFER_H_
#define UIR_TRANSFORM_FLATTEN_BUFFER_H_

#include <uir/tir/function.h>

namespace uir::transform {

/*!
 * \brief Flatten all buffers of a function to one dimension.
 *
 * Parameters keep their buffers; the body declares flat views of them.
 *
 * \param func The function; blocks in it match no buffers.
 * \return The function itself if all buffers are flat.
 * \throws ValueError if a block matches a buffer.
 */
tir::PrimFunc FlattenBuffer(tir::PrimFunc func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_FLATTEN_BUFFER_H_
