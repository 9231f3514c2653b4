/*!
 * \file uir/transform/common_subexpr_elim.h
 * \brief Common subexpression elimination.
 */
#ifndef UIR_TRANSFORM_COMMON_SUBEXPR_ELIM_H_
#define UIR_TRANSFORM_COMMON_SUBEXPR_ELIM_H_

#include <uir/tir/function.h>

namespace uir::transform {

/*!
 * \brief Bind repeated subexpressions of a function to variables.
 *
 * It considers arithmetic, comparisons, logic, casts and selections, but not loads and calls. A
 * value is bound before its first use in the lowest common ancestor of its uses. A division that
 * may fail is not hoisted to a path that does not compute it. The numbering of values is hash-based
 * value numbering (Cocke and Schwartz, 1970).
 *
 * Shared statements are copied, because each occurrence has its own variables. A function that
 * needs more than 65,536 copies is not changed.
 *
 * \param func The function.
 * \return The function itself if there are no common subexpressions.
 */
tir::PrimFunc CommonSubexprElim(tir::PrimFunc func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_COMMON_SUBEXPR_ELIM_H_
