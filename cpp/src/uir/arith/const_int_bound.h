/*!
 * \file const_int_bound.h
 * \brief Interval analysis of integer expressions, bottom-up, like TVM's `ConstIntBoundAnalyzer`.
 */
#ifndef UIR_ARITH_CONST_INT_BOUND_H_
#define UIR_ARITH_CONST_INT_BOUND_H_

#include <uir/arith/integer_domain.h>
#include <uir/tir/prim_expr_functor.h>

#include "./const_fold.h"
#include "./memo_table.h"

namespace uir::arith {

class Queries;

/*! \brief The values of an arithmetic operation before they are brought into a type. */
Interval Apply(Case op, Interval a, Interval b);

/*! \brief Computes bounds of integer expressions; others have none. */
class ConstIntBoundAnalyzer : public tir::PrimExprFunctor<Interval(const ir::PrimExpr&)> {
 public:
  explicit ConstIntBoundAnalyzer(Queries* known) : known_(known) {}

  /*! \brief Bounds of the value that an expression has. */
  Interval VisitPrimExpr(const ir::PrimExpr& expr) override;
  /*! \brief Bounds of what sums and products are before they are brought into their type. */
  virtual Interval Exact(const ir::PrimExpr& expr);
  void ClearMemo() {
    memo_.Clear();
    exact_memo_.Clear();
  }

 protected:
  Interval VisitDefault(const ir::PrimExprNode* op) override;
  Interval VisitIntImm(const ir::IntImmNode* op) override;
  Interval VisitVar(const tir::VarNode* op) override;
  Interval VisitSizeVar(const tir::SizeVarNode* op) override;
  Interval VisitBinaryOp(const tir::BinaryOpNode* op) override;
  Interval VisitSelect(const tir::SelectNode* op) override;
  Interval VisitCast(const tir::CastNode* op) override;
  Interval VisitLet(const tir::LetNode* op) override;
  Interval VisitRamp(const tir::RampNode* op) override;
  Interval VisitBroadcast(const tir::BroadcastNode* op) override;
  Interval VisitCall(const tir::CallNode* op) override;

 private:
  /*! \brief Bounds of a value, of those that it has before it is brought into its type. */
  Interval Fit(const ir::PrimExprNode* op, Interval exact);
  Interval FitQuotient(const tir::BinaryOpNode* op, Interval a, Interval b, Interval quotient);
  Interval ExactOfRing(const ir::PrimExpr& expr, Case op);
  Interval ExactOfRamp(const tir::RampNode* op);
  Interval ThroughFloat(const tir::CastNode* op);

  Queries* known_;
  MemoTable<Interval> memo_;
  MemoTable<Interval> exact_memo_;
};

/*! \brief Computes bounds of sums from stated inequalities too, which takes longer. */
class FactBoundAnalyzer : public ConstIntBoundAnalyzer {
 public:
  explicit FactBoundAnalyzer(Queries* known) : ConstIntBoundAnalyzer(known), known_(known) {}

  Interval VisitPrimExpr(const ir::PrimExpr& expr) override;

 private:
  Queries* known_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CONST_INT_BOUND_H_
