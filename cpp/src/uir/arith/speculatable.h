/*!
 * \file speculatable.h
 * \brief Whether a choice's value may be simplified under its condition.
 */
#ifndef UIR_ARITH_SPECULATABLE_H_
#define UIR_ARITH_SPECULATABLE_H_

#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/prim_expr_functor.h>

#include "./const_fold.h"
#include "./intrinsic.h"

namespace uir::arith {

/*! \brief Checks whether an expression may be simplified under a condition. */
class SpeculationCheck : public tir::PrimExprVisitor {
 public:
  /*! \brief Whether an expression has few nodes; shared nodes count each time. */
  static bool IsSmall(const ir::PrimExpr& expr) {
    SpeculationCheck check;
    check.VisitPrimExpr(expr);
    return check.num_left_ > 0;
  }

  /*! \brief Whether an expression is small, and has a value for all values of its variables. */
  static bool IsTotal(const ir::PrimExpr& expr) {
    SpeculationCheck check;
    check.VisitPrimExpr(expr);
    return check.num_left_ > 0 && check.is_total_;
  }

  void VisitPrimExpr(const ir::PrimExpr& expr) override {
    if (num_left_-- > 0) PrimExprVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitBinaryOp(const tir::BinaryOpNode* op) override {
    if (IsDivision(CaseOf(op)) && IntConstOf(op->b).value_or(0) == 0) is_total_ = false;
    PrimExprVisitor::VisitBinaryOp(op);
  }
  void VisitBufferLoad(const tir::BufferLoadNode*) override { is_total_ = false; }
  void VisitProducerLoad(const tir::ProducerLoadNode*) override { is_total_ = false; }
  void VisitCall(const tir::CallNode* op) override {
    if (IntrinsicOf(op) != Intrinsic::kIfThenElse) is_total_ = false;
    PrimExprVisitor::VisitCall(op);
  }

 private:
  int num_left_ = 64;
  bool is_total_ = true;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_SPECULATABLE_H_
