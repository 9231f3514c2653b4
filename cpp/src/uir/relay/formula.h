/*!
 * \file formula.h
 * \brief Expressions in the rules of operators: parsed once, evaluated for each call.
 *
 * They have names, numbers and lists; the caller gives names their values.
 */
#ifndef UIR_SRC_RELAY_FORMULA_H_
#define UIR_SRC_RELAY_FORMULA_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <uir/ir/expr.h>
#include <uir/relay/type_context.h>

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uir::relay {

/*! \brief The kind of an expression; the comments list its parts. */
enum class FormulaKind : uint8_t {
  kInteger,
  kFloat,
  kName,
  kNegate,
  kNot,
  /*! \brief A `DimensionOp` on two parts. */
  kBinary,
  /*! \brief Value, condition, other value: `a if c else b`. */
  kConditional,
  /*! \brief A function of the parts, by name. */
  kCall,
  /*! \brief The list and the index, or the tensor and its indices. */
  kIndex,
  /*! \brief `*b` among indices: any number of them. */
  kPack,
  kList,
  /*! \brief A named argument of a call: its value. */
  kKeyword,
};

struct Formula {
  FormulaKind kind = FormulaKind::kInteger;
  DimensionOp op = DimensionOp::kAdd;
  int64_t integer = 0;
  double real = 0;
  /*! \brief The index of a name in the table that the parser filled. */
  int slot = 0;
  std::string name;
  std::vector<Formula> parts;
};

/*! \brief A value of a formula: None, a number, a dimension, or an array of values. */
using RuleValue = ffi::Any;

/*! \brief The values of names, by slot; `nullopt` for a name without a value so far. */
using RuleValues = std::pmr::vector<std::optional<RuleValue>>;

/*! \brief The value of an integer, a boolean or a constant dimension; else `nullopt`. */
std::optional<int64_t> IntegerOf(const RuleValue& value);

/*! \brief The elements of an array; null for another value. */
const ffi::ArrayObj* ListOf(const RuleValue& value);

/*! \brief A constant dimension. */
ir::PrimExpr Dimension(int64_t value);

/*! \brief The value as a dimension. \pre It is an integer or an expression. */
ir::PrimExpr AsDimension(const RuleValue& value);

/*!
 * \brief The result of an operation; constants are computed at once.
 * \throws TypeError if an operand is not an integer or an expression.
 * \throws ValueError for a division by zero, and for a result outside the range of int64.
 */
RuleValue Compute(DimensionOp op, const RuleValue& a, const RuleValue& b, TypeContext* context);

/*!
 * \brief Parse an expression in Python's syntax.
 * \param text The text.
 * \param names The names so far; new ones are added.
 * \throws ValueError if it does not parse.
 */
Formula ParseFormula(std::string_view text, std::vector<std::string>* names);

/*!
 * \brief The value of an expression.
 * \param formula The expression.
 * \param slots The values of the names.
 * \param context Computes operations on dimensions that are not constant.
 * \throws ValueError for a division by zero, an index out of range, or a name without a value.
 */
RuleValue Evaluate(const Formula& formula, const RuleValues& slots, TypeContext* context);

/*! \brief The text of an expression, for messages. */
std::string ToText(const Formula& formula);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_FORMULA_H_
