/*!
 * \file sub_expressions.h
 * \brief The expressions that a node consists of, by their place.
 */
#ifndef UIR_ARITH_SUB_EXPRESSIONS_H_
#define UIR_ARITH_SUB_EXPRESSIONS_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <vector>

namespace uir::arith {

/*! \brief The parts of an expression that are expressions, in order of their fields. */
std::vector<ir::PrimExpr> SubExpressionsOf(const ir::PrimExpr& expr);

/*! \brief The same expression with another part in a place. */
ir::PrimExpr WithSubExpression(const ir::PrimExpr& expr, int64_t place, const ir::PrimExpr& part);

}  // namespace uir::arith

#endif  // UIR_ARITH_SUB_EXPRESSIONS_H_
