/*!
 * \file uir/ir/operand.h
 * \brief Checks of a node's operands, with errors that name the node, the operand and its value.
 *
 * They throw TypeError for a wrong data type, ValueError for a wrong value or count.
 */
#ifndef UIR_IR_OPERAND_H_
#define UIR_IR_OPERAND_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>
#include <uir/ir/expr.h>

#include <cstdint>
#include <string>

namespace uir::ir {

/*! \brief An operand and the name of the field that holds it. */
struct Operand {
  const char* name;
  const PrimExpr& value;
};

/*! \brief `Add: ` for messages about a node; empty while its type is not known yet. */
std::string MessagePrefix(const ffi::Object* node);

/*! \brief Throw a TypeError: `operand` must be `expected`, got its data type. */
[[noreturn]] void ThrowOperand(const ffi::Object* node, const char* expected, Operand operand);

/*! \brief Check that two operands have the same data type. */
void CheckSameType(const ffi::Object* node, Operand a, Operand b);

/*! \brief Check that an operand is an integer, scalar or vector. */
void CheckInteger(const ffi::Object* node, Operand operand);

/*! \brief Check that an operand is a scalar integer. */
void CheckScalarInteger(const ffi::Object* node, Operand operand);

/*! \brief Check that an operand is a boolean, scalar or vector. */
void CheckBool(const ffi::Object* node, Operand operand);

/*! \brief Check that an operand is a scalar boolean. */
void CheckScalarBool(const ffi::Object* node, Operand operand);

/*! \brief Check that each element is a scalar integer; messages name `shape[1]`. */
void CheckScalarIntegers(const ffi::Object* node, const char* name,
                         const ffi::Array<PrimExpr>& values);

/*! \brief Check that two sequences have the same length; messages name both. */
void CheckSameSize(const ffi::Object* node, const char* a_name, int64_t a_size, const char* b_name,
                   int64_t b_size);

}  // namespace uir::ir

#endif  // UIR_IR_OPERAND_H_
