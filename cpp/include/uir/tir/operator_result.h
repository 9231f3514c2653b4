/*!
 * \file uir/tir/operator_result.h
 * \brief The data types of the results of declared operators.
 */
#ifndef UIR_TIR_OPERATOR_RESULT_H_
#define UIR_TIR_OPERATOR_RESULT_H_

#include <uir/ir/expr.h>
#include <uir/ir/operator_table.h>

#include <optional>

namespace uir::tir {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The data type of the result of a call, by the declaration of its operator.
 * \param row An operator whose operands are elements.
 * \param args The operands of the call, without those that are absent; attributes may follow.
 * \return `nullopt` if an attribute states the data type.
 */
std::optional<DLDataType> ResultTypeOf(const ir::OperatorRow& row,
                                       const ffi::Array<ir::PrimExpr>& args);

}  // namespace uir::tir

#endif  // UIR_TIR_OPERATOR_RESULT_H_
