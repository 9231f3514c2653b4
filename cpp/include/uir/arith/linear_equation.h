/*!
 * \file uir/arith/linear_equation.h
 * \brief Expressions that are linear in some variables.
 */
#ifndef UIR_ARITH_LINEAR_EQUATION_H_
#define UIR_ARITH_LINEAR_EQUATION_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace uir::arith {

/*! \brief `coeffs[0] * vars[0] + coeffs[1] * vars[1] + ... + rest`. */
struct LinearEquation {
  std::vector<int64_t> coeffs;
  /*! \brief The remainder, without the variables. */
  ir::PrimExpr rest;
};

/*!
 * \brief Write a scalar `int32` or `int64` expression as a sum of multiples of variables.
 * \param analyzer The facts about the variables.
 * \param expr The expression.
 * \param vars The variables.
 * \return `nullopt` if the expression is not such a sum.
 */
std::optional<LinearEquation> DetectLinearEquation(const Analyzer& analyzer,
                                                   const ir::PrimExpr& expr,
                                                   const std::vector<tir::Var>& vars);

}  // namespace uir::arith

#endif  // UIR_ARITH_LINEAR_EQUATION_H_
