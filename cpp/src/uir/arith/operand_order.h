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

/*! \brief Whether the operands of an operation are sorted; sums are sorted as a whole. */
inline bool IsOrdered(Case op, DLDataType dtype) {
  return op != Case::kAdd && IsCommutative(op) && !ir::IsFloat(dtype);
}

/*!
 * \brief Orders expressions by their first variables, in the order in which an analyzer has met
 * these, and then by structure; neither names nor addresses count.
 */
class OperandOrder {
 public:
  /*! \brief Below 0 if `a` comes before `b`, above 0 if after it, 0 if both are equal. */
  int Compare(const ir::PrimExpr& a, const ir::PrimExpr& b) { return Compare(a, b, kMostLevels); }

  /*! \brief Meet the first variable of an expression, if it was not met before. */
  void Meet(const ir::PrimExpr& expr) { PlaceOf(expr, kMostLevels); }

 private:
  static constexpr int kMostLevels = 6;

  int Compare(const ir::PrimExpr& a, const ir::PrimExpr& b, int level);
  /*! \brief The place of the first variable; after all others if there is none. */
  int64_t PlaceOf(const ir::PrimExpr& expr, int level);
  int64_t PlaceOfVar(const ir::PrimExpr& var);

  /*! \brief The variables in the order in which they were met. */
  NodeIndex vars_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_OPERAND_ORDER_H_
