/*!
 * \file element_formula.h
 * \brief Expressions of elements, from texts such as `max(x, 0)`.
 *
 * In: a parsed text and the values of its names. Out: expressions of tir, or numbers if the text
 * has only numbers and attributes.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_ELEMENT_FORMULA_H_
#define UIR_TRANSFORM_LOWER_OPS_ELEMENT_FORMULA_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "../../relay/formula.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Evaluates a text to an expression, a number, or another attribute. */
class ElementFormula : public ir::FormulaEvaluator {
 public:
  /*! \brief The value of a formula as an element of a data type. */
  ir::PrimExpr Element(const ir::Formula& formula, DLDataType dtype);

 protected:
  /*! \brief Wrap an integer divisor in the check that the operator's call needs. */
  virtual ir::PrimExpr CheckDivisor(const ir::Formula&, ir::PrimExpr divisor) { return divisor; }
  /*! \brief The value of `x[i, j]`; of an attribute by default. */
  ffi::Any RunIndex(const ir::Formula& formula) override;
  ffi::Any RunCall(const ir::Formula& formula) override;
  ffi::Any RunList(const ir::Formula& list) override;
  ffi::Any Apply(const ir::Formula& formula, const ffi::Any& a, const ffi::Any& b) override;
  ffi::Any Choose(const ir::Formula& formula, const ffi::Any& condition) override;
  /*! \brief The value of a plain integer: operations on expressions keep their data type. */
  std::optional<int64_t> AsInteger(const ffi::Any& value) const override;

 private:
  /*! \brief The value of a divisor, with a check for an integer that may be 0. */
  ffi::Any Divisor(const ir::Formula& formula, ffi::Any value);
};

/*! \brief The number of occurrences of a name in a formula. */
int CountOfName(const ir::Formula& formula, std::string_view name);

/*!
 * \brief The result of `body` for a value that it uses more than once.
 *
 * A computed value is bound to a variable, so that its expression is not duplicated.
 */
ir::PrimExpr WithVariable(const ir::PrimExpr& value,
                          const std::function<ir::PrimExpr(const ir::PrimExpr&)>& body);

/*! \brief The greater one of `a` and `b`; NaN if either is. */
ir::PrimExpr MaxOrNan(const ir::PrimExpr& a, const ir::PrimExpr& b);

/*! \brief The lesser one of `a` and `b`; NaN if either is. */
ir::PrimExpr MinOrNan(const ir::PrimExpr& a, const ir::PrimExpr& b);

/*! \brief A number converted to a data type; it wraps around in an unsigned one. */
ir::PrimExpr NumberIn(const ffi::Any& number, DLDataType dtype);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_ELEMENT_FORMULA_H_
