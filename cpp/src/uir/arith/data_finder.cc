// Which integers are data: those that depend on memory or on calls with effects.
#include "./data_finder.h"

#include <tschema/stack_guard.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include "./const_fold.h"
#include "./queries.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

/*! \brief Whether an expression is few operations on variables and constants. */
bool IsShortArithmetic(const PrimExpr& expr, int* num_left) {
  const Case op = CaseOf(expr);
  if (IsLeaf(op) || op == Case::kVar || op == Case::kSizeVar) return true;
  if (!IsBinary(op) || --*num_left < 0) return false;
  const Operands operands = OperandsOf(expr.get(), op);
  return IsShortArithmetic(*operands.a, num_left) && IsShortArithmetic(*operands.b, num_left);
}

}  // namespace

bool DataFinder::operator()(const PrimExpr& expr) {
  int num_left = 32;
  if (!known_->constraints.HasData() && IsShortArithmetic(expr, &num_left)) return false;
  found_ = false;
  VisitPrimExpr(expr);
  return found_;
}

void DataFinder::VisitPrimExpr(const PrimExpr& expr) {
  if (found_ || IsLeaf(CaseOf(expr))) return;
  const Case op = CaseOf(expr);
  if (op == Case::kVar || op == Case::kSizeVar) {
    return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  }
  if (op == Case::kBufferLoad) {
    found_ = true;
    return;
  }
  if (const bool* known = memo_.Find(expr)) {
    found_ = *known;
    return;
  }
  // Most nodes that are asked about are sums.
  if (IsBinary(op) && tschema::EnoughStack()) {
    const Operands operands = OperandsOf(expr.get(), op);
    VisitPrimExpr(*operands.a);
    VisitPrimExpr(*operands.b);
  } else {
    PrimExprVisitor::VisitPrimExpr(expr);
  }
  memo_.Add(expr, found_);
}

void DataFinder::VisitVar(const tir::VarNode* op) {
  if (!known_->constraints.HasData()) return;
  const VarFacts* facts = known_->constraints.Find(op);
  found_ = facts != nullptr && facts->is_data;
}

void DataFinder::VisitCall(const tir::CallNode* op) {
  const auto* callee = op->op.as<ir::OpNode>();
  const bool is_pure = callee != nullptr &&
                       tir::effect_kind(ffi::GetRef<ir::Op>(callee)) <= tir::CallEffectKind::kPure;
  if (!is_pure) {
    found_ = true;
    return;
  }
  PrimExprVisitor::VisitCall(op);
}

}  // namespace uir::arith
