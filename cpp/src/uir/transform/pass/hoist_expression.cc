// Hoisting of loop-invariant bindings and conditions.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/constraint.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/effects.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/hoist_candidates.h"
#include "../rewrite/condition_settler.h"
#include "../rewrite/no_op.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief Replaces some `Let`s by their bodies. */
class LetUnwrapper : public LinearMutator {
 public:
  explicit LetUnwrapper(const std::unordered_set<const tir::LetNode*>& lets) : lets_(lets) {}

 protected:
  PrimExpr VisitLet(const tir::LetNode* op) override {
    return lets_.count(op) != 0 ? VisitPrimExpr(op->body) : LinearMutator::VisitLet(op);
  }

 private:
  const std::unordered_set<const tir::LetNode*>& lets_;
};

/*! \brief A loop or a launch of threads, out of which code can be hoisted. */
class Scope {
 public:
  static std::optional<Scope> Of(const Stmt& stmt) {
    if (const auto* loop = stmt.as<tir::ForNode>()) return Scope(stmt, loop->loop_var, loop->body);
    const auto* attr = stmt.as<tir::AttrStmtNode>();
    if (attr == nullptr || attr->attr_key != "thread_extent") return std::nullopt;
    const std::optional<tir::IterVar> launch = attr->node.as<tir::IterVar>();
    if (!launch) return std::nullopt;
    return Scope(stmt, (*launch)->var, attr->body);
  }

  const tir::Var& var() const { return var_; }
  const Stmt& body() const { return body_; }
  const Stmt& stmt() const { return stmt_; }

  Scope WithBody(Stmt body) const {
    if (body.same_as(body_)) return *this;
    if (const auto* loop = stmt_.as<tir::ForNode>()) {
      return Scope(tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, body,
                            loop->thread_binding, loop->annotations, loop->step, loop->span),
                   var_, body);
    }
    const auto* attr = stmt_.as<tir::AttrStmtNode>();
    return Scope(tir::AttrStmt(attr->node, attr->attr_key, attr->value, body, attr->span), var_,
                 body);
  }

  /*! \brief Whether the body is known to run. */
  bool Runs() const {
    const auto* loop = stmt_.as<tir::ForNode>();
    const PrimExpr& extent = loop != nullptr ? loop->extent : stmt_.as<tir::AttrStmtNode>()->value;
    return tir::IntConstOf(extent).value_or(0) > 0;
  }

 private:
  Scope(Stmt stmt, tir::Var var, Stmt body)
      : stmt_(std::move(stmt)), var_(std::move(var)), body_(std::move(body)) {}

  Stmt stmt_;
  tir::Var var_;
  Stmt body_;
};

bool IsPureBinding(const Stmt& stmt) {
  const auto* bind = stmt.as<tir::BindNode>();
  return bind != nullptr && !HasEffect(bind->value);
}

/*! \brief Whether a body has only bindings whose values have no effect. */
bool HasNoUse(const Stmt& body) {
  const auto* seq = body.as<tir::SeqStmtNode>();
  if (seq == nullptr) return IsPureBinding(body);
  return std::all_of(seq->seq.begin(), seq->seq.end(), IsPureBinding);
}

class Hoister : public AnalyzingMutator {
 public:
  explicit Hoister(HoistRules rules)
      : AnalyzingMutator(arith::Analyzer()), rules_(std::move(rules)) {}

  /*! \brief Return expressions unchanged. */
  PrimExpr VisitPrimExpr(PrimExpr expr) override { return expr; }

 protected:
  Stmt VisitFor(const tir::ForNode* op) override {
    return Hoist(*Scope::Of(AnalyzingMutator::VisitFor(op)), kMostChoices);
  }

  Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    const std::optional<tir::IterVar> launch = op->node.as<tir::IterVar>();
    if (launch) rules_.threads.insert((*launch)->var.get());
    Stmt visited = AnalyzingMutator::VisitAttrStmt(op);
    const std::optional<Scope> scope = Scope::Of(visited);
    return scope ? Hoist(*scope, kMostChoices) : visited;
  }

 private:
  /*! \brief The maximal number of nested branches around a loop, each of which copies it. */
  static constexpr int kMostChoices = 16;
  /*! \brief The maximal number of loops to add to a function. */
  static constexpr int kMostLoops = 1024;

  Stmt Hoist(Scope scope, int num_choices) {
    if (!rules_.Crosses(scope.stmt())) return scope.stmt();
    HoistCandidates found = Find(scope);
    if (found.bindings.empty()) return Choose(scope, found.conditions, num_choices);
    ffi::Array<Stmt> stmts(found.bindings.begin(), found.bindings.end());
    scope = scope.WithBody(WithoutBindings(scope.body(), found));
    stmts.push_back(Hoist(scope, num_choices));
    return tir::flatten_seq(std::move(stmts));
  }

  HoistCandidates Find(const Scope& scope) const {
    return FindHoistCandidates(scope.var(), scope.body(), scope.Runs(), analyzer(), rules_);
  }

  /*! \brief The body without the hoisted bindings. */
  static Stmt WithoutBindings(const Stmt& body, const HoistCandidates& found) {
    Stmt rest = body;
    if (const auto* seq = body.as<tir::SeqStmtNode>()) {
      ffi::Array<Stmt> kept;
      for (const Stmt& stmt : seq->seq) {
        if (found.hoisted.count(stmt.get()) == 0) kept.push_back(stmt);
      }
      if (kept.size() != seq->seq.size()) rest = tir::flatten_seq(std::move(kept));
    } else if (found.hoisted.count(body.get()) != 0) {
      rest = NoOp(body->span);
    }
    return found.lets.empty() ? rest : LetUnwrapper(found.lets).VisitStmt(std::move(rest));
  }

  /*! \brief Branch on the first condition, with a copy of the loop in each branch; without
   * conditions, or if that changes no copy, return the loop itself. */
  Stmt Choose(const Scope& scope, const std::vector<PrimExpr>& conditions, int num_choices) {
    if (conditions.empty() || num_choices == 0 || num_loops_ >= kMostLoops) return scope.stmt();
    const PrimExpr& condition = conditions.front();
    const std::optional<Stmt> then_case = Branch(scope, conditions, true, num_choices);
    const std::optional<Stmt> else_case = Branch(scope, conditions, false, num_choices);
    if (!then_case || !else_case) return scope.stmt();
    ++num_loops_;
    const ffi::Optional<ir::Span> span =
        condition->span.has_value() ? condition->span : scope.stmt()->span;
    if (IsNoOp(*then_case)) {
      if (IsNoOp(*else_case)) return *then_case;
      return tir::IfThenElse(tir::Not(condition, span), *else_case, std::nullopt, span);
    }
    if (IsNoOp(*else_case)) return tir::IfThenElse(condition, *then_case, std::nullopt, span);
    return tir::IfThenElse(condition, *then_case, *else_case, span);
  }

  /*! \brief The loop for one value of the first condition, which may decide other conditions too;
   * `nullopt` if its body does not change. */
  std::optional<Stmt> Branch(const Scope& scope, const std::vector<PrimExpr>& conditions,
                             bool value, int num_choices) {
    const PrimExpr& first = conditions.front();
    const arith::ConstraintScope assumed(analyzer(), value ? first : PrimExpr(tir::Not(first)));
    ConditionValues values = {{first.get(), value}};
    for (const PrimExpr& other : conditions) {
      if (tschema::StructuralEqual(other, first)) {
        values.emplace(other.get(), value);
      } else if (analyzer()->CanProve(other)) {
        values.emplace(other.get(), true);
      } else if (analyzer()->CanProve(tir::Not(other))) {
        values.emplace(other.get(), false);
      }
    }
    Stmt body = SettleConditions(scope.body(), values);
    if (body.same_as(scope.body())) return std::nullopt;
    return HasNoUse(body) ? NoOp(body->span)
                          : Hoist(scope.WithBody(std::move(body)), num_choices - 1);
  }

  HoistRules rules_;
  int num_loops_ = 0;
};

tir::PrimFunc HoistIn(tir::PrimFunc func, const HoistRules& rules) {
  Stmt body = Hoister(rules).VisitStmt(func->body);
  if (body.same_as(func->body)) return func;
  // The loops of the branches get separate variables.
  return ConvertSSA(WithBody(std::move(func), std::move(body)));
}

}  // namespace

Pass HoistExpression() {
  auto hoist = [](tir::PrimFunc func, const ir::IRModule&, const PassContext& context) {
    const auto options = OptionsOf<HoistExpressionOptions>(context);
    return HoistIn(
        std::move(func),
        HoistRules{options->hoisted_conditionals, options->hoisted_let_bindings, true, {}});
  };
  return MakePrimFuncPass(hoist, 0, "HoistExpression");
}

Pass HoistIfThenElse() {
  auto hoist = [](tir::PrimFunc func, const ir::IRModule&, const PassContext& context) {
    const auto options = OptionsOf<HoistIfThenElseOptions>(context);
    const bool with_threads = options->support_block_scope_hoisting;
    int64_t conditionals = static_cast<int64_t>(HoistedConditionals::kIfElseStmt);
    if (with_threads) conditionals |= static_cast<int64_t>(HoistedConditionals::kUsingBlockVar);
    return HoistIn(std::move(func), HoistRules{conditionals, 0, with_threads, {}});
  };
  return MakePrimFuncPass(hoist, 0, "HoistIfThenElse");
}

}  // namespace uir::transform
