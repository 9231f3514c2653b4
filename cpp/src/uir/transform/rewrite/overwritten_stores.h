/*!
 * \file overwritten_stores.h
 * \brief Removes stores that later ones overwrite.
 */
#ifndef UIR_TRANSFORM_REWRITE_OVERWRITTEN_STORES_H_
#define UIR_TRANSFORM_REWRITE_OVERWRITTEN_STORES_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Remove stores and loops of one store if a later statement of the same sequence overwrites
 * all their elements before any read.
 *
 * Buffers of different pointers must not overlap. Side effects of a removed value stay.
 */
tir::Stmt RemoveOverwrittenStores(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_OVERWRITTEN_STORES_H_
