/*!
 * \file condition_settler.h
 * \brief Replaces known conditions by their values.
 */
#ifndef UIR_TRANSFORM_REWRITE_CONDITION_SETTLER_H_
#define UIR_TRANSFORM_REWRITE_CONDITION_SETTLER_H_

#include <uir/tir/stmt.h>

#include "../analysis/loop_conditions.h"

namespace uir::transform {

/*!
 * \brief Replace conditions by their known values, and fold the expressions that use them.
 *
 * Folds logic, `tir.likely`, `Select`, `tir.if_then_else` and conditionals, and removes loops and
 * conditionals whose bodies become empty.
 */
tir::Stmt SettleConditions(tir::Stmt stmt, const ConditionValues& values);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_CONDITION_SETTLER_H_
