// Index expressions in a narrower type.
#include "./narrow_expr.h"

#include <tvm/ffi/cast.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include "../../arith/const_fold.h"

namespace uir::transform {

using ir::PrimExpr;

FitCheck::FitCheck(arith::Analyzer analyzer, int bits)
    : analyzer_(std::move(analyzer)), range_(arith::IntervalOf(ir::IntType(bits))) {}

FitCheck::Answer FitCheck::Look(const PrimExpr& expr) {
  if (expr->IsInstance<tir::VarNode>()) return {VisitPrimExpr(expr), true};
  const auto found = answers_.find(expr.get());
  if (found != answers_.end()) return found->second;
  is_plain_ = true;
  const bool fits = VisitPrimExpr(expr);
  return answers_.emplace(expr.get(), Answer{fits, is_plain_}).first->second;
}

bool FitCheck::VisitPrimExpr(const PrimExpr& expr) {
  if (const auto* constant = expr.as<ir::IntImmNode>()) {
    return range_.Contains(arith::Interval::Point(constant->value));
  }
  if (!range_.Contains(analyzer_->BoundOf(expr))) return false;
  if (!IsSharedTree(expr)) return PrimExprFunctor::VisitPrimExpr(expr);
  is_plain_ = false;
  const auto found = known_.find(expr.get());
  if (found != known_.end()) return found->second;
  const bool fits = PrimExprFunctor::VisitPrimExpr(expr);
  known_.emplace(expr.get(), fits);
  return fits;
}

bool FitCheck::VisitDefault(const ir::PrimExprNode* op) {
  is_plain_ = is_plain_ && op->IsInstance<tir::VarNode>();
  return true;
}

bool FitCheck::VisitBinaryOp(const tir::BinaryOpNode* op) {
  return VisitPrimExpr(op->a) && VisitPrimExpr(op->b);
}

bool FitCheck::VisitSelect(const tir::SelectNode* op) {
  is_plain_ = false;
  return VisitPrimExpr(op->true_value) && VisitPrimExpr(op->false_value);
}

bool FitCheck::VisitRamp(const tir::RampNode* op) {
  return VisitPrimExpr(op->base) && VisitPrimExpr(op->stride);
}

bool FitCheck::VisitBroadcast(const tir::BroadcastNode* op) { return VisitPrimExpr(op->value); }

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
  const auto kind = static_cast<arith::Case>(tir::kPrimExprCases.CaseOf(op));
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
  // An integer that was converted to a wider type need not be.
  const bool is_narrow = op->value->dtype.code == kDLInt && op->value->dtype.bits <= bits_;
  if (!is_narrow) return VisitDefault(op);
  return tir::cast(rest_(op->value), Narrow(op->dtype));
}

}  // namespace uir::transform
