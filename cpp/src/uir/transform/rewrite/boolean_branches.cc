// Simplification of the operands of `and` and `or` by each other.
#include "./boolean_branches.h"

#include <tvm/ffi/cast.h>
#include <uir/arith/constraint.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>

#include <utility>

#include "./total_expr.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief Visits the outermost logic of an expression. */
class BranchSimplifier : public LinearMutator {
 public:
  explicit BranchSimplifier(const arith::Analyzer& analyzer) : analyzer_(analyzer) {}

 protected:
  PrimExpr VisitAnd(const tir::AndNode* op) override {
    return Simple(ffi::GetRef<PrimExpr>(op), kMostDepth);
  }
  PrimExpr VisitOr(const tir::OrNode* op) override {
    return Simple(ffi::GetRef<PrimExpr>(op), kMostDepth);
  }

 private:
  static constexpr int kMostDepth = 32;

  PrimExpr Simple(const PrimExpr& expr, int depth) {
    const bool is_and = expr->IsInstance<tir::AndNode>();
    const bool is_logic = is_and || expr->IsInstance<tir::OrNode>();
    if (!is_logic || depth == 0 || !ir::IsScalar(expr->dtype) || HasEffect(expr)) return expr;
    const auto* op = static_cast<const tir::LogicalOpNode*>(expr.get());
    PrimExpr a = Simple(op->a, depth - 1);
    PrimExpr b = Simple(Under(a, is_and, op->b), depth - 1);
    if (IsTotal(b)) a = Under(b, is_and, a);
    if (a.same_as(op->a) && b.same_as(op->b)) return expr;
    return is_and ? tir::logical_and(std::move(a), std::move(b), expr->span)
                  : tir::logical_or(std::move(a), std::move(b), expr->span);
  }

  /*! \brief Simplify an expression under the assumption that a condition has a value. */
  PrimExpr Under(const PrimExpr& condition, bool value, const PrimExpr& expr) {
    const arith::ConstraintScope scope(analyzer_,
                                       value ? condition : PrimExpr(tir::Not(condition)));
    return analyzer_->Simplify(expr);
  }

  const arith::Analyzer& analyzer_;
};

}  // namespace

PrimExpr SimplifyBooleanBranches(const PrimExpr& expr, const arith::Analyzer& analyzer) {
  return BranchSimplifier(analyzer).VisitPrimExpr(expr);
}

}  // namespace uir::transform
