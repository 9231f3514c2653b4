/*!
 * \file condition_settler.h
 * \brief Puts the values of conditions that are known in their places.
 */
#ifndef UIR_TRANSFORM_REWRITE_CONDITION_SETTLER_H_
#define UIR_TRANSFORM_REWRITE_CONDITION_SETTLER_H_

#include <uir/tir/stmt.h>

#include "../analysis/loop_conditions.h"

namespace uir::transform {

/*!
 * \brief Replace conditions by their values, and what chooses by a constant by its choice.
 *
 * Folds logic, `tir.likely`, `Select`, `tir.if_then_else` and conditionals; removes loops and
 * conditionals whose body becomes empty by that.
 */
tir::Stmt SettleConditions(tir::Stmt stmt, const ConditionValues& values);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_CONDITION_SETTLER_H_
