/*!
 * \file stored_call.h
 * \brief Calls of operators in files of older versions.
 */
#ifndef UIR_SRC_RELAY_STORED_CALL_H_
#define UIR_SRC_RELAY_STORED_CALL_H_

#include <uir/ir/op.h>
#include <uir/relay/expr.h>

namespace uir::relay {

/*! \brief An operand in the form of the node: a tuple for an absent or variadic one. */
ir::RelayExpr ToOperand(const ffi::Any& value);

/*! \brief Upgrade a stored call to the current operator, operands and attributes. */
void UpgradeStored(CallNode* call);

/*!
 * \brief Add the optional operands that an operator has gained since a call of it was stored.
 * \return Whether the call lacked operands, all of them optional.
 */
bool AddAbsentOperands(CallNode* call);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_STORED_CALL_H_
