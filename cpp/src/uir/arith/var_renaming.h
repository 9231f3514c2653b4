/*!
 * \file var_renaming.h
 * \brief One variable in the place of another.
 */
#ifndef UIR_ARITH_VAR_RENAMING_H_
#define UIR_ARITH_VAR_RENAMING_H_

#include <uir/tir/prim_expr_functor.h>
#include <uir/tir/var.h>

#include <utility>

#include "./const_fold.h"
#include "./memo_table.h"

namespace uir::arith {

/*! \brief Puts one variable in the place of another. */
class Renaming : public tir::PrimExprMutator {
 public:
  Renaming(tir::Var before, tir::Var after)
      : before_(std::move(before)), after_(std::move(after)) {}

  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override {
    if (IsLeaf(CaseOf(expr))) return expr;
    if (const ir::PrimExpr* known = memo_.Find(expr)) return *known;
    ir::PrimExpr result = PrimExprMutator::VisitPrimExpr(expr);
    memo_.Set(expr, result);
    return result;
  }

 protected:
  ir::PrimExpr VisitVar(const tir::VarNode* op) override {
    return op == before_.get() ? after_ : ffi::GetRef<ir::PrimExpr>(op);
  }

 private:
  tir::Var before_;
  tir::Var after_;
  Memo<ir::PrimExpr> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_VAR_RENAMING_H_
