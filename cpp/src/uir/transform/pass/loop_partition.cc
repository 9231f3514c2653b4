// Partitioning of loops into parts with and without checks.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/transform/analyzing_mutator.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/loop_partition.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/with_body.h>

#include <utility>

#include "../analysis/likely_bounds.h"
#include "../analysis/loop_jumps.h"
#include "../rewrite/no_op.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief Replaces conditions that hold by true, and removes constant conditionals. */
class Settler : public LinearMutator {
 public:
  explicit Settler(const std::unordered_set<const tir::CallNode*>* notes) : notes_(notes) {}

 protected:
  PrimExpr VisitCall(const tir::CallNode* op) override {
    if (notes_->count(op) != 0) return ir::IntImm(ir::BoolType(), 1, op->span);
    return LinearMutator::VisitCall(op);
  }

  Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override {
    const bool holds = tir::IntConstOf(VisitPrimExpr(op->condition)).value_or(0) != 0;
    return holds ? VisitStmt(op->then_case) : LinearMutator::VisitIfThenElse(op);
  }

 private:
  const std::unordered_set<const tir::CallNode*>* notes_;
};

/*! \brief Removes the `tir.likely` marks. */
class NoteRemover : public LinearMutator {
 protected:
  PrimExpr VisitCall(const tir::CallNode* op) override {
    if (IsLikely(op)) return VisitPrimExpr(op->args[0]);
    return LinearMutator::VisitCall(op);
  }
};

class Partitioner : public AnalyzingMutator {
 public:
  explicit Partitioner(bool partition_const_loop)
      : AnalyzingMutator(arith::Analyzer()), partition_const_loop_(partition_const_loop) {}

  /*! \brief Expressions stay as they are. */
  PrimExpr VisitPrimExpr(PrimExpr expr) override { return expr; }

 protected:
  Stmt VisitFor(const tir::ForNode* op) override {
    if (!IsCandidate(op)) return AnalyzingMutator::VisitFor(op);
    const LikelyBounds bounds = FindLikelyBounds(op, analyzer());
    if (bounds.notes.empty()) return AnalyzingMutator::VisitFor(op);
    return Partition(op, bounds);
  }

 private:
  bool IsCandidate(const tir::ForNode* op) const {
    const bool has_kind = op->kind == tir::ForKind::kSerial || op->kind == tir::ForKind::kParallel;
    const DLDataType dtype = op->loop_var->dtype;
    if (!has_kind || op->step.has_value() || dtype.code != kDLInt || dtype.bits < 32) return false;
    if (DependsOnMemory(op->min) || DependsOnMemory(op->extent)) return false;
    // `break` would leave one part only.
    if (FindLoopJumps(op->body).has_break) return false;
    const bool is_const =
        op->min.as<ir::IntImmNode>() != nullptr && op->extent.as<ir::IntImmNode>() != nullptr;
    return !is_const || partition_const_loop_ || op->annotations.count(kLoopPartitionHint) != 0;
  }

  Stmt Partition(const tir::ForNode* op, const LikelyBounds& bounds) {
    const PrimExpr end = Simple(tir::Add(op->min, op->extent));
    PrimExpr begin_mid = op->min;
    for (const PrimExpr& bound : bounds.lower) begin_mid = Simple(tir::Max(begin_mid, bound));
    PrimExpr end_mid = end;
    for (const PrimExpr& bound : bounds.upper) end_mid = Simple(tir::Min(end_mid, bound));
    // Where no iteration is without checks there is nothing to gain.
    if (analyzer()->CanProveLessEqual(end_mid, begin_mid)) return AnalyzingMutator::VisitFor(op);
    begin_mid = Simple(tir::Min(begin_mid, end));
    end_mid = Simple(tir::Max(end_mid, begin_mid));
    ffi::Array<Stmt> parts;
    Append(op, op->min, begin_mid, op->body, &parts);
    Append(op, begin_mid, end_mid, VisitMid(op, bounds, begin_mid, end_mid), &parts);
    Append(op, end_mid, end, op->body, &parts);
    return parts.size() == 1 ? parts[0] : tir::SeqStmt(std::move(parts), op->span);
  }

  /*! \brief The body without what need not be checked, whose loops are partitioned in turn. */
  Stmt VisitMid(const tir::ForNode* op, const LikelyBounds& bounds, const PrimExpr& begin,
                const PrimExpr& end) {
    const Stmt body = Settler(&bounds.notes).VisitStmt(op->body);
    return VisitIn(op->loop_var, begin, Simple(tir::Sub(end, begin)), body);
  }

  PrimExpr Simple(const PrimExpr& expr) { return analyzer()->Simplify(expr); }

  void Append(const tir::ForNode* op, const PrimExpr& begin, const PrimExpr& end, Stmt body,
              ffi::Array<Stmt>* parts) {
    if (analyzer()->CanProveLessEqual(end, begin)) return;
    ffi::Map<ffi::String, ffi::Any> annotations = op->annotations;
    annotations.erase(kLoopPartitionHint);
    parts->push_back(tir::For(op->loop_var, begin, Simple(tir::Sub(end, begin)), op->kind,
                              std::move(body), std::nullopt, std::move(annotations), std::nullopt,
                              op->span));
  }

  bool partition_const_loop_;
};

}  // namespace

Stmt LoopPartition(Stmt stmt, bool partition_const_loop) {
  return NoteRemover().VisitStmt(Partitioner(partition_const_loop).VisitStmt(std::move(stmt)));
}

Pass LoopPartition() {
  auto partition = [](tir::PrimFunc func, const ir::IRModule&, const PassContext& context) {
    const auto options = OptionsOf<LoopPartitionOptions>(context);
    Stmt body = LoopPartition(func->body, options->partition_const_loop);
    if (body.same_as(func->body)) return func;
    // The parts of a loop get variables of their own.
    return ConvertSSA(WithBody(std::move(func), std::move(body)));
  };
  return MakePrimFuncPass(partition, 0, "LoopPartition");
}

}  // namespace uir::transform
