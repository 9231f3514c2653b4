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

#include "../../ir/formula.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

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
  std::unordered_map<int, ir::Formula> steps;
  ir::Formula result;
};

/*!
 * \brief Parse the canonical text of a `decompose`.
 * \throws ValueError if it does not parse.
 */
FormulaSteps ParseSteps(std::string_view text);

/*! \brief Makes the calls of one text. */
class FormulaBuilder : public ir::FormulaEvaluator {
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

 protected:
  ffi::Any RunName(const ir::Formula& formula) override;
  /*!
   * \throws ValueError if an operator or a function is not known.
   * \throws TypeError if an operator does not take its operands.
   */
  ffi::Any RunCall(const ir::Formula& formula) override;
  ffi::Any RunIndex(const ir::Formula& formula) override;
  ffi::Any Apply(const ir::Formula& formula, const ffi::Any& a, const ffi::Any& b) override;
  ffi::Any Choose(const ir::Formula& formula, const ffi::Any& condition) override;
  /*! \brief The value of an operand: an atom, or an attribute. */
  ffi::Any RunPart(const ir::Formula& formula) override;

 private:
  /*! \brief The formula assigned to a name; null for any other formula. */
  const ir::Formula* StepOf(const ir::Formula& formula) const;
  ffi::Any RunOperator(std::string_view name, const std::vector<ir::Formula>& parts);

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
