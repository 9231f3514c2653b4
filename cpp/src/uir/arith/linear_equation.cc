// Expressions that are linear in some variables.
#include <tschema/walk.h>
#include <uir/arith/linear_equation.h>

#include <algorithm>

#include "./analyzer_state.h"
#include "./const_fold.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

bool HasVar(const PrimExpr& expr, const std::vector<tir::Var>& vars) {
  return !tschema::Walk(expr, [&](const tir::VarNode* node) {
    const bool is_one = std::any_of(vars.begin(), vars.end(),
                                    [node](const tir::Var& var) { return var.get() == node; });
    return is_one ? tschema::kInterrupt : tschema::kAdvance;
  });
}

}  // namespace

std::optional<LinearEquation> DetectLinearEquation(const Analyzer& analyzer, const PrimExpr& expr,
                                                   const std::vector<tir::Var>& vars) {
  if (!IsIndex(expr->dtype)) return std::nullopt;
  LinearForm form = StateOf(analyzer.get()).ValueOf(expr);
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
