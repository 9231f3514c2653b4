/*!
 * \file operand_order.h
 * \brief One order for the operands of sums, products, minima, maxima, equations and conditions.
 */
#ifndef UIR_ARITH_OPERAND_ORDER_H_
#define UIR_ARITH_OPERAND_ORDER_H_

#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>

#include <cstdint>

#include "./const_fold.h"
#include "./node_index.h"

namespace uir::arith {

/*! \brief Whether the operands of an operation have one order; a sum has one as a whole. */
inline bool IsOrdered(Case op, DLDataType dtype) {
  return op != Case::kAdd && IsCommutative(op) && !ir::IsFloat(dtype);
}

/*!
 * \brief Orders expressions by their first variables, as an analyzer has met these, and then by how
 * they are built: neither names nor addresses count.
 */
class OperandOrder {
 public:
  /*! \brief Below 0 if `a` comes before `b`, above 0 if after it, 0 if both are equal. */
  int Compare(const ir::PrimExpr& a, const ir::PrimExpr& b) { return Compare(a, b, kMostLevels); }

  /*! \brief Let the first variable be met now, if it was not before. */
  void Meet(const ir::PrimExpr& expr) { PlaceOf(expr, kMostLevels); }

 private:
  static constexpr int kMostLevels = 6;

  int Compare(const ir::PrimExpr& a, const ir::PrimExpr& b, int level);
  /*! \brief The place of the first variable; behind all others if there is none. */
  int64_t PlaceOf(const ir::PrimExpr& expr, int level);
  int64_t PlaceOfVar(const ir::PrimExpr& var);

  /*! \brief The variables in the order in which they were met. */
  NodeIndex vars_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_OPERAND_ORDER_H_
