/*!
 * \file uir/transform/substitute.h
 * \brief Puts expressions in the places of variables.
 */
#ifndef UIR_TRANSFORM_SUBSTITUTE_H_
#define UIR_TRANSFORM_SUBSTITUTE_H_

#include <tvm/ffi/container/map.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief What to put in the place of each variable. */
using Substitution = ffi::Map<tir::Var, ir::PrimExpr>;

/*!
 * \brief Put expressions in the places of variables that an expression uses.
 * \throws TypeError if a variable is bound in the expression, and its place takes no expression.
 */
ir::PrimExpr Substitute(ir::PrimExpr expr, const Substitution& substitution);

/*!
 * \brief Put expressions in the places of variables that a statement uses.
 *
 * The shapes, strides, offsets and addresses of buffers that it declares follow.
 *
 * \throws TypeError if a variable is bound in the statement, and its place takes no expression.
 */
tir::Stmt Substitute(tir::Stmt stmt, const Substitution& substitution);

/*!
 * \brief Put expressions in the places of variables in the body of a function and in the buffers of
 * its parameters.
 *
 * The parameters themselves stay.
 */
tir::PrimFunc Substitute(tir::PrimFunc func, const Substitution& substitution);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_SUBSTITUTE_H_
