/*!
 * \file stored_call.h
 * \brief Calls of intrinsics in files of older versions.
 */
#ifndef UIR_SRC_TIR_STORED_CALL_H_
#define UIR_SRC_TIR_STORED_CALL_H_

#include <uir/ir/op.h>
#include <uir/tir/expr.h>

namespace uir::tir {

/*! \brief An attribute of an operator, as an argument of its call. */
ir::PrimExpr AttributeArgument(const ffi::Any& attribute);

/*!
 * \brief Upgrade a stored call to the current form.
 * \param called The callee.
 * \param call The call, which is being made.
 * \return Whether it had another form.
 */
bool UpgradeStored(const ir::OpNode* called, CallNode* call);

}  // namespace uir::tir

#endif  // UIR_SRC_TIR_STORED_CALL_H_
