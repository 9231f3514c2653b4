/*!
 * \file uir/transform/substitute.h
 * \brief Substitution of variables by expressions.
 */
#ifndef UIR_TRANSFORM_SUBSTITUTE_H_
#define UIR_TRANSFORM_SUBSTITUTE_H_

#include <tvm/ffi/container/map.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The replacement of each variable. */
using Substitution = ffi::Map<tir::Var, ir::PrimExpr>;

/*!
 * \brief Substitute the variables in an expression.
 * \throws TypeError if the expression binds a replaced variable and the replacement is not a
 * variable.
 */
ir::PrimExpr Substitute(ir::PrimExpr expr, const Substitution& substitution);

/*!
 * \brief Substitute the variables in a statement.
 *
 * The shapes, strides, offsets and data pointers of buffers that it declares are substituted too.
 *
 * \throws TypeError if the statement binds a replaced variable and the replacement is not a
 * variable.
 */
tir::Stmt Substitute(tir::Stmt stmt, const Substitution& substitution);

/*!
 * \brief Substitute the variables in the body of a function and in the buffers of its parameters.
 *
 * The parameters themselves do not change.
 */
tir::PrimFunc Substitute(tir::PrimFunc func, const Substitution& substitution);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_SUBSTITUTE_H_
