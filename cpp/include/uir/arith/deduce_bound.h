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
 * \brief `deduce_bound` with the facts of an analyzer in place of hints.
 * \param analyzer What is known of the variables that are not relaxed.
 * \param var The variable.
 * \param condition A scalar boolean.
 * \param relaxed The sets of variables for all of whose values the condition must hold.
 * \return The empty set if there is no such interval, or none is found.
 */
IntSet DeduceBound(const Analyzer& analyzer, const tir::Var& var, const ir::PrimExpr& condition,
                   const ffi::Map<tir::Var, IntSet>& relaxed);

}  // namespace uir::arith

#endif  // UIR_ARITH_DEDUCE_BOUND_H_
