/*!
 * \file uir/transform/convert_ssa.h
 * \brief Conversion to static single assignment form.
 */
#ifndef UIR_TRANSFORM_CONVERT_SSA_H_
#define UIR_TRANSFORM_CONVERT_SSA_H_

#include <uir/ir/module.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

#include <optional>

namespace uir::transform {

/*!
 * \brief Give each binding in a module its own variable or buffer.
 *
 * The second binding of a variable, in the same function or another one, gets a new variable of the
 * same name in its scope. Attributes that launch threads may bind a thread index repeatedly.
 *
 * \param module The module.
 * \return The module itself if it is in this form.
 */
ir::IRModule ConvertSSA(ir::IRModule module);

/*! \brief Give each binding in a function its own variable or buffer. */
tir::PrimFunc ConvertSSA(tir::PrimFunc func);

/*!
 * \brief Rename all bindings of a statement to new variables and buffers of the same names.
 *
 * The result may occur next to the original.
 */
tir::Stmt RenewBindings(tir::Stmt stmt);

/*! \brief Rename all bindings of an expression to new variables of the same names. */
ir::PrimExpr RenewBindings(ir::PrimExpr expr);

/*!
 * \brief Copy shared statements, so that each occurs once.
 * \return `nullopt` if that takes more than 65,536 copies; there may be exponentially many.
 */
std::optional<tir::Stmt> UnshareStmts(tir::Stmt stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_CONVERT_SSA_H_
