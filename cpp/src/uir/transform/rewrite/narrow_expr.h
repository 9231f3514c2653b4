/*!
 * \file narrow_expr.h
 * \brief Index expressions in a narrower type.
 */
#ifndef UIR_TRANSFORM_REWRITE_NARROW_EXPR_H_
#define UIR_TRANSFORM_REWRITE_NARROW_EXPR_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/tir/var.h>

#include <functional>
#include <unordered_map>
#include <utility>

#include "../../arith/const_fold.h"
#include "../../arith/const_int_bound.h"
#include "../analysis/variable_ranges.h"

namespace uir::transform {

/*! \brief Whether to cache results for a shared expression; visiting a leaf costs no more. */
inline bool IsSharedTree(const ir::PrimExpr& expr) {
  return expr.use_count() > 1 && !expr->IsInstance<tir::VarNode>() &&
         !expr->IsInstance<ir::IntImmNode>() && !expr->IsInstance<ir::FloatImmNode>();
}

/*!
 * \brief Checks whether an integer expression and its intermediate results fit a narrower type.
 *
 * Each node is visited once, for its bound and for whether that fits.
 */
class FitCheck : public arith::ConstIntBoundAnalyzer {
 public:
  /*! \param analyzer Knows the ranges of variables, and must not change meanwhile. */
  FitCheck(arith::Analyzer analyzer, int bits);

  /*! \brief Whether a whole expression fits; the answer is cached. */
  bool Fits(const ir::PrimExpr& expr) { return Look(expr).fits; }
  /*! \brief Whether a whole expression fits, and uses only arithmetic, variables and constants. */
  bool IsPlain(const ir::PrimExpr& expr) {
    const Answer answer = Look(expr);
    return answer.fits && answer.is_plain;
  }
  arith::Interval VisitPrimExpr(const ir::PrimExpr& expr) override;
  arith::Interval Exact(const ir::PrimExpr& expr) override;

 protected:
  arith::Interval VisitDefault(const ir::PrimExprNode* op) override;
  arith::Interval VisitSelect(const tir::SelectNode* op) override;
  arith::Interval VisitCast(const tir::CastNode* op) override;
  arith::Interval VisitLet(const tir::LetNode* op) override;
  arith::Interval VisitCall(const tir::CallNode* op) override;

 private:
  struct Answer {
    bool fits;
    bool is_plain;
  };
  struct Known {
    arith::Interval bound;
    bool fits;
  };
  Answer Look(const ir::PrimExpr& expr);
  arith::Interval VisitShared(const ir::PrimExpr& expr);
  arith::Interval VisitNode(const ir::PrimExpr& expr, arith::Case op);
  template <typename Visit>
  arith::Interval VisitWide(Visit visit);

  arith::Analyzer analyzer_;
  arith::Interval range_;
  /*! \brief Whether the visited part of the present expression fits. */
  bool fits_ = true;
  /*! \brief Whether the visited part uses only arithmetic, variables and constants. */
  bool is_plain_ = true;
  /*! \brief The answers about whole expressions. */
  std::unordered_map<const ir::PrimExprNode*, Answer> answers_;
  /*! \brief The results for shared nodes. */
  std::unordered_map<const ir::PrimExprNode*, Known> known_;
  /*! \brief Whether the operands of shared sums fit; the base class caches their bounds. */
  std::unordered_map<const ir::PrimExprNode*, bool> sums_;
};

/*! \brief The narrow variables that replace wide ones. */
using NarrowVars = std::unordered_map<const tir::VarNode*, tir::Var>;

/*!
 * \brief Rewrites an expression that passes `FitCheck` in a narrower type.
 *
 * `rest` rewrites all nodes that are not arithmetic; its results are cast.
 */
class Narrower : public tir::PrimExprFunctor<ir::PrimExpr(const ir::PrimExpr&)> {
 public:
  using Rest = std::function<ir::PrimExpr(const ir::PrimExpr&)>;

  Narrower(const NarrowVars* vars, int bits, Rest rest)
      : vars_(vars), bits_(bits), rest_(std::move(rest)) {}

  ir::PrimExpr VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  ir::PrimExpr VisitDefault(const ir::PrimExprNode* op) override;
  ir::PrimExpr VisitIntImm(const ir::IntImmNode* op) override;
  ir::PrimExpr VisitVar(const tir::VarNode* op) override;
  ir::PrimExpr VisitBinaryOp(const tir::BinaryOpNode* op) override;
  ir::PrimExpr VisitSelect(const tir::SelectNode* op) override;
  ir::PrimExpr VisitRamp(const tir::RampNode* op) override;
  ir::PrimExpr VisitBroadcast(const tir::BroadcastNode* op) override;
  ir::PrimExpr VisitCast(const tir::CastNode* op) override;

 private:
  DLDataType Narrow(DLDataType dtype) const { return ir::IntType(bits_, ir::LanesOf(dtype)); }

  const NarrowVars* vars_;
  int bits_;
  Rest rest_;
  std::unordered_map<const ir::PrimExprNode*, std::pair<ir::PrimExpr, ir::PrimExpr>> known_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_NARROW_EXPR_H_
