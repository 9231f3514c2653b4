/*!
 * \file operator_formula.h
 * \brief Expressions of operators, from texts such as `exp(x) / sum(exp(x), axis)`.
 *
 * In: a parsed text and the values of its names. Out: calls of the operators of one namespace.
 * An infix operator becomes a call if an operand is an expression, and is computed for two numbers.
 * Functions of attributes (`rank(x)`, `shape(x)`) are computed when the calls are made.
 */
#ifndef UIR_TRANSFORM_REWRITE_OPERATOR_FORMULA_H_
#define UIR_TRANSFORM_REWRITE_OPERATOR_FORMULA_H_

#include <uir/ir/expr.h>

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../relay/formula.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The operator for an infix sign; empty if there is none. */
std::string_view OperatorOfSign(std::string_view sign);

/*! \brief Computes an attribute from operands and attributes. */
using AttributeFunction = ffi::Any (*)(const std::vector<ffi::Any>& arguments);

/*! \brief The function of attributes with a name; null if unknown. */
AttributeFunction FindAttributeFunction(std::string_view name);

/*!
 * \brief Whether a value is a constant tensor all of whose elements equal a number, bit for bit.
 * \param value The value; false for anything but a constant.
 * \param number A number or a truth value that fits the data type, else false.
 */
bool IsUniform(const ffi::Any& value, const ffi::Any& number);

/*! \brief A text of assignments and a result: `p = exp(x); p / sum(p)`. */
struct FormulaSteps {
  /*! \brief The names in it, by slot. */
  std::vector<std::string> names;
  /*! \brief The assigned formulas, by the slot of the name. */
  std::unordered_map<int, relay::Formula> steps;
  relay::Formula result;
};

/*!
 * \brief Parse the canonical text of a `decompose`.
 * \throws ValueError if it does not parse.
 */
FormulaSteps ParseSteps(std::string_view text);

/*! \brief Makes the calls of one text. */
class FormulaBuilder {
 public:
  /*! \brief Binds an operand that is a call to a variable, or returns an atom for it. */
  using Bind = std::function<ir::RelayExpr(const ir::RelayExpr&)>;

  /*!
   * \param ns The namespace of the operators.
   * \param values The values of the names, by slot: an expression, None for an absent operand, or
   * an attribute.
   * \param bind Binds operands; called once for all parts with the same text.
   * \param steps The formulas of names without a value, each evaluated at its first use.
   * \param span The source location of the calls.
   */
  FormulaBuilder(std::string ns, const std::vector<ffi::Any>* values, Bind bind,
                 const FormulaSteps* steps = nullptr, ffi::Optional<ir::Span> span = std::nullopt)
      : ns_(std::move(ns)),
        values_(values),
        bind_(std::move(bind)),
        steps_(steps),
        span_(std::move(span)) {}

  /*!
   * \brief The value of a formula.
   * \throws ValueError if an operator or a function is not known.
   * \throws TypeError if an operator does not take its operands.
   */
  ffi::Any Run(const relay::Formula& formula);

 private:
  /*! \brief The formula assigned to a name; null for any other formula. */
  const relay::Formula* StepOf(const relay::Formula& formula) const;
  ffi::Any RunName(const relay::Formula& formula);
  ffi::Any RunBinary(const relay::Formula& formula);
  ffi::Any RunCall(const relay::Formula& formula);
  ffi::Any RunIndex(const relay::Formula& formula);
  ffi::Any RunOperator(const std::string& name, const std::vector<relay::Formula>& parts);
  ffi::Any Operand(const relay::Formula& formula);
  ffi::Array<ffi::Any> Elements(const relay::Formula& list);

  std::string ns_;
  const std::vector<ffi::Any>* values_;
  Bind bind_;
  const FormulaSteps* steps_;
  ffi::Optional<ir::Span> span_;
  /*! \brief The operands so far, by text. */
  std::unordered_map<std::string, ir::RelayExpr> bound_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_OPERATOR_FORMULA_H_
