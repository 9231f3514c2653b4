/*!
 * \file uir/ir/scalar_op.h
 * \brief Operations on scalars: one table of their spellings, and their values on numbers.
 */
#ifndef UIR_IR_SCALAR_OP_H_
#define UIR_IR_SCALAR_OP_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace uir::ir {

/*!
 * \brief The operations with a node for two operands, in the order of the nodes.
 *
 * Each has its name, which is that of the node, its symbol, the operator on tensors, the precedence
 * of the symbol, and the function that makes it.
 */
#define UIR_SCALAR_NODES(V)                             \
  V(Add, "+", "add", kSum, add)                         \
  V(Sub, "-", "subtract", kSum, sub)                    \
  V(Mul, "*", "multiply", kProduct, mul)                \
  V(Div, "/", "divide", kProduct, div)                  \
  V(Mod, "", "", kNone, truncmod)                       \
  V(FloorDiv, "//", "floor_divide", kProduct, floordiv) \
  V(FloorMod, "%", "mod", kProduct, floormod)           \
  V(Min, "", "minimum", kNone, min)                     \
  V(Max, "", "maximum", kNone, max)                     \
  V(EQ, "==", "equal", kCompare, equal)                 \
  V(NE, "!=", "not_equal", kCompare, not_equal)         \
  V(LT, "<", "less", kCompare, less)                    \
  V(LE, "<=", "less_equal", kCompare, less_equal)       \
  V(GT, ">", "greater", kCompare, greater)              \
  V(GE, ">=", "greater_equal", kCompare, greater_equal) \
  V(And, "and", "logical_and", kAnd, logical_and)       \
  V(Or, "or", "logical_or", kOr, logical_or)

/*! \brief The other operations on two operands, as above. */
#define UIR_SCALAR_CALLS(V)                               \
  V(BitAnd, "&", "bitwise_and", kBitAnd, bitwise_and)     \
  V(BitOr, "|", "bitwise_or", kBitOr, bitwise_or)         \
  V(BitXor, "^", "bitwise_xor", kBitXor, bitwise_xor)     \
  V(ShiftLeft, "<<", "left_shift", kShift, left_shift)    \
  V(ShiftRight, ">>", "right_shift", kShift, right_shift) \
  V(Power, "**", "power", kPower, pow)

/*! \brief The operations on one operand. */
#define UIR_SCALAR_UNARY(V)                       \
  V(Not, "not", "logical_not", kNot, logical_not) \
  V(Negate, "-", "negative", kUnary, neg)

#define UIR_SCALAR_OPS(V) UIR_SCALAR_NODES(V) UIR_SCALAR_CALLS(V) UIR_SCALAR_UNARY(V)

/*! \brief An operation on scalars. */
enum class ScalarOp : uint8_t {
#define UIR_SCALAR_OP(Name, ...) k##Name,
  UIR_SCALAR_OPS(UIR_SCALAR_OP)
#undef UIR_SCALAR_OP
};

/*! \brief Precedence of Python expressions, the loosest first. */
enum class Precedence : int8_t {
  kNone,
  kLambda,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPower,
  kPrimary,
};

/*! \brief The next tighter one. */
constexpr Precedence Above(Precedence precedence) {
  return static_cast<Precedence>(static_cast<int8_t>(precedence) + 1);
}

/*! \brief The spellings of an operation. */
struct ScalarOpRow {
  ScalarOp op;
  /*! \brief The symbol in Python; empty if it has none. */
  std::string_view symbol;
  /*! \brief The operator on tensors, without its namespace; empty if there is none. */
  std::string_view tensor_op;
  Precedence precedence;
};

/*! \brief The row of an operation. */
const ScalarOpRow& RowOf(ScalarOp op);
/*! \brief The row of the infix operator with which a text begins, the longest one; null for none.
 */
const ScalarOpRow* FindPrefix(std::string_view text);
/*! \brief The operation on two operands with a symbol. */
std::optional<ScalarOp> FindSymbol(std::string_view symbol);
/*! \brief The operation that an operator on tensors applies to two elements. */
std::optional<ScalarOp> FindTensorOp(std::string_view name);

constexpr bool IsDivision(ScalarOp op) { return ScalarOp::kDiv <= op && op <= ScalarOp::kFloorMod; }
constexpr bool IsComparison(ScalarOp op) { return ScalarOp::kEQ <= op && op <= ScalarOp::kGE; }
constexpr bool IsLogical(ScalarOp op) { return op == ScalarOp::kAnd || op == ScalarOp::kOr; }
constexpr bool IsBitwise(ScalarOp op) {
  return ScalarOp::kBitAnd <= op && op <= ScalarOp::kShiftRight;
}

/*! \brief The quotient rounded down. \pre `b` is not 0, and the quotient fits. */
constexpr int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/*! \brief The remainder of `FloorDiv`, which has the sign of `b`. \pre `b` is not 0. */
constexpr int64_t FloorMod(int64_t a, int64_t b) {
  if (b == -1) return 0;
  const int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/*!
 * \brief The value of an operation on integers; comparisons and logic give 0 or 1.
 *
 * `kDiv` and `kMod` round towards zero.
 * \return None if it has no value, as divisions by 0, or the value is outside the range of int64.
 */
std::optional<int64_t> Evaluate(ScalarOp op, int64_t a, int64_t b);
/*! \brief The same, with values modulo 2^64. */
std::optional<int64_t> EvaluateWrapped(ScalarOp op, int64_t a, int64_t b);
/*!
 * \brief The value of an operation on floating-point numbers; `kFloorDiv` and `kFloorMod` are those
 * of Python.
 * \pre It is not an operation on bits.
 */
double Evaluate(ScalarOp op, double a, double b);

}  // namespace uir::ir

#endif  // UIR_IR_SCALAR_OP_H_
