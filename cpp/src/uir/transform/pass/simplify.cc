// Simplifies statements: removes branches and stores, and replaces values known at compile time.
#include <tschema/structural_equal.h>
#include <uir/arith/constraint.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/buffer.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/effects.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/simplify.h>
#include <uir/transform/tir_passes.h>
#include <uir/transform/with_body.h>

#include <optional>
#include <unordered_set>
#include <utility>

#include "../analysis/loop_jumps.h"
#include "../rewrite/and_of_ors.h"
#include "../rewrite/boolean_branches.h"
#include "../rewrite/definitions.h"
#include "../rewrite/no_op.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

class StmtSimplifier : public AnalyzingMutator {
 public:
  StmtSimplifier(arith::Analyzer analyzer, SimplifyOptions options)
      : AnalyzingMutator(analyzer),
        options_(std::move(options)),
        definitions_(std::move(analyzer)) {}

  /*!
   * \brief Visit a statement; one that occurs exponentially often, under different facts, stays
   * unchanged in most occurrences.
   */
  Stmt VisitStmt(Stmt stmt) override {
    const bool is_shared = stmt.use_count() > 2;
    const bool is_again = is_again_ || (is_shared && !visited_.insert(stmt.get()).second);
    ++(is_again ? num_again_ : num_first_);
    const bool is_too_often = is_shared && num_again_ > kMostAgain * (num_first_ + kMostAgain);
    if (is_again && is_too_often && num_values_ == 0 && !has_replaced_) return stmt;
    const bool outer = std::exchange(is_again_, is_again);
    Stmt result = AnalyzingMutator::VisitStmt(std::move(stmt));
    is_again_ = outer;
    return result;
  }

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    // In an expression that is simplified already, only buffers are replaced.
    if (is_simple_) return LinearMutator::VisitPrimExpr(std::move(expr));
    PrimExpr simple = definitions_.Shorten(analyzer()->Simplify(std::move(expr)));
    if (options_->apply_constraints_to_boolean_branches) {
      simple = SimplifyBooleanBranches(simple, analyzer());
    }
    if (options_->convert_boolean_to_and_of_ors) simple = ToAndOfOrs(simple, analyzer());
    if (!has_replaced_) return simple;
    is_simple_ = true;
    simple = LinearMutator::VisitPrimExpr(std::move(simple));
    is_simple_ = false;
    return simple;
  }

 protected:
  void ReuseResult(const tir::StmtNode*) override { --num_again_; }

  void Replace(const ffi::ObjectRef& variable, ffi::ObjectRef by) override {
    has_replaced_ = has_replaced_ || !by.same_as(variable);
    AnalyzingMutator::Replace(variable, std::move(by));
  }

  Stmt VisitFor(const tir::ForNode* op) override {
    const std::optional<int64_t> extent = tir::IntConstOf(VisitPrimExpr(op->extent));
    if (extent && *extent <= 0) return NoOp(op->span);
    if (!IsRunOnce(op, extent)) return AnalyzingMutator::VisitFor(op);
    CheckIsNew(op->loop_var, op);
    const arith::ConstraintScope scope(analyzer());
    analyzer()->Bind(op->loop_var, op->min);
    ++num_values_;
    Stmt body = VisitStmt(op->body);
    --num_values_;
    return body;
  }

  Stmt VisitBind(const tir::BindNode* op) override {
    Stmt result = AnalyzingMutator::VisitBind(op);
    if (const auto* bind = result.as<tir::BindNode>()) definitions_.Define(bind->var, bind->value);
    return result;
  }

  Stmt VisitWhile(const tir::WhileNode* op) override {
    if (tir::IntConstOf(VisitPrimExpr(op->condition)) == 0) return NoOp(op->span);
    return AnalyzingMutator::VisitWhile(op);
  }

  Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override {
    PrimExpr condition = VisitPrimExpr(op->condition);
    const std::optional<int64_t> holds = tir::IntConstOf(condition);
    if (!holds) return VisitBranches(op, std::move(condition));
    if (*holds != 0) return VisitStmt(op->then_case);
    return op->else_case.has_value() ? VisitStmt(op->else_case.value()) : NoOp(op->span);
  }

  Stmt VisitAssertStmt(const tir::AssertStmtNode* op) override {
    if (tir::IntConstOf(VisitPrimExpr(op->condition)).value_or(0) != 0) return NoOp(op->span);
    return AnalyzingMutator::VisitAssertStmt(op);
  }

  Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    Stmt result = AnalyzingMutator::VisitBufferStore(op);
    const auto* store = static_cast<const tir::BufferStoreNode*>(result.get());
    if (store->predicate.has_value()) {
      const std::optional<int64_t> mask = MaskConstOf(store->predicate.value());
      if (!mask) return result;
      if (*mask == 0) return HasEffect(store->value) ? result : NoOp(op->span);
      result =
          tir::BufferStore(store->buffer, store->value, store->indices, std::nullopt, op->span);
      store = static_cast<const tir::BufferStoreNode*>(result.get());
    }
    return WritesBack(store) ? NoOp(op->span) : result;
  }

  Stmt VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    if (tir::IntConstOf(VisitPrimExpr(op->predicate)) == 0) return NoOp(op->span);
    return AnalyzingMutator::VisitBlockRealize(op);
  }

 private:
  /*! \brief Whether a store writes the element's own value. */
  static bool WritesBack(const tir::BufferStoreNode* op) {
    const tir::BufferLoadNode* load = CopyWithin(op);
    return load != nullptr && tschema::StructuralEqual(load->indices, op->indices) &&
           !HasEffect(op->value);
  }

  /*! \brief Whether the body can replace the loop: it runs at most once, and the loop has no
   * annotations, binds no thread and contains no jumps. */
  static bool IsRunOnce(const tir::ForNode* op, std::optional<int64_t> extent) {
    const bool is_plain = op->kind != tir::ForKind::kThreadBinding && op->annotations.empty();
    if (!is_plain || !extent || DependsOnMemory(op->min)) return false;
    const int64_t step = op->step.has_value() ? tir::IntConstOf(op->step.value()).value_or(1) : 1;
    // `break` and `continue` need the loop.
    return *extent <= step && !FindLoopJumps(op->body).any();
  }

  /*! \brief The maximal number of repeated visits, under other facts, per statement on average. */
  static constexpr int64_t kMostAgain = 32;

  SimplifyOptions options_;
  Definitions definitions_;
  bool has_replaced_ = false;
  bool is_simple_ = false;
  /*! \brief The visited statements with several parents. */
  std::unordered_set<const tir::StmtNode*> visited_;
  int64_t num_first_ = 0;
  int64_t num_again_ = 0;
  /*! \brief Whether a statement around the present one was visited before. */
  bool is_again_ = false;
  /*! \brief The number of removed loops around the present statement; their variables must be
   * replaced. */
  int num_values_ = 0;
};

}  // namespace

Stmt Simplify(Stmt stmt, const arith::Analyzer& analyzer) {
  return StmtSimplifier(analyzer, SimplifyOptions()).VisitStmt(std::move(stmt));
}

namespace {

/*! \brief The extents of buffers from a caller are not negative. */
void AssumeExtents(const tir::PrimFunc& func, const arith::Analyzer& analyzer) {
  for (const auto& [param, buffer] : func->buffer_map) {
    for (const PrimExpr& extent : buffer->shape) {
      if (extent->IsInstance<ir::IntImmNode>() || DependsOnMemory(extent)) continue;
      analyzer->Assume(tir::LE(ir::IntImm(extent->dtype, 0), extent));
    }
  }
}

}  // namespace

Pass Simplify() {
  auto simplify = [](tir::PrimFunc func, const ir::IRModule&, const PassContext& context) {
    const arith::Analyzer analyzer;
    AssumeExtents(func, analyzer);
    StmtSimplifier simplifier(analyzer, OptionsOf<SimplifyOptions>(context));
    Stmt body = simplifier.VisitStmt(func->body);
    return WithBody(std::move(func), std::move(body));
  };
  return MakePrimFuncPass(simplify, 0, "Simplify");
}

}  // namespace uir::transform
