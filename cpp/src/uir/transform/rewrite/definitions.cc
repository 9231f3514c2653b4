// Replaces variables by the values that they are bound to.
#include "./definitions.h"

#include <tschema/walk.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>

#include <optional>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief The maximal number of nodes of an expression that is expanded as a whole. */
constexpr int kMostNodes = 64;

/*! \brief The maximal number of nodes of a stored value, which is copied to each use. */
constexpr int kMostKept = 16;

/*! \brief The number of nodes of an expression, shared ones counted at each use, and whether it
 * has a sought variable. */
struct DefinitionSize {
  int num_nodes = 0;
  bool is_found = false;

  bool is_small() const { return num_nodes <= kMostNodes; }
};

/*! \brief The size of an expression; for a large one, more than `kMostNodes`. */
template <typename IsSought>
DefinitionSize DefinitionSizeOf(const PrimExpr& expr, const IsSought& is_sought) {
  DefinitionSize size;
  const auto count = [&](const ir::PrimExprNode* node) {
    ++size.num_nodes;
    const auto* var = ffi::AnyView(node).as<tir::VarNode>();
    size.is_found = size.is_found || (var != nullptr && is_sought(var));
    return size.is_small() ? tschema::kAdvance : tschema::kInterrupt;
  };
  tschema::Walk(expr, count, {tschema::WalkOrder::kPreOrder, tschema::WalkSharing::kEveryPath});
  return size;
}

int NumNodes(const PrimExpr& expr) {
  return DefinitionSizeOf(expr, [](const tir::VarNode*) { return false; }).num_nodes;
}

/*! \brief Whether a small expression does not use a variable. */
bool IsWithout(const PrimExpr& expr, const tir::Var& var) {
  const DefinitionSize size =
      DefinitionSizeOf(expr, [&](const tir::VarNode* use) { return use == var.get(); });
  return size.is_small() && !size.is_found;
}

bool IsIntegral(DLDataType dtype) { return ir::IsInteger(dtype) || ir::IsBool(dtype); }

}  // namespace

class Definitions::Expander : public LinearMutator {
 public:
  explicit Expander(const Definitions& definitions) : definitions_(definitions) {}

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto found = definitions_.values_.find(op);
    return found == definitions_.values_.end() ? ffi::GetRef<PrimExpr>(op) : found->second;
  }

 private:
  const Definitions& definitions_;
};

/*! \brief Visits the parts of an expression, the largest first. */
class Definitions::Shortener : public LinearMutator {
 public:
  explicit Shortener(Definitions* definitions) : definitions_(definitions) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    if (IsIntegral(expr->dtype)) {
      if (std::optional<PrimExpr> shorter = definitions_->ShorterOf(expr)) return *shorter;
    }
    return LinearMutator::VisitPrimExpr(std::move(expr));
  }

 protected:
  PrimExpr VisitLet(const tir::LetNode* op) override {
    // With two bindings of a variable, a shared expression would have two results.
    if (definitions_->IsDefined(op->var)) return ffi::GetRef<PrimExpr>(op);
    PrimExpr value = VisitPrimExpr(op->value);
    definitions_->Define(op->var, value);
    PrimExpr body = VisitPrimExpr(op->body);
    definitions_->Forget(op->var);
    if (IsWithout(body, op->var) && !HasEffect(value)) return body;
    if (value.same_as(op->value) && body.same_as(op->body)) return ffi::GetRef<PrimExpr>(op);
    return tir::Let(op->var, std::move(value), std::move(body), op->span);
  }

 private:
  Definitions* definitions_;
};

void Definitions::Define(const tir::Var& var, const PrimExpr& value) {
  values_.erase(var.get());
  const bool is_kept = IsIntegral(var->dtype) && ir::IsScalar(var->dtype) &&
                       value->dtype == var->dtype && NumNodes(value) <= kMostKept &&
                       !DependsOnMemory(value);
  if (!is_kept) return;
  PrimExpr expanded = Expand(value);
  if (NumNodes(expanded) <= kMostKept) values_.emplace(var.get(), std::move(expanded));
}

PrimExpr Definitions::Shorten(const PrimExpr& expr) {
  if (values_.empty() && !arith::HasMetLet(analyzer_)) return expr;
  PrimExpr shorter = Shortener(this).VisitPrimExpr(expr);
  return shorter.same_as(expr) ? expr : analyzer_->Simplify(std::move(shorter));
}

std::optional<PrimExpr> Definitions::ShorterOf(const PrimExpr& expr) {
  const DefinitionSize size =
      DefinitionSizeOf(expr, [this](const tir::VarNode* var) { return values_.count(var) != 0; });
  if (!size.is_small() || !size.is_found || size.num_nodes == 1) return std::nullopt;
  PrimExpr expanded = Expand(expr);
  if (NumNodes(expanded) >= size.num_nodes) return std::nullopt;
  return expanded;
}

PrimExpr Definitions::Expand(const PrimExpr& expr) {
  return analyzer_->Simplify(Expander(*this).VisitPrimExpr(expr));
}

}  // namespace uir::transform
