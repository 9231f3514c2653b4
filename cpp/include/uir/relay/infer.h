/*!
 * \file uir/relay/infer.h
 * \brief The types of calls, and hand-written rules of operators with the relation `custom`.
 *
 * The generated header of a declared operator declares its rule, `InferReshape`, and the generated
 * source registers it. An operator without a declaration registers its own:
 *
 * \code
 *   UIR_RELAY_REGISTER_INFER("toy.fold", InferFold);
 * \endcode
 */
#ifndef UIR_RELAY_INFER_H_
#define UIR_RELAY_INFER_H_

#include <tvm/ffi/optional.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/expr.h>
#include <uir/relay/type_context.h>

#include <string>
#include <vector>

namespace uir::relay {

/*!
 * \brief Infers the type of a call whose operands all have types.
 * \throws TypeError, ValueError if the operands or the attributes do not fit; messages name the
 * operand, without the operator.
 */
using InferFunction = ir::Type (*)(const CallNode* call, TypeContext* context);

/*! \brief Register the rule of an operator with the relation `custom`; the first one counts. */
void RegisterInfer(const char* op_name, InferFunction function) noexcept;

/*!
 * \brief The type of a call; None if an operand has no type yet.
 * \throws TypeError, ValueError with the names of the operator and the operand.
 */
ffi::Optional<ir::Type> InferCall(const CallNode* call, TypeContext* context);

/*!
 * \brief The type of a call of a function; the arguments bind the function's dimensions.
 * \param type The type of the function.
 * \param arguments The types of the arguments.
 * \param context Compares dimensions.
 * \param conditions The function's assumptions on its dimensions, which the call requires.
 * \param names The names of the arguments in messages; empty for `argument 0` and so on.
 * \throws TypeError if an argument does not fit, or a condition does not hold; the message names
 * it.
 */
ir::Type InferFunctionCall(const ir::FuncType& type, const ffi::Array<ir::Type>& arguments,
                           TypeContext* context, const ffi::Array<ir::PrimExpr>& conditions = {},
                           const std::vector<std::string>& names = {});

/*!
 * \brief Check that a type equals the expected one, with equal dimensions.
 * \param what Names the value with the type in messages, such as `the result`.
 * \throws TypeError if the types differ.
 */
void CheckArgument(const ir::Type& expected, const ir::Type& found, const std::string& what,
                   TypeContext* context);

/*! \brief The tensor type of an operand. \throws TypeError if it is another type. */
ir::TensorType TensorTypeOf(const ir::RelayExpr& operand, const char* name);

/*! \brief Whether an operand is absent, which the empty tuple represents. */
bool IsAbsent(const ir::RelayExprNode* operand);
inline bool IsAbsent(const ir::RelayExpr& operand) { return IsAbsent(operand.get()); }

}  // namespace uir::relay

#define UIR_RELAY_REGISTER_INFER(Name, Function) \
  TVM_FFI_STATIC_INIT_BLOCK() { ::uir::relay::RegisterInfer(Name, &Function); }

#endif  // UIR_RELAY_INFER_H_
