// What integer expressions are modulo some number.
#include "./modular_set.h"

#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include <algorithm>
#include <optional>

#include "./analyzer_state.h"
#include "./const_fold.h"
#include "./intrinsic.h"

namespace uir::arith {

using ir::PrimExpr;

Congruence ModularSetAnalyzer::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  if (!IsIndex(expr->dtype)) return {};
  if (op == Case::kVar) return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  if (const Congruence* known = memo_.Find(expr)) return *known;
  const Congruence found = PrimExprFunctor::VisitPrimExpr(expr);
  memo_.Set(expr, found);
  return found;
}

Congruence ModularSetAnalyzer::VisitDefault(const ir::PrimExprNode*) { return {}; }

Congruence ModularSetAnalyzer::VisitIntImm(const ir::IntImmNode* op) {
  return Congruence::Point(op->value);
}

Congruence ModularSetAnalyzer::VisitVar(const tir::VarNode* op) {
  const VarFacts* facts = state_->constraints.Find(op);
  if (facts == nullptr) return {};
  return facts->value.has_value() ? VisitPrimExpr(facts->value.value()) : facts->congruence;
}

Congruence ModularSetAnalyzer::Fit(const tir::BinaryOpNode* op, Congruence exact) {
  // What wraps around keeps its remainders by powers of 2.
  const int64_t power = exact.coeff == 0 ? int64_t{1} << 31 : exact.coeff & -exact.coeff;
  if (power == exact.coeff && power <= int64_t{1} << 31) return exact;
  const PrimExpr expr = ffi::GetRef<PrimExpr>(op);
  if (!state_->is_data(expr) || FitsType(state_->bounds.Exact(expr), op->dtype)) return exact;
  return MakeCongruence(std::min(power, int64_t{1} << 31), exact.base);
}

Congruence ModularSetAnalyzer::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (!IsArithmetic(kind)) return {};
  if (IsDivision(kind)) return Divide(op, kind);
  const Congruence a = VisitPrimExpr(op->a);
  const Congruence b = VisitPrimExpr(op->b);
  if (!IsRing(kind)) return Union(a, b);
  if (kind == Case::kMul) return Fit(op, Mul(a, b));
  return Fit(op, kind == Case::kAdd ? Add(a, b) : Sub(a, b));
}

/*! \brief The quotient or the remainder by a positive constant. */
Congruence ModularSetAnalyzer::Divide(const tir::BinaryOpNode* op, Case kind) {
  const std::optional<int64_t> divisor = IntConstOf(op->b);
  if (!divisor || *divisor <= 0) return {};
  const Congruence a = VisitPrimExpr(op->a);
  if (kind == Case::kDiv || kind == Case::kFloorDiv) {
    // A quotient without a remainder is the same whichever way it is rounded.
    if (a.coeff % *divisor != 0 || a.base % *divisor != 0) return {};
    return MakeCongruence(a.coeff / *divisor, a.base / *divisor);
  }
  // Either remainder differs from the dividend by a multiple of the divisor.
  const bool rounds_down = kind == Case::kFloorMod || state_->bounds(op->a).min >= 0;
  if (rounds_down && a.coeff % *divisor == 0) {
    return Congruence::Point(FloorMod(a.base, *divisor));
  }
  return MakeCongruence(Gcd(a.coeff, *divisor), a.base);
}

Congruence ModularSetAnalyzer::VisitSelect(const tir::SelectNode* op) {
  return Union(VisitPrimExpr(op->true_value), VisitPrimExpr(op->false_value));
}

Congruence ModularSetAnalyzer::VisitCall(const tir::CallNode* op) {
  if (IntrinsicOf(op) != Intrinsic::kIfThenElse) return {};
  return Union(VisitPrimExpr(op->args[1]), VisitPrimExpr(op->args[2]));
}

}  // namespace uir::arith
