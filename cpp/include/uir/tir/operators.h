/*!
 * \file uir/tir/operators.h
 * \brief C++ operators on scalar expressions: `(i + 1) * n < m`.
 *
 * They are in `uir::ir`, so that argument-dependent lookup finds them. A plain number takes the
 * data type of the other operand. `==` and `!=` compare references; `tir::equal` and
 * `tir::not_equal` make comparisons. `/` and `%` are not defined, because C++ and Python round
 * differently: use `tir::truncdiv` or `tir::floordiv`.
 */
#ifndef UIR_TIR_OPERATORS_H_
#define UIR_TIR_OPERATORS_H_

#include <uir/ir/expr.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <type_traits>

namespace uir::ir {

/*! \brief A plain number, which takes the data type of the other operand. */
template <typename T>
using IfNumber = std::enable_if_t<std::is_arithmetic_v<T>>;

/*! \brief Define an operator on two expressions, and on an expression and a number. */
#define UIR_TIR_DEFINE_OPERATOR(Operator, Function)                         \
  inline PrimExpr operator Operator(const PrimExpr& a, const PrimExpr& b) { \
    return tir::Function(a, b);                                             \
  }                                                                         \
  template <typename T, typename = IfNumber<T>>                             \
  PrimExpr operator Operator(const PrimExpr& a, T b) {                      \
    return tir::Function(a, tir::as_expr(b, a));                            \
  }                                                                         \
  template <typename T, typename = IfNumber<T>>                             \
  PrimExpr operator Operator(T a, const PrimExpr& b) {                      \
    return tir::Function(tir::as_expr(a, b), b);                            \
  }

UIR_TIR_DEFINE_OPERATOR(+, add)
UIR_TIR_DEFINE_OPERATOR(-, sub)
UIR_TIR_DEFINE_OPERATOR(*, mul)
UIR_TIR_DEFINE_OPERATOR(<, less)
UIR_TIR_DEFINE_OPERATOR(<=, less_equal)
UIR_TIR_DEFINE_OPERATOR(>, greater)
UIR_TIR_DEFINE_OPERATOR(>=, greater_equal)
UIR_TIR_DEFINE_OPERATOR(<<, left_shift)
UIR_TIR_DEFINE_OPERATOR(>>, right_shift)
UIR_TIR_DEFINE_OPERATOR(&, bitwise_and)
UIR_TIR_DEFINE_OPERATOR(|, bitwise_or)
UIR_TIR_DEFINE_OPERATOR(^, bitwise_xor)

#undef UIR_TIR_DEFINE_OPERATOR

/*! \brief `tir::logical_and`; not short-circuiting, because both operands are expressions. */
inline PrimExpr operator&&(const PrimExpr& a, const PrimExpr& b) { return tir::logical_and(a, b); }

/*! \brief `tir::logical_or`; not short-circuiting, because both operands are expressions. */
inline PrimExpr operator||(const PrimExpr& a, const PrimExpr& b) { return tir::logical_or(a, b); }

/*! \brief `tir::logical_not`. */
inline PrimExpr operator!(const PrimExpr& a) { return tir::logical_not(a); }

/*! \brief `tir::neg`. */
inline PrimExpr operator-(const PrimExpr& a) { return tir::neg(a); }

/*! \brief `tir::bitwise_not`. */
inline PrimExpr operator~(const PrimExpr& a) { return tir::bitwise_not(a); }

}  // namespace uir::ir

#endif  // UIR_TIR_OPERATORS_H_
