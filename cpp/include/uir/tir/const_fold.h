/*!
 * \file uir/tir/const_fold.h
 * \brief Constant folding, with the arithmetic of the machine.
 *
 * The functions that make expressions (`uir/tir/arith_op.h` and others) call it; node constructors
 * do not. Integers wrap around at the width of their type, and `float32` numbers are rounded.
 * Undefined operations, such as a division by zero, and formats that C++ does not support are not
 * folded.
 *
 * An operation with one constant is simplified only if the identity holds for every value, up to
 * the sign of a zero: `x + 0`, `x * 1`, and `x * 0` of integers only, because NaN times 0 is NaN.
 */
#ifndef UIR_TIR_CONST_FOLD_H_
#define UIR_TIR_CONST_FOLD_H_

#include <uir/ir/expr.h>
#include <uir/ir/scalar_op.h>

#include <cstdint>
#include <optional>

namespace uir::tir {

/*! \brief Truncate an integer to the bits of a scalar integer type. */
int64_t WrapInt(int64_t value, DLDataType dtype);

/*! \brief A constant of an integer type with the wrapped value; `nullopt` if it does not fit. */
std::optional<ir::PrimExpr> WrappedConst(int64_t value, DLDataType dtype);

/*! \brief The value of an integer or boolean constant, also of a broadcast one. */
std::optional<int64_t> IntConstOf(const ir::PrimExpr& expr);

/*! \brief Whether an expression is a call of `tir.nonzero`, whose check must stay. */
bool IsCheckedDivisor(const ir::PrimExpr& expr);

/*! \brief The value of a floating-point constant, rounded to its type, if C++ has that type. */
std::optional<double> FloatConstOf(const ir::PrimExpr& expr);

/*! \brief The result for two integers of a scalar type; `nullopt` if undefined, or no constant. */
std::optional<int64_t> FoldInt(ir::ScalarOp op, int64_t a, int64_t b, DLDataType dtype);

/*!
 * \brief The result for two operands of the same data type, if it is constant or an operand.
 *
 * Comparisons and logic give booleans.
 */
std::optional<ir::PrimExpr> Fold(ir::ScalarOp op, const ir::PrimExpr& a, const ir::PrimExpr& b);

}  // namespace uir::tir

#endif  // UIR_TIR_CONST_FOLD_H_
