/*!
 * \file modular_set.h
 * \brief Congruence analysis of integer expressions, bottom-up, like TVM's `ModularSetAnalyzer`.
 */
#ifndef UIR_ARITH_MODULAR_SET_H_
#define UIR_ARITH_MODULAR_SET_H_

#include <uir/arith/integer_domain.h>
#include <uir/tir/prim_expr_functor.h>

#include "./const_fold.h"
#include "./memo_table.h"

namespace uir::arith {

class Queries;

/*!
 * \brief Computes congruences (Granger, "Static analysis of arithmetical congruences", 1989).
 *
 * Wrap-around arithmetic gives no information: a wrapped sum of multiples of 3 need not be one.
 */
class ModularSetAnalyzer : public tir::PrimExprFunctor<Congruence(const ir::PrimExpr&)> {
 public:
  explicit ModularSetAnalyzer(Queries* known) : known_(known) {}

  Congruence VisitPrimExpr(const ir::PrimExpr& expr) override;
  void ClearMemo() { memo_.Clear(); }

 protected:
  Congruence VisitDefault(const ir::PrimExprNode* op) override;
  Congruence VisitIntImm(const ir::IntImmNode* op) override;
  Congruence VisitVar(const tir::VarNode* op) override;
  Congruence VisitBinaryOp(const tir::BinaryOpNode* op) override;
  Congruence VisitSelect(const tir::SelectNode* op) override;
  Congruence VisitCast(const tir::CastNode* op) override;
  Congruence VisitLet(const tir::LetNode* op) override;
  Congruence VisitCall(const tir::CallNode* op) override;

 private:
  /*! \brief The congruence of a sum or product that may wrap around in its type. */
  Congruence Fit(const tir::BinaryOpNode* op, Congruence exact);
  Congruence Divide(const tir::BinaryOpNode* op, Case kind);

  Queries* known_;
  MemoTable<Congruence> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_MODULAR_SET_H_
