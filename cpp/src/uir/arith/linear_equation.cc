// Expressions that are linear in some variables.
#include <uir/arith/linear_equation.h>
#include <uir/tir/prim_expr_functor.h>

#include <algorithm>
#include <unordered_set>

#include "./analyzer_state.h"
#include "./const_fold.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief Looks for some variables. */
class VarSearch : public tir::PrimExprVisitor {
 public:
  explicit VarSearch(const std::vector<tir::Var>& vars) : vars_(vars) {}

  bool found = false;

  void VisitPrimExpr(const PrimExpr& expr) override {
    // What several nodes hold is looked at once.
    if (found || (expr.use_count() > 1 && !seen_.insert(expr.get()).second)) return;
    PrimExprVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitVar(const tir::VarNode* op) override {
    found = std::any_of(vars_.begin(), vars_.end(),
                        [op](const tir::Var& var) { return var.get() == op; });
  }

 private:
  const std::vector<tir::Var>& vars_;
  std::unordered_set<const ir::PrimExprNode*> seen_;
};

bool HasVar(const PrimExpr& expr, const std::vector<tir::Var>& vars) {
  VarSearch search(vars);
  search.VisitPrimExpr(expr);
  return search.found;
}

}  // namespace

std::optional<LinearEquation> DetectLinearEquation(const Analyzer& analyzer, const PrimExpr& expr,
                                                   const std::vector<tir::Var>& vars) {
  if (!IsIndex(expr->dtype)) return std::nullopt;
  LinearForm form = StateOf(analyzer.get()).linear.ValueOf(expr);
  form.Join();
  LinearForm rest;
  rest.base = form.base;
  std::vector<int64_t> coeffs(vars.size(), 0);
  for (LinearTerm& term : form.terms) {
    const auto place = std::find_if(vars.begin(), vars.end(), [&term](const tir::Var& var) {
      return term.IsPlain() && var.same_as(term.atom);
    });
    if (place != vars.end()) {
      coeffs[static_cast<size_t>(place - vars.begin())] = term.scale;
    } else if (HasVar(term.atom, vars)) {
      return std::nullopt;
    } else {
      rest.terms.push_back(std::move(term));
    }
  }
  std::optional<PrimExpr> rest_expr = ToExpr(rest, expr->dtype, std::nullopt);
  if (!rest_expr) return std::nullopt;
  return LinearEquation{std::move(coeffs), *std::move(rest_expr)};
}

}  // namespace uir::arith
