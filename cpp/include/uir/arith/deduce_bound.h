/*!
 * \file uir/arith/deduce_bound.h
 * \brief The values of a variable for which a condition holds, under the facts of an analyzer.
 */
#ifndef UIR_ARITH_DEDUCE_BOUND_H_
#define UIR_ARITH_DEDUCE_BOUND_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/int_set.h>
#include <uir/tir/var.h>

namespace uir::arith {

/*!
 * \brief `deduce_bound` with the facts of an analyzer instead of hints.
 * \param analyzer The facts about the variables that are not relaxed.
 * \param var The variable.
 * \param condition A scalar boolean.
 * \param relaxed Variables with their sets; the condition must hold for all values in these.
 * \return The empty set if no such interval exists or is found.
 */
IntSet DeduceBound(const Analyzer& analyzer, const tir::Var& var, const ir::PrimExpr& condition,
                   const ffi::Map<tir::Var, IntSet>& relaxed);

}  // namespace uir::arith

#endif  // UIR_ARITH_DEDUCE_BOUND_H_
