// The facts around a statement, passed to an analyzer only for a proof.
#include "./facts_in_scope.h"

#include <tschema/walk.h>
#include <uir/arith/constraint.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/effects.h>

#include <deque>

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief The maximal length of a chain of definitions. */
constexpr int kMostFactDepth = 16;

/*! \brief Whether two indices, possibly of different bit widths, are proved equal. */
bool IsSameIndex(const PrimExpr& a, const PrimExpr& b, const arith::Analyzer& analyzer) {
  if (a->dtype == b->dtype) return analyzer->CanProveEqual(a, b);
  const DLDataType wide = ir::IntType(64, ir::LanesOf(a->dtype));
  return analyzer->CanProveEqual(tir::cast(a, wide), tir::cast(b, wide));
}

}  // namespace

void FactsInScope::Define(const tir::BindNode* op) { bindings_.push_back(op); }

void FactsInScope::DefineVariablesOf(const PrimExpr& expr, const arith::Analyzer& analyzer,
                                     int depth) {
  if (depth == 0) return;
  tschema::Walk(expr, [&](const tir::VarNode* var) {
    const auto found = found_.find(var);
    if (found == found_.end() || found->second == nullptr) return tschema::kAdvance;
    const tir::BindNode* bind = found->second;
    if (!ir::IsInteger(var->dtype) || arith::IsKnown(analyzer, bind->var)) return tschema::kAdvance;
    if (!DependsOnMemory(bind->value)) DefineVariablesOf(bind->value, analyzer, depth - 1);
    arith::BindDefinition(analyzer, bind->var, bind->value);
    const bool is_index = !DependsOnMemory(bind->value) && !arith::IsData(analyzer, bind->var);
    if (is_index) analyzer->Bind(bind->var, bind->value);
    return tschema::kAdvance;
  });
}

bool FactsInScope::CanProveEqual(const ffi::Array<PrimExpr>& a, const ffi::Array<PrimExpr>& b,
                                 const arith::Analyzer& analyzer) {
  for (; num_found_ < bindings_.size(); ++num_found_) {
    const tir::BindNode* bind = bindings_[num_found_];
    const auto [place, is_new] = found_.emplace(bind->var.get(), bind);
    if (!is_new && place->second != bind) place->second = nullptr;
  }
  const arith::ConstraintScope scope(analyzer);
  std::deque<arith::ConstraintScope> scopes;
  for (const auto& [condition, value] : conditions_) {
    if (DependsOnMemory(*condition)) continue;
    DefineVariablesOf(*condition, analyzer, kMostFactDepth);
    // Unlike a constraint, this replaces variables by their known values.
    const PrimExpr simple = analyzer->Simplify(*condition);
    scopes.emplace_back(analyzer, value ? simple : PrimExpr(tir::Not(simple)));
  }
  bool is_equal = a.size() == b.size();
  for (size_t i = 0; is_equal && i < a.size(); ++i) {
    DefineVariablesOf(a[i], analyzer, kMostFactDepth);
    DefineVariablesOf(b[i], analyzer, kMostFactDepth);
    is_equal = IsSameIndex(a[i], b[i], analyzer);
  }
  // Scopes end in reverse order.
  while (!scopes.empty()) scopes.pop_back();
  return is_equal;
}

}  // namespace uir::transform
