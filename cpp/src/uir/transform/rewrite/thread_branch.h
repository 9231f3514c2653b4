/*!
 * \file thread_branch.h
 * \brief Branches in the bodies of threads.
 */
#ifndef UIR_TRANSFORM_REWRITE_THREAD_BRANCH_H_
#define UIR_TRANSFORM_REWRITE_THREAD_BRANCH_H_

#include "./condition_settler.h"

namespace uir::transform {

/*!
 * \brief Branch in the bodies of the innermost threads, or in the statement if it has none.
 * \param body The statement.
 * \param condition A condition with one value for all threads of a block; a constant makes no
 * branch.
 * \param values The conditions that are known if it holds.
 */
tir::Stmt BranchInThreads(const tir::Stmt& body, const ir::PrimExpr& condition,
                          const ConditionValues& values);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_THREAD_BRANCH_H_
