// Dependences between iterations.
#include "./dependence.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/effects.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "../loop_nest.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

class AccessCollector : public tir::StmtVisitor {
 public:
  using StmtVisitor::VisitDefault;
  Accesses found;

  void VisitFor(const tir::ForNode* op) override {
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    if (op->step.has_value()) SetOpaque(ffi::GetRef<tir::For>(op));
    loops_.push_back(ffi::GetRef<tir::For>(op));
    VisitStmt(op->body);
    loops_.pop_back();
  }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    const auto load = ffi::GetRef<tir::BufferLoad>(op);
    found.all.push_back({op->buffer, op->indices, false, load, store_, loops_});
    for (const PrimExpr& index : op->indices) VisitPrimExpr(index);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    const auto* before = std::exchange(store_, op);
    VisitPrimExpr(op->value);
    store_ = before;
    for (const PrimExpr& index : op->indices) VisitPrimExpr(index);
    if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
    const auto store = ffi::GetRef<tir::BufferStore>(op);
    found.all.push_back({op->buffer, op->indices, true, store, op, loops_});
  }

  void VisitBind(const tir::BindNode* op) override {
    found.bound.push_back(op->var);
    VisitPrimExpr(op->value);
  }

  void VisitLet(const tir::LetNode* op) override {
    found.bound.push_back(op->var);
    StmtVisitor::VisitLet(op);
  }

  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    found.allocated.insert(op->buffer->data.get());
    found.defined.insert(op->buffer.get());
  }
  void VisitDeclBuffer(const tir::DeclBufferNode* op) override {
    found.defined.insert(op->buffer.get());
  }

  void VisitCall(const tir::CallNode* op) override {
    const auto call = ffi::GetRef<tir::Call>(op);
    const auto is_address = [](const PrimExpr& arg) { return ir::IsHandle(arg->dtype); };
    const bool takes_address = std::any_of(op->args.begin(), op->args.end(), is_address);
    if (takes_address || transform::HasEffect(call)) SetOpaque(call);
    StmtVisitor::VisitCall(op);
  }

  void VisitWhile(const tir::WhileNode* op) override { SetOpaque(ffi::GetRef<tir::Stmt>(op)); }
  void VisitBreak(const tir::BreakNode* op) override { SetOpaque(ffi::GetRef<tir::Stmt>(op)); }
  void VisitContinue(const tir::ContinueNode* op) override {
    SetOpaque(ffi::GetRef<tir::Stmt>(op));
  }
  void VisitAssertStmt(const tir::AssertStmtNode* op) override {
    SetOpaque(ffi::GetRef<tir::Stmt>(op));
  }
  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    SetOpaque(ffi::GetRef<tir::Stmt>(op));
  }
  void VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    SetOpaque(ffi::GetRef<tir::Stmt>(op));
  }

 private:
  void SetOpaque(ffi::ObjectRef node) {
    if (!found.opaque) found.opaque = std::move(node);
  }

  std::vector<tir::For> loops_;
  const tir::BufferStoreNode* store_ = nullptr;
};

/*! \brief Two iterations, with ranges for the variables of both; renames those of the second. */
class IterationPair {
 public:
  explicit IterationPair(const std::vector<tir::For>& outer) {
    for (const tir::For& loop : outer) Bind(loop->loop_var, loop->min, loop->extent);
  }

  /*! \brief Note a loop around both; return whether there are such iterations. */
  bool AddCommon(const tir::For& loop, Direction direction) {
    Bind(loop->loop_var, loop->min, loop->extent);
    if (direction == Direction::kSame) return true;
    if (const auto extent = tir::IntConstOf(loop->extent); extent && *extent <= 1) return false;
    const tir::Var distance("distance", loop->loop_var->dtype);
    const PrimExpr extent = transform::Substitute(loop->extent, other_);
    const PrimExpr one = tir::make_const(1, distance->dtype);
    analyzer_->Bind(distance, ir::Range(one, extent - one));
    analyzer_->Assume(distance >= one);
    const PrimExpr shifted =
        direction == Direction::kLater ? loop->loop_var + distance : loop->loop_var - distance;
    analyzer_->Assume(shifted < loop->min + loop->extent);
    analyzer_->Assume(shifted >= loop->min);
    other_.Set(loop->loop_var, shifted);
    return true;
  }

  void AddOfFirst(const tir::For& loop) { Bind(loop->loop_var, loop->min, loop->extent); }

  void AddOfSecond(const tir::For& loop) {
    const tir::Var renamed(loop->loop_var->name, loop->loop_var->dtype);
    Bind(renamed, transform::Substitute(loop->min, other_),
         transform::Substitute(loop->extent, other_));
    other_.Set(loop->loop_var, renamed);
  }

  void Rename(const tir::Var& var) { other_.Set(var, tir::Var(var->name, var->dtype)); }

  bool AreDifferent(const PrimExpr& a, const PrimExpr& b) const {
    if (!ir::IsScalar(a->dtype) || !ir::IsScalar(b->dtype) || a->dtype != b->dtype) return false;
    if (transform::DependsOnMemory(a) || transform::DependsOnMemory(b)) return false;
    const PrimExpr difference = analyzer_->Simplify(a - transform::Substitute(b, other_));
    const PrimExpr zero = tir::make_const(0, a->dtype);
    return analyzer_->CanProve(difference < zero) || analyzer_->CanProve(difference > zero) ||
           analyzer_->CanProve(tir::not_equal(difference, zero));
  }

 private:
  void Bind(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent) const {
    analyzer_->Bind(var, ir::Range(min, extent));
  }

  arith::Analyzer analyzer_;
  transform::Substitution other_;
};

}  // namespace

Accesses AccessesOf(const tir::Stmt& stmt) {
  AccessCollector collector;
  collector.VisitStmt(stmt);
  return std::move(collector.found);
}

DependenceTest::DependenceTest(const tir::PrimFunc& func, const std::vector<tir::For>& outer,
                               const Accesses& accesses)
    : has_no_aliases_(tir::HasNoAliases(func.get())), outer_(outer), accesses_(accesses) {}

bool DependenceTest::MayOverlap(const Access& a, const Access& b) const {
  if (!a.is_store && !b.is_store) return false;
  if (accesses_.allocated.count(a.buffer->data.get()) != 0) return false;
  return a.buffer->data.same_as(b.buffer->data) || !has_no_aliases_;
}

bool DependenceTest::MayConflict(const Access& a, const Access& b,
                                 const std::vector<tir::For>& loops,
                                 const std::vector<Direction>& directions) const {
  if (!MayOverlap(a, b)) return false;
  IterationPair pair(outer_);
  for (size_t i = 0; i < loops.size(); ++i) {
    if (!pair.AddCommon(loops[i], directions[i])) return false;
  }
  if (!a.buffer.same_as(b.buffer)) return true;
  const auto is_inner = [&](const tir::For& loop) {
    return std::none_of(loops.begin(), loops.end(),
                        [&](const tir::For& common) { return common.same_as(loop); });
  };
  for (const tir::For& loop : a.loops) {
    if (is_inner(loop)) pair.AddOfFirst(loop);
  }
  for (const tir::For& loop : b.loops) {
    if (is_inner(loop)) pair.AddOfSecond(loop);
  }
  for (const tir::Var& var : accesses_.bound) pair.Rename(var);
  for (size_t i = 0; i < a.indices.size(); ++i) {
    if (pair.AreDifferent(a.indices[i], b.indices[i])) return false;
  }
  return true;
}

bool IsUpdate(const tir::BufferStoreNode* store) {
  const auto* update = store->value.as<tir::BinaryOpNode>();
  if (update == nullptr) return false;
  const bool commutes = update->IsInstance<tir::AddNode>() || update->IsInstance<tir::MulNode>() ||
                        update->IsInstance<tir::MinNode>() || update->IsInstance<tir::MaxNode>();
  const auto* load = commutes ? update->a.as<tir::BufferLoadNode>() : nullptr;
  return load != nullptr && load->buffer.same_as(store->buffer) &&
         tschema::StructuralEqual(load->indices, store->indices) &&
         !Reads(update->b, store->buffer);
}

}  // namespace uir::schedule
