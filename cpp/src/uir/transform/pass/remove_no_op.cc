// Removes statements without effect, loops without iterations, and bindings without uses.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/constraint.h>
#include <uir/arith/data.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic_op.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/linear_visitor.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/remove_no_op.h>
#include <uir/transform/tir_passes.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/facts_in_scope.h"
#include "../rewrite/no_op.h"
#include "../rewrite/overwritten_stores.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

using VarUses = std::unordered_map<const tir::VarNode*, int64_t>;

/*! \brief Counts the uses of variables; a use of a buffer is one of its data pointer. */
class VarUseCounter : public LinearVisitor {
 public:
  VarUses uses;
  FactsInScope facts;

  void VisitPrimExpr(const PrimExpr& expr) override {
    using Case = tir::PrimExprCase;
    const auto kind = static_cast<Case>(tir::kPrimExprCases.CaseOf(expr.get()));
    if (kind == Case::kVar || kind == Case::kSizeVar) {
      ++uses[static_cast<const tir::VarNode*>(expr.get())];
    } else if (Case::kIntImm <= kind && kind <= Case::kStringImm) {
      return;
    } else if (expr.use_count() <= 1 || EntersShared(expr)) {
      StmtVisitor::VisitPrimExpr(expr);
    }
  }

 protected:
  /*! \brief Whether to count the uses in a shared expression; by default, only once. */
  virtual bool EntersShared(const PrimExpr& expr) { return IsNew(expr); }
  // A fast path: most nodes are binary, and the default finds operands by reflection.
  void VisitBinaryOp(const tir::BinaryOpNode* op) override {
    VisitPrimExpr(op->a);
    VisitPrimExpr(op->b);
  }
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    ++uses[op->buffer->data.get()];
    StmtVisitor::VisitBufferLoad(op);
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    ++uses[op->buffer->data.get()];
    StmtVisitor::VisitBufferStore(op);
  }
  void VisitDeclBuffer(const tir::DeclBufferNode* op) override {
    ++uses[op->buffer->data.get()];
    StmtVisitor::VisitDeclBuffer(op);
  }
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    StmtVisitor::VisitAllocBuffer(op);
    --uses[op->buffer->data.get()];
  }
  void VisitBind(const tir::BindNode* op) override {
    facts.Define(op);
    VisitPrimExpr(op->value);
  }
  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (const auto* var = op->node.as<tir::VarNode>()) ++uses[var];
    StmtVisitor::VisitAttrStmt(op);
  }
};

/*! \brief Counts the uses that disappear with an expression, not those in shared parts of it. */
class LostCounter : public VarUseCounter {
 protected:
  bool EntersShared(const PrimExpr&) override { return false; }
};

class NoOpRemover : public StmtRewriter {
 public:
  NoOpRemover(VarUses uses, FactsInScope facts)
      : uses_(std::move(uses)), facts_(std::move(facts)) {}

 protected:
  int64_t StmtContext() const override { return arith::FactsVersion(analyzer_); }

  Stmt VisitFor(const tir::ForNode* op) override {
    const arith::ConstraintScope scope(analyzer_);
    if (op->min->dtype == op->loop_var->dtype && !DependsOnMemory(op->min) &&
        !DependsOnMemory(op->extent)) {
      if (analyzer_->BoundOf(op->extent).max <= 0) return NoOp(op->span);
      analyzer_->Bind(op->loop_var, ir::Range(op->min, op->extent));
    }
    Stmt result = StmtRewriter::VisitFor(op);
    const auto* loop = static_cast<const tir::ForNode*>(result.get());
    return IsNoOp(loop->body) ? Effects({op->min, op->extent}, op->span) : result;
  }

  Stmt VisitWhile(const tir::WhileNode* op) override {
    const auto* condition = op->condition.as<ir::IntImmNode>();
    if (condition != nullptr && condition->value == 0) return NoOp(op->span);
    return StmtRewriter::VisitWhile(op);
  }

  Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override {
    if (const std::optional<int64_t> holds = tir::IntConstOf(op->condition)) {
      if (*holds != 0) return VisitStmt(op->then_case);
      return op->else_case.has_value() ? VisitStmt(op->else_case.value()) : NoOp(op->span);
    }
    Stmt result = VisitBranches(op);
    const auto* choice = static_cast<const tir::IfThenElseNode*>(result.get());
    const bool has_else = choice->else_case.has_value() && !IsNoOp(choice->else_case.value());
    if (IsNoOp(choice->then_case)) {
      if (!has_else) return Effects({choice->condition}, op->span);
      return tir::IfThenElse(tir::logical_not(choice->condition), choice->else_case.value(),
                             std::nullopt, op->span);
    }
    if (has_else == choice->else_case.has_value()) return result;
    return tir::IfThenElse(choice->condition, choice->then_case, std::nullopt, op->span);
  }

  Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    Stmt result = StmtRewriter::VisitAttrStmt(op);
    const auto* note = static_cast<const tir::AttrStmtNode*>(result.get());
    return IsNoOp(note->body) ? Effects({note->value}, op->span) : result;
  }

  Stmt VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    Stmt result = StmtRewriter::VisitBlockRealize(op);
    const auto* realize = static_cast<const tir::BlockRealizeNode*>(result.get());
    const tir::Block& block = realize->block;
    const bool does_nothing =
        IsNoOp(block->body) && (!block->init.has_value() || IsNoOp(block->init.value()));
    return does_nothing && op->iter_values.empty() ? Effects({realize->predicate}, op->span)
                                                   : result;
  }

  Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    if (op->predicate.has_value() && MaskConstOf(op->predicate.value()) == 0) {
      std::vector<PrimExpr> operands(op->indices.begin(), op->indices.end());
      operands.push_back(op->value);
      return Effects(operands, op->span);
    }
    const tir::BufferLoadNode* load = CopyWithin(op);
    const bool is_copy = load != nullptr && IsSameElement(load->indices, op->indices);
    return is_copy ? NoOp(op->span) : ffi::GetRef<Stmt>(op);
  }

  Stmt VisitBind(const tir::BindNode* op) override {
    arith::BindDefinition(analyzer_, op->var, op->value);
    const bool is_used = ir::IsHandle(op->var->dtype) || uses_[op->var.get()] > 0;
    if (is_used || HasEffect(op->value)) return ffi::GetRef<Stmt>(op);
    if (!removed_.insert(op).second) return NoOp(op->span);
    // The bindings that only its value uses become unused too.
    LostCounter lost;
    lost.VisitPrimExpr(op->value);
    for (const auto& [var, count] : lost.uses) uses_[var] -= count;
    ForgetResults();
    return NoOp(op->span);
  }

  Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    return uses_[op->buffer->data.get()] > 0 ? ffi::GetRef<Stmt>(op) : NoOp(op->span);
  }

  Stmt VisitEvaluate(const tir::EvaluateNode* op) override {
    return HasEffect(op->value) ? ffi::GetRef<Stmt>(op) : NoOp(op->span);
  }

  /*! \brief Visit the statements in reverse, so that uses come before their bindings. */
  Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override {
    std::vector<Stmt> kept;
    bool is_same = true;
    for (int64_t i = static_cast<int64_t>(op->seq.size()) - 1; i >= 0; --i) {
      Stmt part = VisitStmt(op->seq[i]);
      is_same = is_same && part.same_as(op->seq[i]);
      if (IsNoOp(part)) continue;
      if (const auto* seq = part.as<tir::SeqStmtNode>()) {
        for (size_t k = seq->seq.size(); k > 0; --k) {
          kept.push_back(seq->seq[static_cast<int64_t>(k) - 1]);
        }
      } else {
        kept.push_back(std::move(part));
      }
    }
    if (is_same) return ffi::GetRef<Stmt>(op);
    if (kept.size() == 1) return kept[0];
    return tir::SeqStmt(ffi::Array<Stmt>(kept.rbegin(), kept.rend()), op->span);
  }

 private:
  /*! \brief The side effects of expressions whose values are unused. */
  static Stmt Effects(const std::vector<PrimExpr>& exprs, const ffi::Optional<ir::Span>& span) {
    ffi::Array<Stmt> kept;
    for (const PrimExpr& expr : exprs) {
      if (HasEffect(expr)) kept.push_back(tir::Evaluate(expr, span));
    }
    return kept.size() == 1 ? kept[0] : tir::SeqStmt(std::move(kept), span);
  }

  /*! \brief Visit the branches of a conditional, each under its condition. */
  Stmt VisitBranches(const tir::IfThenElseNode* op) {
    facts_.Enter(op->condition, true);
    Stmt then_case = VisitStmt(op->then_case);
    facts_.Leave();
    ffi::Optional<Stmt> else_case = op->else_case;
    if (else_case.has_value()) {
      facts_.Enter(op->condition, false);
      else_case = VisitStmt(else_case.value());
      facts_.Leave();
    }
    if (then_case.same_as(op->then_case) && else_case.same_as(op->else_case)) {
      return ffi::GetRef<Stmt>(op);
    }
    return tir::IfThenElse(op->condition, std::move(then_case), std::move(else_case), op->span);
  }

  bool IsSameElement(const ffi::Array<PrimExpr>& a, const ffi::Array<PrimExpr>& b) {
    if (std::any_of(a.begin(), a.end(), &HasEffect)) return false;
    if (tschema::StructuralEqual(a, b)) return true;
    if (std::any_of(b.begin(), b.end(), &HasEffect) || num_proofs_ == kMostProofs) return false;
    ++num_proofs_;
    // Other conditions may hold at another occurrence of this statement.
    if (facts_.has_conditions()) ForgetResults();
    return facts_.CanProveEqual(a, b, analyzer_);
  }

  /*! \brief The maximal number of copies within a buffer that are analyzed; each costs a proof. */
  static constexpr int64_t kMostProofs = 4096;

  arith::Analyzer analyzer_;
  VarUses uses_;
  FactsInScope facts_;
  int64_t num_proofs_ = 0;
  /*! \brief The removed bindings, whose uses are no longer counted. */
  std::unordered_set<const tir::BindNode*> removed_;
};

}  // namespace

Stmt RemoveNoOp(Stmt stmt) {
  VarUseCounter counter;
  counter.VisitStmt(stmt);
  return NoOpRemover(std::move(counter.uses), std::move(counter.facts)).VisitStmt(std::move(stmt));
}

Pass RemoveNoOp() {
  auto remove = [](Stmt body, const PassContext& context) {
    if (OptionsOf<RemoveNoOpOptions>(context)->use_dataflow_analysis) {
      body = RemoveOverwrittenStores(std::move(body));
    }
    return RemoveNoOp(std::move(body));
  };
  return MakeBodyPass(remove, "RemoveNoOp");
}

}  // namespace uir::transform
