/*!
 * \file c_expr.h
 * \brief Expressions of C: their text, and the properties by which they are combined.
 */
#ifndef UIR_TARGET_C_EXPR_H_
#define UIR_TARGET_C_EXPR_H_

#include <string>
#include <utility>

namespace uir::target {

/*! \brief How tightly the outermost operator of an expression binds; tighter ones are greater. */
enum class Binding {
  kTernary,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kRelation,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary,
};

/*! \brief An expression of C. */
struct CExpr {
  std::string code;
  Binding binding = Binding::kPrimary;
  /*! \brief Whether the C type is at least as wide as the data type; a literal may be an `int`. */
  bool is_typed = true;
  /*! \brief Whether the value is in the range of the data type, not only equal modulo 2^bits. */
  bool is_wrapped = true;
  /*! \brief Whether the value depends on the present contents of memory. */
  bool reads_memory = false;
  /*! \brief Bits of a lane of a mask of vectors, whose lanes are 0 or -1. */
  int mask_bits = 0;
};

/*! \brief The text of an operand of an operator, in parentheses if it binds less tightly. */
inline std::string Operand(const CExpr& expr, Binding least) {
  return expr.binding < least ? "(" + expr.code + ")" : expr.code;
}

/*! \brief The next tighter binding, which the right operand of an operator needs. */
inline Binding Tighter(Binding binding) {
  return static_cast<Binding>(static_cast<int>(binding) + 1);
}

/*! \brief The text of a conversion. */
inline std::string Converted(const std::string& type, const CExpr& expr) {
  return "(" + type + ")" + Operand(expr, Binding::kUnary);
}

}  // namespace uir::target

#endif  // UIR_TARGET_C_EXPR_H_
