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

Congruence CongruenceFinder::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  if (!IsIndex(expr->dtype)) return {};
  if (op == Case::kVar) return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  if (const Congruence* known = memo_.Find(expr)) return *known;
  const Congruence found = PrimExprFunctor::VisitPrimExpr(expr);
  memo_.Set(expr, found);
  return found;
}

Congruence CongruenceFinder::VisitDefault(const ir::PrimExprNode*) { return {}; }

Congruence CongruenceFinder::VisitIntImm(const ir::IntImmNode* op) {
  return Congruence::Point(op->value);
}

Congruence CongruenceFinder::VisitVar(const tir::VarNode* op) {
  const VarFacts* facts = state_->knowledge.Find(op);
  if (facts == nullptr) return {};
  return facts->value.has_value() ? VisitPrimExpr(facts->value.value()) : facts->congruence;
}

Congruence CongruenceFinder::Fit(const tir::BinaryOpNode* op, Congruence exact) {
  // What wraps around keeps its remainders by powers of 2.
  const int64_t power = exact.coeff == 0 ? int64_t{1} << 31 : exact.coeff & -exact.coeff;
  if (power == exact.coeff && power <= int64_t{1} << 31) return exact;
  const PrimExpr expr = ffi::GetRef<PrimExpr>(op);
  if (!state_->is_data(expr) || FitsType(state_->bounds.Exact(expr), op->dtype)) return exact;
  return MakeCongruence(std::min(power, int64_t{1} << 31), exact.base);
}

Congruence CongruenceFinder::VisitAdd(const tir::AddNode* op) {
  return Fit(op, Add(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Congruence CongruenceFinder::VisitSub(const tir::SubNode* op) {
  return Fit(op, Sub(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

Congruence CongruenceFinder::VisitMul(const tir::MulNode* op) {
  return Fit(op, Mul(VisitPrimExpr(op->a), VisitPrimExpr(op->b)));
}

/*! \brief A quotient without a remainder is the same whichever way it is rounded. */
Congruence CongruenceFinder::Quotient(const tir::BinaryOpNode* op) {
  const std::optional<int64_t> divisor = ConstIntOf(op->b);
  if (!divisor || *divisor <= 0) return {};
  const Congruence a = VisitPrimExpr(op->a);
  if (a.coeff % *divisor != 0 || a.base % *divisor != 0) return {};
  return MakeCongruence(a.coeff / *divisor, a.base / *divisor);
}

/*! \brief Rounding down, the remainder differs from the dividend by a multiple of the divisor. */
Congruence CongruenceFinder::Remainder(const tir::BinaryOpNode* op) {
  const std::optional<int64_t> divisor = ConstIntOf(op->b);
  if (!divisor || *divisor <= 0) return {};
  const Congruence a = VisitPrimExpr(op->a);
  if (a.coeff % *divisor == 0) return Congruence::Point(FloorMod(a.base, *divisor));
  return MakeCongruence(Gcd(a.coeff, *divisor), a.base);
}

Congruence CongruenceFinder::VisitDiv(const tir::DivNode* op) { return Quotient(op); }

Congruence CongruenceFinder::VisitFloorDiv(const tir::FloorDivNode* op) { return Quotient(op); }

Congruence CongruenceFinder::VisitMod(const tir::ModNode* op) {
  const std::optional<int64_t> divisor = ConstIntOf(op->b);
  if (!divisor || *divisor <= 0) return {};
  if (state_->bounds(op->a).min >= 0) return Remainder(op);
  const Congruence a = VisitPrimExpr(op->a);
  return MakeCongruence(Gcd(a.coeff, *divisor), a.base);
}

Congruence CongruenceFinder::VisitFloorMod(const tir::FloorModNode* op) { return Remainder(op); }

Congruence CongruenceFinder::VisitMin(const tir::MinNode* op) {
  return Union(VisitPrimExpr(op->a), VisitPrimExpr(op->b));
}

Congruence CongruenceFinder::VisitMax(const tir::MaxNode* op) {
  return Union(VisitPrimExpr(op->a), VisitPrimExpr(op->b));
}

Congruence CongruenceFinder::VisitSelect(const tir::SelectNode* op) {
  return Union(VisitPrimExpr(op->true_value), VisitPrimExpr(op->false_value));
}

Congruence CongruenceFinder::VisitCall(const tir::CallNode* op) {
  if (IntrinsicOf(op) != Intrinsic::kIfThenElse) return {};
  return Union(VisitPrimExpr(op->args[1]), VisitPrimExpr(op->args[2]));
}

}  // namespace uir::arith
