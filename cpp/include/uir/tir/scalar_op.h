/*!
 * \file uir/tir/scalar_op.h
 * \brief The expressions of operations on scalars, by their operation.
 */
#ifndef UIR_TIR_SCALAR_OP_H_
#define UIR_TIR_SCALAR_OP_H_

#include <uir/ir/expr.h>
#include <uir/ir/scalar_op.h>

namespace uir::tir {

namespace ffi = ::tvm::ffi;

/*! \brief Make the node of an operation. \pre It has a node for two operands. */
ir::PrimExpr MakeNode(ir::ScalarOp op, ir::PrimExpr a, ir::PrimExpr b,
                      ffi::Optional<ir::Span> span = std::nullopt);

/*!
 * \brief The result of an operation on operands that are first converted to a common data type, as
 * `add` and the other functions make it: folded if it is constant.
 * \param b The second operand, which an operation on one operand ignores.
 */
ir::PrimExpr Apply(ir::ScalarOp op, const ir::PrimExpr& a, const ir::PrimExpr& b);

}  // namespace uir::tir

#endif  // UIR_TIR_SCALAR_OP_H_
