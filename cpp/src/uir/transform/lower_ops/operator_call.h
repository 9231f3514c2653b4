/*!
 * \file operator_call.h
 * \brief Lowerings: functions that compute the results of a call from its operands.
 *
 * A family of operators registers its functions in its own file:
 *
 * \code
 *   UIR_TRANSFORM_REGISTER_LOWERING("relay.transpose", LowerTranspose);
 * \endcode
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_OPERATOR_CALL_H_
#define UIR_TRANSFORM_LOWER_OPS_OPERATOR_CALL_H_

#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "./value.h"

namespace uir::transform {

/*! \brief Tensors: the elements of a variadic operand, or the results of a call. */
using Values = std::vector<Value>;

/*! \brief A call of an operator, with the tensors of its operands. */
struct OperatorCall {
  const relay::CallNode* call = nullptr;
  const ir::OperatorRow* row = nullptr;
  /*! \brief The tensors of each operand: one, none if absent, or those of a variadic operand. */
  std::vector<Values> operands;
  /*! \brief The types of the results. */
  std::vector<ir::TensorType> results;

  /*! \brief The tensor of a present operand. */
  const Value& operand(size_t index) const { return operands[index][0]; }
  bool Has(size_t index) const { return !operands[index].empty(); }
  /*! \brief The name of the operator without its namespace, for names of tensors. */
  std::string Name() const;
  /*! \brief A result whose elements are computed at their uses. */
  Value Result(ElementFunction element, size_t index = 0) const;
};

/*! \brief Computes the results of a call; empty if it cannot lower the call. */
using LowerFunction = std::function<Values(const OperatorCall& call)>;

/*! \brief Register the lowering of an operator; later registrations are ignored. */
void RegisterLowering(const char* op_name, Values (*function)(const OperatorCall&)) noexcept;

/*! \brief The registered lowering, or that of the declaration; null without either. */
LowerFunction FindLowering(const ir::Op& op);

/*! \brief Lower a call by the `scalar` of the operator's declaration. */
Values LowerScalar(const OperatorCall& call);

/*! \brief Lower a call by the `compute` of the operator's declaration. */
Values LowerCompute(const OperatorCall& call);

}  // namespace uir::transform

#define UIR_TRANSFORM_REGISTER_LOWERING(Name, Function) \
  TVM_FFI_STATIC_INIT_BLOCK() { ::uir::transform::RegisterLowering(Name, &Function); }

#endif  // UIR_TRANSFORM_LOWER_OPS_OPERATOR_CALL_H_
