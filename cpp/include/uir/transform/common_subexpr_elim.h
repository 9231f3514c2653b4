/*!
 * \file uir/transform/common_subexpr_elim.h
 * \brief Computes what is computed several times once.
 */
#ifndef UIR_TRANSFORM_COMMON_SUBEXPR_ELIM_H_
#define UIR_TRANSFORM_COMMON_SUBEXPR_ELIM_H_

#include <uir/tir/function.h>

namespace uir::transform {

/*!
 * \brief Bind values that a function computes several times to variables, and use those.
 *
 * Values are made by arithmetic, comparisons, logic, conversions and choices; what reads memory or
 * calls something is computed as often as before.  A value is bound in the innermost sequence that
 * holds all its computations, before the first one.  A division that may fail is not moved to where
 * the program does not compute it.
 *
 * \param func The function.
 * \return The function itself if it computes nothing twice.
 */
tir::PrimFunc CommonSubexprElim(tir::PrimFunc func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_COMMON_SUBEXPR_ELIM_H_
