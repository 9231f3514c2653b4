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

#include <functional>
#include <string>
#include <vector>

#include "../../relay/formula.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Evaluates a text to the expression of an element. */
class ElementFormula {
 public:
  virtual ~ElementFormula() = default;

  /*!
   * \brief The value of a formula: an expression, a number, or another attribute.
   * \throws ValueError if it calls a function that tir lacks.
   */
  ffi::Any Run(const relay::Formula& formula);
  /*! \brief The value of a formula as an element of a data type. */
  ir::PrimExpr Element(const relay::Formula& formula, DLDataType dtype);

 protected:
  /*! \brief The value of a name: an expression, None, or an attribute. */
  virtual ffi::Any NameOf(const relay::Formula& name) = 0;
  /*! \brief Wrap an integer divisor in the check that the operator's call needs. */
  virtual ir::PrimExpr CheckDivisor(const relay::Formula&, ir::PrimExpr divisor) { return divisor; }
  /*! \brief The value of `x[i, j]`; of an attribute by default. */
  virtual ffi::Any RunIndex(const relay::Formula& formula);

 private:
  ffi::Any RunBinary(const relay::Formula& formula);
  ffi::Any RunJunction(const relay::Formula& formula);
  ffi::Any RunConditional(const relay::Formula& formula);
  ffi::Any RunCall(const relay::Formula& formula);
  ffi::Any RunDivisor(const relay::Formula& formula);
};

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
