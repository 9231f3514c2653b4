/*!
 * \file uir/tir/fallible_divisions.h
 * \brief The divisions of a size whose divisor may be 0.
 */
#ifndef UIR_TIR_FALLIBLE_DIVISIONS_H_
#define UIR_TIR_FALLIBLE_DIVISIONS_H_

#include <uir/tir/arith.h>

#include <vector>

namespace uir::tir {

/*!
 * \brief The integer divisions with a variable divisor that an expression always computes.
 *
 * A division comes after those in its operands. Branches of conditional expressions are not
 * searched. The expression keeps the divisions alive.
 */
std::vector<const BinaryOpNode*> FallibleDivisions(const ir::PrimExpr& expr);

}  // namespace uir::tir

#endif  // UIR_TIR_FALLIBLE_DIVISIONS_H_
