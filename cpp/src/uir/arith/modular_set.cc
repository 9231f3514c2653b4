// The congruences of integer expressions.
#include "./modular_set.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include <algorithm>
#include <optional>

#include "./const_fold.h"
#include "./intrinsic.h"
#include "./queries.h"

namespace uir::arith {

using ir::PrimExpr;

Congruence ModularSetAnalyzer::VisitPrimExpr(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return VisitIntImm(static_cast<const ir::IntImmNode*>(expr.get()));
  if (!ir::IsInteger(expr->dtype) || !ir::IsScalar(expr->dtype)) return {};
  if (op == Case::kVar) return VisitVar(static_cast<const tir::VarNode*>(expr.get()));
  if (const Congruence* known = memo_.Find(expr)) return *known;
  const Congruence found = PrimExprFunctor::VisitPrimExpr(expr);
  memo_.Add(expr, found);
  return found;
}

Congruence ModularSetAnalyzer::VisitDefault(const ir::PrimExprNode*) { return {}; }

Congruence ModularSetAnalyzer::VisitIntImm(const ir::IntImmNode* op) {
  return Congruence::Point(op->value);
}

Congruence ModularSetAnalyzer::VisitVar(const tir::VarNode* op) {
  const VarFacts* facts = known_->constraints.Find(op);
  if (facts == nullptr) return {};
  return facts->value.has_value() ? VisitPrimExpr(facts->value.value()) : facts->congruence;
}

namespace {

/*! \brief The congruence of values that may wrap around, which is modulo a power of 2. */
Congruence Wrapped(Congruence exact, int bits) {
  const int64_t largest = int64_t{1} << std::min(bits, 31);
  const int64_t power = exact.coeff == 0 ? largest : exact.coeff & -exact.coeff;
  return MakeCongruence(std::min(power, largest), exact.base);
}

/*! \brief The congruence of `value & mask`: its bits below the lowest unknown bit of the mask. */
Congruence Masked(Congruence value, int64_t mask) {
  const int64_t known = value.coeff == 0 ? -1 : (value.coeff & -value.coeff) - 1;
  const int64_t unknown = mask & ~known;
  const int64_t base = value.base & mask;
  if (unknown == 0) return Congruence::Point(base);
  return unknown == INT64_MIN ? Congruence{} : MakeCongruence(unknown & -unknown, base);
}

}  // namespace

Congruence ModularSetAnalyzer::Fit(const tir::BinaryOpNode* op, Congruence exact) {
  const Congruence wrapped = Wrapped(exact, op->dtype.bits);
  if (wrapped == exact) return exact;
  const PrimExpr expr = ffi::GetRef<PrimExpr>(op);
  const bool is_index = IsIndex(op->dtype) && !known_->IsData(expr);
  return is_index || FitsType(known_->ExactBoundOf(expr), op->dtype) ? exact : wrapped;
}

Congruence ModularSetAnalyzer::VisitCast(const tir::CastNode* op) {
  if (!ir::IsInteger(op->value->dtype)) return {};
  const Congruence value = VisitPrimExpr(op->value);
  const Interval bound = known_->BoundOf(op->value);
  const bool is_whole = op->value->dtype.code != kDLUInt || bound.max != Interval::kPosInf;
  if (is_whole && IntervalOf(op->dtype).Contains(bound)) return value;
  return Wrapped(value, std::min(op->dtype.bits, op->value->dtype.bits));
}

Congruence ModularSetAnalyzer::VisitLet(const tir::LetNode* op) {
  known_->BindDefinition(op->var, op->value);
  return VisitPrimExpr(op->body);
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
    const bool rounds_down = kind == Case::kFloorDiv || known_->BoundOf(op->a).min >= 0;
    if (a.coeff % *divisor != 0 || (!rounds_down && a.base % *divisor != 0)) return {};
    return MakeCongruence(a.coeff / *divisor, FloorDiv(a.base, *divisor));
  }
  // Either remainder differs from the dividend by a multiple of the divisor.
  const bool rounds_down = kind == Case::kFloorMod || known_->BoundOf(op->a).min >= 0;
  if (rounds_down && a.coeff % *divisor == 0) {
    return Congruence::Point(FloorMod(a.base, *divisor));
  }
  return MakeCongruence(Gcd(a.coeff, *divisor), a.base);
}

Congruence ModularSetAnalyzer::VisitSelect(const tir::SelectNode* op) {
  return Union(VisitPrimExpr(op->true_value), VisitPrimExpr(op->false_value));
}

Congruence ModularSetAnalyzer::VisitCall(const tir::CallNode* op) {
  const Intrinsic intrinsic = IntrinsicOf(op);
  if (intrinsic == Intrinsic::kIfThenElse) {
    return Union(VisitPrimExpr(op->args[1]), VisitPrimExpr(op->args[2]));
  }
  const bool is_bits = intrinsic == Intrinsic::kBitwiseAnd || intrinsic == Intrinsic::kShiftLeft ||
                       intrinsic == Intrinsic::kShiftRight;
  if (!is_bits) return {};
  if (intrinsic == Intrinsic::kBitwiseAnd) {
    const bool is_first = IntConstOf(op->args[0]).has_value();
    const std::optional<int64_t> mask = IntConstOf(op->args[is_first ? 0 : 1]);
    const PrimExpr& value = op->args[is_first ? 1 : 0];
    return mask && value->dtype == op->dtype ? Masked(VisitPrimExpr(value), *mask) : Congruence{};
  }
  const std::optional<int64_t> second = IntConstOf(op->args[1]);
  if (!second || *second < 0 || op->args[0]->dtype != op->dtype) return {};
  const Congruence value = VisitPrimExpr(op->args[0]);
  if (*second >= op->dtype.bits || *second > 30) return {};
  const int64_t power = int64_t{1} << *second;
  if (intrinsic == Intrinsic::kShiftLeft) {
    return Wrapped(Mul(value, Congruence::Point(power)), op->dtype.bits);
  }
  if (value.coeff % power != 0) return {};
  return MakeCongruence(value.coeff / power, FloorDiv(value.base, power));
}

}  // namespace uir::arith
