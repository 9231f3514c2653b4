// Simplification of statements: what is known at compile time is put in place.
#include <tschema/structural_equal.h>
#include <uir/arith/constraint.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/reduce.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/effects.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/simplify.h>
#include <uir/transform/tir_passes.h>

#include <optional>
#include <utility>

#include "../analysis/loop_jumps.h"
#include "../rewrite/boolean_branches.h"
#include "../rewrite/no_op.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

class StmtSimplifier : public AnalyzingMutator {
 public:
  StmtSimplifier(arith::Analyzer analyzer, bool simplifies_branches)
      : AnalyzingMutator(std::move(analyzer)), simplifies_branches_(simplifies_branches) {}

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    // Below an expression that is simple already, buffers are replaced.
    if (is_simple_) return LinearMutator::VisitPrimExpr(std::move(expr));
    PrimExpr simple = analyzer()->Simplify(std::move(expr));
    if (simplifies_branches_) simple = SimplifyBooleanBranches(simple, analyzer());
    if (!has_replaced_) return simple;
    is_simple_ = true;
    simple = LinearMutator::VisitPrimExpr(std::move(simple));
    is_simple_ = false;
    return simple;
  }

 protected:
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
    return VisitStmt(op->body);
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
  /*! \brief Whether a store writes to an element what is there. */
  static bool WritesBack(const tir::BufferStoreNode* op) {
    const tir::BufferLoadNode* load = CopyWithin(op);
    return load != nullptr && tschema::StructuralEqual(load->indices, op->indices) &&
           !HasEffect(op->value);
  }

  /*! \brief Whether the body is run once, and the loop says nothing else. */
  static bool IsRunOnce(const tir::ForNode* op, std::optional<int64_t> extent) {
    const bool is_plain = op->kind != tir::ForKind::kThreadBinding && op->annotations.empty();
    if (!is_plain || !extent || DependsOnMemory(op->min)) return false;
    const int64_t step = op->step.has_value() ? tir::IntConstOf(op->step.value()).value_or(1) : 1;
    // `break` and `continue` need the loop.
    return *extent <= step && !FindLoopJumps(op->body).any();
  }

  bool simplifies_branches_;
  bool has_replaced_ = false;
  bool is_simple_ = false;
};

}  // namespace

Stmt Simplify(Stmt stmt, const arith::Analyzer& analyzer) {
  return StmtSimplifier(analyzer, false).VisitStmt(std::move(stmt));
}

Pass Simplify() {
  auto simplify = [](Stmt body, const PassContext& context) {
    const bool branches =
        OptionsOf<SimplifyOptions>(context)->apply_constraints_to_boolean_branches;
    return StmtSimplifier(arith::Analyzer(), branches).VisitStmt(std::move(body));
  };
  return MakeBodyPass(simplify, "Simplify");
}

}  // namespace uir::transform
