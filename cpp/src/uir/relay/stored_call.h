/*!
 * \file stored_call.h
 * \brief Calls of operators in files of older versions.
 */
#ifndef UIR_SRC_RELAY_STORED_CALL_H_
#define UIR_SRC_RELAY_STORED_CALL_H_

#include <uir/ir/op.h>
#include <uir/relay/expr.h>

namespace uir::relay {

/*! \brief An operand as the node holds it: a tuple for what is absent or variadic. */
ir::RelayExpr ToOperand(const ffi::Any& value);

/*! \brief Bring a stored call to the form of now: operator, operands, missing attributes. */
void UpgradeStored(CallNode* call);

/*!
 * \brief Add the optional operands that an operator got after a call of it was stored.
 * \return Whether the call lacked some, and no others.
 */
bool AddAbsentOperands(CallNode* call);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_STORED_CALL_H_
