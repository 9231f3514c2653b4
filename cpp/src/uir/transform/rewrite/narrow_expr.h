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

namespace uir::transform {

/*! \brief Whether a type is a signed integer type of more bits. */
inline bool IsWider(DLDataType dtype, int bits) {
  return dtype.code == kDLInt && dtype.bits > bits;
}

/*! \brief Whether what several nodes hold is worth remembering: a leaf is looked at as fast. */
inline bool IsSharedTree(const ir::PrimExpr& expr) {
  return expr.use_count() > 1 && !expr->IsInstance<tir::VarNode>() &&
         !expr->IsInstance<ir::IntImmNode>() && !expr->IsInstance<ir::FloatImmNode>();
}

/*! \brief Checks whether an integer expression and its intermediate results fit a narrower type. */
class FitCheck : public tir::PrimExprFunctor<bool(const ir::PrimExpr&)> {
 public:
  /*! \param analyzer Knows the ranges of variables; it must not learn more while this lives. */
  FitCheck(arith::Analyzer analyzer, int bits);

  /*! \brief The answer about a whole expression, which is remembered. */
  bool Fits(const ir::PrimExpr& expr) { return Look(expr).fits; }
  /*! \brief Whether a whole expression fits, and is arithmetic on variables and constants alone. */
  bool IsPlain(const ir::PrimExpr& expr) { return Look(expr).fits && Look(expr).is_plain; }
  bool VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  bool VisitDefault(const ir::PrimExprNode* op) override;
  bool VisitBinaryOp(const tir::BinaryOpNode* op) override;
  bool VisitSelect(const tir::SelectNode* op) override;
  bool VisitRamp(const tir::RampNode* op) override;
  bool VisitBroadcast(const tir::BroadcastNode* op) override;

 private:
  struct Answer {
    bool fits;
    bool is_plain;
  };
  Answer Look(const ir::PrimExpr& expr);

  arith::Analyzer analyzer_;
  arith::Interval range_;
  /*! \brief Whether what has been visited of the present expression is plain. */
  bool is_plain_ = true;
  /*! \brief Answers about whole expressions. */
  std::unordered_map<const ir::PrimExprNode*, Answer> answers_;
  /*! \brief Answers about nodes that several others hold. */
  std::unordered_map<const ir::PrimExprNode*, bool> known_;
};

/*! \brief What variables have become. */
using NarrowVars = std::unordered_map<const tir::VarNode*, tir::Var>;

/*!
 * \brief Writes an expression that `FitCheck` holds of in a narrower type.
 *
 * `rest` handles anything but arithmetic, and its result is converted.
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
