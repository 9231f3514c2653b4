/*!
 * \file uir/transform/convert_ssa.h
 * \brief Gives each binding a variable of its own.
 */
#ifndef UIR_TRANSFORM_CONVERT_SSA_H_
#define UIR_TRANSFORM_CONVERT_SSA_H_

#include <uir/ir/module.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

namespace uir::transform {

/*!
 * \brief Give each binding in a module a variable, or a buffer, of its own.
 *
 * Where one is bound a second time, in the same function or in another one, it is a new one of the
 * same name from there to the end of its scope.  Notes that launch threads may bind the index of a
 * thread again and again.
 *
 * \param module The module.
 * \return The module itself if everything is bound once.
 */
ir::IRModule ConvertSSA(ir::IRModule module);

/*! \brief Give each binding in a function a variable, or a buffer, of its own. */
tir::PrimFunc ConvertSSA(tir::PrimFunc func);

/*!
 * \brief Give all that a statement binds new variables and buffers of the same names.
 *
 * So the statement may stand beside the one that it was made from.
 */
tir::Stmt RenewBindings(tir::Stmt stmt);

/*! \brief Give all that an expression binds new variables of the same names. */
ir::PrimExpr RenewBindings(ir::PrimExpr expr);

/*! \brief Copy statements that stand in several places, so that each stands in one. */
tir::Stmt UnshareStmts(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_CONVERT_SSA_H_
