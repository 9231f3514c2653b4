/*!
 * \file call_types.h
 * \brief The data type that a call has where the text states none.
 */
#ifndef UIR_SCRIPT_PRINT_CALL_TYPES_H_
#define UIR_SCRIPT_PRINT_CALL_TYPES_H_

#include <tvm/ffi/container/array.h>
#include <uir/ir/expr.h>
#include <uir/tir/expr.h>

#include <optional>

namespace uir::script {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The data type of a call of an operator or a global variable without `dtype=`.
 * \return Nothing if each call states it.
 */
std::optional<DLDataType> DefaultCallType(const ir::RelayExpr& callee,
                                          const ffi::Array<ir::PrimExpr>& args);
/*! \brief Whether the text of a call has to state its data type. */
bool StatesType(const tir::CallNode* call);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_CALL_TYPES_H_
