// Index expressions in a narrower type.
#include "./narrow_expr.h"

#include <tvm/ffi/cast.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include "../../arith/analyzer_state.h"

namespace uir::transform {

using arith::Interval;
using ir::PrimExpr;

FitCheck::FitCheck(arith::Analyzer analyzer, int bits)
    : ConstIntBoundAnalyzer(&arith::StateOf(analyzer.get())),
      analyzer_(std::move(analyzer)),
      range_(arith::IntervalOf(ir::IntType(bits))) {}

FitCheck::Answer FitCheck::Look(const PrimExpr& expr) {
  const bool is_var = expr->IsInstance<tir::VarNode>();
  const auto found = is_var ? answers_.end() : answers_.find(expr.get());
  if (found != answers_.end()) return found->second;
  fits_ = true;
  is_plain_ = true;
  VisitPrimExpr(expr);
  const Answer answer{fits_, is_plain_};
  // Visiting a variable costs no more than a lookup in the table.
  if (!is_var) answers_.emplace(expr.get(), answer);
  return answer;
}

Interval FitCheck::VisitPrimExpr(const PrimExpr& expr) {
  const arith::Case op = arith::CaseOf(expr);
  const bool is_leaf = arith::IsLeaf(op) || op == arith::Case::kVar || op == arith::Case::kSizeVar;
  return is_leaf || expr.use_count() <= 1 ? VisitNode(expr, op) : VisitShared(expr);
}

Interval FitCheck::VisitShared(const PrimExpr& expr) {
  is_plain_ = false;
  auto found = known_.find(expr.get());
  if (found == known_.end()) {
    const bool outer = std::exchange(fits_, true);
    const Interval bound = VisitNode(expr, arith::CaseOf(expr));
    found = known_.emplace(expr.get(), Known{bound, fits_}).first;
    fits_ = outer;
  }
  fits_ = fits_ && found->second.fits;
  return found->second.bound;
}

// The base class caches the bound of a shared sum and does not visit its operands again, so whether
// these fit is cached too.
Interval FitCheck::Exact(const PrimExpr& expr) {
  if (!IsSharedTree(expr)) return ConstIntBoundAnalyzer::Exact(expr);
  is_plain_ = false;
  const bool outer = std::exchange(fits_, true);
  const Interval exact = ConstIntBoundAnalyzer::Exact(expr);
  fits_ = sums_.emplace(expr.get(), fits_).first->second && outer;
  return exact;
}

Interval FitCheck::VisitNode(const PrimExpr& expr, arith::Case op) {
  Interval bound;
  if (op == arith::Case::kIntImm) {
    bound = Interval::Point(static_cast<const ir::IntImmNode*>(expr.get())->value);
  } else if (op == arith::Case::kVar) {
    bound = VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  } else if (ir::IsInteger(expr->dtype)) {
    // Only the ranges of variables are known, so `ConstIntBoundAnalyzer` would do no more.
    bound = PrimExprFunctor::VisitPrimExpr(expr);
  } else {
    is_plain_ = false;
    bound = arith::IntervalOf(expr->dtype);
  }
  fits_ = fits_ && !bound.IsEmpty() && range_.Contains(bound);
  return bound;
}

/*! \brief Visit a node with wide operands, so that only its own value must fit. */
template <typename Visit>
Interval FitCheck::VisitWide(Visit visit) {
  is_plain_ = false;
  const bool outer = fits_;
  const Interval bound = visit();
  fits_ = outer;
  return bound;
}

Interval FitCheck::VisitDefault(const ir::PrimExprNode* op) {
  is_plain_ = false;
  return ConstIntBoundAnalyzer::VisitDefault(op);
}

Interval FitCheck::VisitSelect(const tir::SelectNode* op) {
  is_plain_ = false;
  return ConstIntBoundAnalyzer::VisitSelect(op);
}

Interval FitCheck::VisitCast(const tir::CastNode* op) {
  return VisitWide([&] { return ConstIntBoundAnalyzer::VisitCast(op); });
}

Interval FitCheck::VisitLet(const tir::LetNode* op) {
  return VisitWide([&] { return ConstIntBoundAnalyzer::VisitLet(op); });
}

Interval FitCheck::VisitCall(const tir::CallNode* op) {
  return VisitWide([&] { return ConstIntBoundAnalyzer::VisitCall(op); });
}

PrimExpr Narrower::VisitPrimExpr(const PrimExpr& expr) {
  if (!IsSharedTree(expr)) return PrimExprFunctor::VisitPrimExpr(expr);
  const auto found = known_.find(expr.get());
  if (found != known_.end()) return found->second.second;
  PrimExpr result = PrimExprFunctor::VisitPrimExpr(expr);
  known_.emplace(expr.get(), std::make_pair(expr, result));
  return result;
}

PrimExpr Narrower::VisitDefault(const ir::PrimExprNode* op) {
  return tir::cast(rest_(tvm::ffi::GetRef<PrimExpr>(op)), Narrow(op->dtype));
}

PrimExpr Narrower::VisitIntImm(const ir::IntImmNode* op) {
  return ir::IntImm(Narrow(op->dtype), op->value, op->span);
}

PrimExpr Narrower::VisitVar(const tir::VarNode* op) {
  const auto found = vars_->find(op);
  return found == vars_->end() ? VisitDefault(op) : PrimExpr(found->second);
}

PrimExpr Narrower::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const auto kind = arith::CaseOf(op);
  return arith::MakeBinary(kind, VisitPrimExpr(op->a), VisitPrimExpr(op->b), op->span);
}

PrimExpr Narrower::VisitSelect(const tir::SelectNode* op) {
  return tir::Select(rest_(op->condition), VisitPrimExpr(op->true_value),
                     VisitPrimExpr(op->false_value), op->span);
}

PrimExpr Narrower::VisitRamp(const tir::RampNode* op) {
  return tir::Ramp(VisitPrimExpr(op->base), VisitPrimExpr(op->stride), op->lanes, op->span);
}

PrimExpr Narrower::VisitBroadcast(const tir::BroadcastNode* op) {
  return tir::Broadcast(VisitPrimExpr(op->value), op->lanes, op->span);
}

PrimExpr Narrower::VisitCast(const tir::CastNode* op) {
  // An integer that was cast to a wider type stays narrow.
  const bool is_narrow = op->value->dtype.code == kDLInt && op->value->dtype.bits <= bits_;
  if (!is_narrow) return VisitDefault(op);
  return tir::cast(rest_(op->value), Narrow(op->dtype));
}

}  // namespace uir::transform
