/*!
 * \file uir/transform/with_body.h
 * \brief Replacement of function bodies.
 */
#ifndef UIR_TRANSFORM_WITH_BODY_H_
#define UIR_TRANSFORM_WITH_BODY_H_

#include <uir/tir/function.h>

namespace uir::transform {

/*!
 * \brief Return a function with another body; the function itself if that is its body.
 *
 * Parameters, attributes and the span do not change.
 */
tir::PrimFunc WithBody(tir::PrimFunc func, tir::Stmt body);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_WITH_BODY_H_
