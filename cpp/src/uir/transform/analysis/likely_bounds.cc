// The iterations of a loop in which its likely conditions hold.
#include "./likely_bounds.h"

#include <uir/arith/data.h>
#include <uir/arith/linear_equation.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_visitor.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace uir::transform {

namespace {

using arith::Interval;
using ir::PrimExpr;

PrimExpr Const(DLDataType dtype, int64_t value) { return ir::IntImm(dtype, value); }

/*! \brief The difference that is non-negative if a comparison holds; None for other conditions. */
std::optional<PrimExpr> DifferenceOf(const PrimExpr& condition) {
  const auto difference = [](const PrimExpr& large, const PrimExpr& small, int64_t distance) {
    return std::optional<PrimExpr>(tir::Sub(tir::Sub(large, small), Const(large->dtype, distance)));
  };
  const auto* comparison = condition.as<tir::CmpOpNode>();
  if (comparison == nullptr) return std::nullopt;
  const DLDataType dtype = comparison->a->dtype;
  if (!ir::IsScalar(dtype) || dtype.code != kDLInt || dtype.bits < 32) return std::nullopt;
  if (condition->IsInstance<tir::LTNode>()) return difference(comparison->b, comparison->a, 1);
  if (condition->IsInstance<tir::LENode>()) return difference(comparison->b, comparison->a, 0);
  if (condition->IsInstance<tir::GTNode>()) return difference(comparison->a, comparison->b, 1);
  if (condition->IsInstance<tir::GENode>()) return difference(comparison->a, comparison->b, 0);
  return std::nullopt;
}

/*! \brief Collects the likely conditions, and the bindings of the body. */
class Collector : public LinearVisitor {
 public:
  std::vector<const tir::CallNode*> notes;
  /*! \brief The loop's variable, and those that are bound inside. */
  std::vector<tir::Var> vars;
  std::vector<Interval> ranges;

  void Add(const tir::Var& var, Interval range) {
    vars.push_back(var);
    ranges.push_back(range);
  }

 protected:
  void VisitCall(const tir::CallNode* op) override {
    if (IsLikely(op)) notes.push_back(op);
    StmtVisitor::VisitCall(op);
  }
  void VisitFor(const tir::ForNode* op) override {
    const auto* min = op->min.as<ir::IntImmNode>();
    const auto* extent = op->extent.as<ir::IntImmNode>();
    const bool is_known = min != nullptr && extent != nullptr && extent->value > 0;
    Add(op->loop_var, is_known ? Interval{min->value, min->value + extent->value - 1} : Interval{});
    StmtVisitor::VisitFor(op);
  }
  void VisitBind(const tir::BindNode* op) override {
    Add(op->var, {});
    StmtVisitor::VisitBind(op);
  }
  void VisitLet(const tir::LetNode* op) override {
    Add(op->var, {});
    StmtVisitor::VisitLet(op);
  }
  void VisitIterVar(const tir::IterVarNode* op) override {
    Add(op->var, {});
    StmtVisitor::VisitIterVar(op);
  }
};

/*! \brief The range in which a sum is non-negative. */
struct Bound {
  bool is_lower;
  PrimExpr value;
};

/*! \brief Solve `coeffs[0] * vars[0] + ... >= 0` for the first variable, for any values of the
 * others. */
std::optional<Bound> Solve(const arith::Analyzer& analyzer, const PrimExpr& difference,
                           const Collector& found) {
  const auto equation = arith::DetectLinearEquation(analyzer, difference, found.vars);
  if (!equation || equation->coeffs[0] == 0 || DependsOnMemory(equation->rest)) {
    return std::nullopt;
  }
  Interval others = Interval::Point(0);
  for (size_t i = 1; i < found.vars.size(); ++i) {
    if (equation->coeffs[i] == 0) continue;
    others = Add(others, Mul(found.ranges[i], Interval::Point(equation->coeffs[i])));
  }
  if (others.min == Interval::kNegInf) return std::nullopt;
  const DLDataType dtype = difference->dtype;
  const Interval constants = arith::IntervalOf(dtype);
  const int64_t coeff = equation->coeffs[0];
  if (!constants.Contains(others.min) || !constants.Contains(coeff) || coeff == constants.min) {
    return std::nullopt;
  }
  const PrimExpr least = analyzer->Simplify(tir::Add(equation->rest, Const(dtype, others.min)));
  const bool is_lower = coeff > 0;
  // s * v + r >= 0 is v >= ceil(-r / s) = -floor(r / s), and of a negative s v <= floor(r / -s).
  const PrimExpr quotient = tir::FloorDiv(least, Const(dtype, is_lower ? coeff : -coeff));
  const PrimExpr value =
      analyzer->Simplify(is_lower ? tir::Sub(Const(dtype, 0), quotient)
                                  : PrimExpr(tir::Add(quotient, Const(dtype, 1))));
  // The function does not compute these sums: they may overflow where its own do not.
  const bool is_quotient = coeff != 1 && coeff != -1;
  if ((is_quotient && !arith::Fits(analyzer, least)) || !arith::Fits(analyzer, value)) {
    return std::nullopt;
  }
  return Bound{is_lower, value};
}

/*! \brief The bounds of all terms of a conjunction; None if one has none. */
std::optional<std::vector<Bound>> SolveAll(const arith::Analyzer& analyzer,
                                           const PrimExpr& condition, const Collector& found) {
  std::vector<PrimExpr> rest = {condition};
  std::vector<Bound> bounds;
  while (!rest.empty()) {
    const PrimExpr part = std::move(rest.back());
    rest.pop_back();
    if (const auto* both = part.as<tir::AndNode>()) {
      rest.push_back(both->b);
      rest.push_back(both->a);
      continue;
    }
    const std::optional<PrimExpr> difference = DifferenceOf(part);
    const std::optional<Bound> bound =
        difference ? Solve(analyzer, *difference, found) : std::nullopt;
    if (!bound) return std::nullopt;
    bounds.push_back(*bound);
  }
  return bounds;
}

bool HasSame(const std::vector<PrimExpr>& exprs, const PrimExpr& expr,
             const arith::Analyzer& analyzer) {
  return std::any_of(exprs.begin(), exprs.end(),
                     [&](const PrimExpr& known) { return analyzer->CanProveEqual(known, expr); });
}

}  // namespace

bool IsLikely(const tir::CallNode* call) {
  // Never destroyed: passes may run while static objects are.
  static const ir::Op* const likely = new ir::Op(ir::get_op("tir.likely"));
  return call->op.get() == likely->get();
}

LikelyBounds FindLikelyBounds(const tir::ForNode* loop, const arith::Analyzer& analyzer) {
  Collector found;
  found.Add(loop->loop_var, {});
  found.VisitStmt(loop->body);
  LikelyBounds bounds;
  for (const tir::CallNode* note : found.notes) {
    const auto solved = SolveAll(analyzer, note->args[0], found);
    if (!solved) continue;
    bounds.notes.insert(note);
    for (const Bound& bound : *solved) {
      std::vector<PrimExpr>& known = bound.is_lower ? bounds.lower : bounds.upper;
      if (!HasSame(known, bound.value, analyzer)) known.push_back(bound.value);
    }
  }
  return bounds;
}

}  // namespace uir::transform
