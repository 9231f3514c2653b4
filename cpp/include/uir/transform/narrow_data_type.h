/*!
 * \file uir/transform/narrow_data_type.h
 * \brief Index arithmetic in narrower types.
 */
#ifndef UIR_TRANSFORM_NARROW_DATA_TYPE_H_
#define UIR_TRANSFORM_NARROW_DATA_TYPE_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Compute indices, and the variables of loops, in a narrower type where bounds prove it.
 * \param stmt The statement.
 * \param target_bits The width to narrow to, in bits.
 * \return The statement itself if nothing can be narrowed.
 */
tir::Stmt NarrowDataType(tir::Stmt stmt, int target_bits);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_NARROW_DATA_TYPE_H_
