/*!
 * \file uir/transform/flatten_buffer.h
 * \brief Makes buffers of several dimensions buffers of one.
 */
#ifndef UIR_TRANSFORM_FLATTEN_BUFFER_H_
#define UIR_TRANSFORM_FLATTEN_BUFFER_H_

#include <uir/tir/function.h>

namespace uir::transform {

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
