/*!
 * \file uir/transform/narrow_data_type.h
 * \brief Narrowing of index arithmetic.
 */
#ifndef UIR_TRANSFORM_NARROW_DATA_TYPE_H_
#define UIR_TRANSFORM_NARROW_DATA_TYPE_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Narrow indices and loop variables to a smaller type if their bounds fit.
 * \param stmt The statement.
 * \param target_bits The width to narrow to, in bits.
 * \return The statement itself if nothing can be narrowed.
 */
tir::Stmt NarrowDataType(tir::Stmt stmt, int target_bits);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_NARROW_DATA_TYPE_H_
