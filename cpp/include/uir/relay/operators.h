/*!
 * \file uir/relay/operators.h
 * \brief C++ operators on expressions of relay: `relay::relu(x * 2.0 + bias)`.
 *
 * They are in `uir::ir`, so that argument-dependent lookup finds them. A plain number takes the
 * data type of the other operand. `==` and `!=` compare references; `relay::equal` and
 * `relay::not_equal` make comparisons. Each throws the errors of the function it calls.
 */
#ifndef UIR_RELAY_OPERATORS_H_
#define UIR_RELAY_OPERATORS_H_

#include <uir/ir/expr.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/comparison.h>
#include <uir/relay/logic.h>
#include <uir/relay/sign.h>

#include <type_traits>

namespace uir::ir {

/*! \brief Define an operator on two expressions, and on an expression and a number. */
#define UIR_RELAY_DEFINE_OPERATOR(Operator, Function)                          \
  inline RelayExpr operator Operator(const RelayExpr& x, const RelayExpr& y) { \
    return relay::Function(x, y);                                              \
  }                                                                            \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>  \
  RelayExpr operator Operator(const RelayExpr& x, T y) {                       \
    return relay::Function(x, relay::as_operand(y, x));                        \
  }                                                                            \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>  \
  RelayExpr operator Operator(T x, const RelayExpr& y) {                       \
    return relay::Function(relay::as_operand(x, y), y);                        \
  }

UIR_RELAY_DEFINE_OPERATOR(+, add)
UIR_RELAY_DEFINE_OPERATOR(-, subtract)
UIR_RELAY_DEFINE_OPERATOR(*, multiply)
UIR_RELAY_DEFINE_OPERATOR(/, divide)
UIR_RELAY_DEFINE_OPERATOR(%, mod)
UIR_RELAY_DEFINE_OPERATOR(<, less)
UIR_RELAY_DEFINE_OPERATOR(<=, less_equal)
UIR_RELAY_DEFINE_OPERATOR(>, greater)
UIR_RELAY_DEFINE_OPERATOR(>=, greater_equal)
UIR_RELAY_DEFINE_OPERATOR(<<, left_shift)
UIR_RELAY_DEFINE_OPERATOR(>>, right_shift)
UIR_RELAY_DEFINE_OPERATOR(&, bitwise_and)
UIR_RELAY_DEFINE_OPERATOR(|, bitwise_or)
UIR_RELAY_DEFINE_OPERATOR(^, bitwise_xor)

#undef UIR_RELAY_DEFINE_OPERATOR

/*! \brief `relay::negative`. */
inline RelayExpr operator-(const RelayExpr& x) { return relay::negative(x); }

/*! \brief `relay::bitwise_not`. */
inline RelayExpr operator~(const RelayExpr& x) { return relay::bitwise_not(x); }

}  // namespace uir::ir

#endif  // UIR_RELAY_OPERATORS_H_
