// Narrows index arithmetic: finds the expressions that fit in the narrow type, then rewrites them.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/linear_visitor.h>
#include <uir/transform/narrow_data_type.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/tir_passes.h>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "../analysis/variable_ranges.h"
#include "../rewrite/narrow_expr.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

using arith::Interval;
using ir::PrimExpr;
using tir::Stmt;

/*! \brief Finds variables that should stay wide, because wide arithmetic uses them. */
class WideFinder : public LinearVisitor {
 public:
  WideFinder(FitCheck* fits, int bits) : fits_(fits), bits_(bits) {}

  std::unordered_set<const tir::VarNode*> wide;

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (IsSharedTree(expr) && !seen_.insert({expr.get(), is_wide_}).second) return;
    StmtVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitVar(const tir::VarNode* op) override {
    if (is_wide_) wide.insert(op);
  }
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    for (const PrimExpr& index : op->indices) VisitRoot(index);
    if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    for (const PrimExpr& index : op->indices) VisitRoot(index);
    VisitPrimExpr(op->value);
    if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
  }
  void VisitBinaryOp(const tir::BinaryOpNode* op) override {
    VisitPrimExpr(op->a);
    VisitPrimExpr(op->b);
  }
  void VisitCmpOp(const tir::CmpOpNode* op) override {
    const bool fits = Fits(op->a) && Fits(op->b);
    VisitAs(op->a, !fits);
    VisitAs(op->b, !fits);
  }
  void VisitFor(const tir::ForNode* op) override {
    VisitRoot(op->min);
    VisitRoot(op->extent);
    VisitStmt(op->body);
  }
  void VisitBind(const tir::BindNode* op) override { VisitRoot(op->value); }
  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    VisitRoot(op->value);
    VisitStmt(op->body);
  }
  void VisitRange(const ir::RangeNode* op) override {
    VisitRoot(op->min);
    VisitRoot(op->extent);
  }
  void VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    for (const PrimExpr& value : op->iter_values) VisitRoot(value);
    VisitPrimExpr(op->predicate);
    VisitStmt(op->block);
  }

 private:
  bool Fits(const PrimExpr& expr) const {
    return !IsWider(expr->dtype, bits_) || fits_->Fits(expr);
  }
  void VisitRoot(const PrimExpr& expr) {
    if (IsWider(expr->dtype, bits_) && fits_->IsPlain(expr)) return;
    VisitAs(expr, !Fits(expr));
  }
  void VisitAs(const PrimExpr& expr, bool is_wide) {
    const bool outer = std::exchange(is_wide_, is_wide);
    VisitPrimExpr(expr);
    is_wide_ = outer;
  }

  struct PairHash {
    size_t operator()(const std::pair<const ir::PrimExprNode*, bool>& key) const {
      return std::hash<const void*>()(key.first) * 2 + (key.second ? 1 : 0);
    }
  };

  FitCheck* fits_;
  int bits_;
  /*! \brief Whether the present expression is computed in the wide type. */
  bool is_wide_ = false;
  std::unordered_set<std::pair<const ir::PrimExprNode*, bool>, PairHash> seen_;
};

/*! \brief Replaces wide arithmetic by narrow arithmetic. */
class DataTypeNarrower : public LinearMutator {
 public:
  DataTypeNarrower(FitCheck* fits, NarrowVars vars, int bits)
      : fits_(fits),
        vars_(std::move(vars)),
        bits_(bits),
        narrow_(&vars_, bits, [this](const PrimExpr& expr) { return VisitPrimExpr(expr); }) {}

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto found = vars_.find(op);
    if (found == vars_.end()) return ffi::GetRef<PrimExpr>(op);
    return tir::Cast(op->dtype, found->second);
  }

  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    ffi::Array<PrimExpr> indices = Indices(op->indices);
    ffi::Optional<PrimExpr> predicate = op->predicate;
    if (predicate.has_value()) predicate = VisitPrimExpr(predicate.value());
    const tir::Buffer buffer = UseOf(op->buffer);
    const bool is_same = buffer.same_as(op->buffer) && indices.same_as(op->indices) &&
                         predicate.same_as(op->predicate);
    if (is_same) return ffi::GetRef<PrimExpr>(op);
    return tir::BufferLoad(buffer, std::move(indices), std::move(predicate), op->span);
  }

  Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    ffi::Array<PrimExpr> indices = Indices(op->indices);
    PrimExpr value = VisitPrimExpr(op->value);
    ffi::Optional<PrimExpr> predicate = op->predicate;
    if (predicate.has_value()) predicate = VisitPrimExpr(predicate.value());
    const tir::Buffer buffer = UseOf(op->buffer);
    const bool is_same = buffer.same_as(op->buffer) && indices.same_as(op->indices) &&
                         value.same_as(op->value) && predicate.same_as(op->predicate);
    if (is_same) return ffi::GetRef<Stmt>(op);
    return tir::BufferStore(buffer, std::move(value), std::move(indices), std::move(predicate),
                            op->span);
  }

  PrimExpr VisitCmpOp(const tir::CmpOpNode* op) override {
    const bool narrows = IsWider(op->a->dtype, bits_) && fits_->Fits(op->a) && fits_->Fits(op->b);
    if (!narrows) return StmtMutator::VisitCmpOp(op);
    const auto copy = CopyOf<tir::CmpOp>(op);
    Write(copy)->a = narrow_(op->a);
    Write(copy)->b = narrow_(op->b);
    return copy;
  }

  PrimExpr VisitCast(const tir::CastNode* op) override {
    const bool narrows = IsWider(op->value->dtype, bits_) && fits_->Fits(op->value);
    return narrows ? tir::cast(narrow_(op->value), op->dtype) : StmtMutator::VisitCast(op);
  }

  Stmt VisitFor(const tir::ForNode* op) override {
    const auto found = vars_.find(op->loop_var.get());
    if (found == vars_.end()) return StmtMutator::VisitFor(op);
    ffi::Optional<PrimExpr> step = op->step;
    if (step.has_value()) step = Bring(step.value());
    ffi::Optional<tir::IterVar> thread = op->thread_binding;
    if (thread.has_value()) thread = ThreadOf(op, found->second);
    return tir::For(found->second, Bring(op->min), Bring(op->extent), op->kind, VisitStmt(op->body),
                    std::move(thread), op->annotations, std::move(step), op->span);
  }

  Stmt VisitBind(const tir::BindNode* op) override {
    const auto found = vars_.find(op->var.get());
    if (found == vars_.end()) return StmtMutator::VisitBind(op);
    return tir::Bind(found->second, Bring(op->value), op->span);
  }

  Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    const std::optional<tir::IterVar> axis = tir::LaunchedAxis(op);
    const bool narrows =
        axis && IsWider(op->value->dtype, bits_) && vars_.count((*axis)->var.get()) != 0;
    if (!narrows) return LinearMutator::VisitAttrStmt(op);
    return tir::AttrStmt(VisitNote(op->node), op->attr_key, Bring(op->value), VisitStmt(op->body),
                         op->span);
  }

  Stmt VisitBlockRealize(const tir::BlockRealizeNode* op) override {
    ffi::Array<PrimExpr> values = op->iter_values;
    for (int64_t i = 0; i < static_cast<int64_t>(values.size()); ++i) {
      const bool narrows = vars_.count(op->block->iter_vars[i]->var.get()) != 0;
      PrimExpr value = narrows ? Bring(values[i]) : VisitPrimExpr(values[i]);
      if (!value.same_as(values[i])) values.Set(i, std::move(value));
    }
    PrimExpr predicate = VisitPrimExpr(op->predicate);
    Stmt block = VisitStmt(op->block);
    const bool is_same = values.same_as(op->iter_values) && predicate.same_as(op->predicate) &&
                         block.same_as(op->block);
    if (is_same) return ffi::GetRef<Stmt>(op);
    return tir::BlockRealize(std::move(values), std::move(predicate), As<tir::Block>(block),
                             op->span);
  }

  tir::IterVar VisitIterVar(const tir::IterVarNode* op) override {
    const auto found = vars_.find(op->var.get());
    return found == vars_.end() ? LinearMutator::VisitIterVar(op) : Narrowed(op, found->second);
  }

  tir::BufferRegion VisitBufferRegion(const tir::BufferRegionNode* op) override {
    ffi::Array<ir::Range> region = op->region.Map([this](const ir::Range& range) {
      const bool narrows = IsWider(range->min->dtype, bits_) && fits_->Fits(range->min) &&
                           fits_->Fits(range->extent);
      if (!narrows) return VisitRange(range.get());
      return ir::Range(narrow_(range->min), narrow_(range->extent), range->span);
    });
    const tir::Buffer buffer = UseOf(op->buffer);
    const bool is_same = buffer.same_as(op->buffer) && region.same_as(op->region);
    return is_same ? ffi::GetRef<tir::BufferRegion>(op)
                   : tir::BufferRegion(buffer, std::move(region));
  }

  tir::Buffer RewriteBuffer(const tir::BufferNode* op) override {
    ffi::Array<PrimExpr> shape = Indices(op->shape);
    ffi::Array<PrimExpr> strides = Indices(op->strides);
    ffi::Optional<PrimExpr> offset = op->elem_offset;
    // The offset has the type of the extents.
    const bool is_wide = !shape.empty() && IsWider(shape[0]->dtype, bits_);
    if (offset.has_value() && !is_wide) offset = Index(offset.value());
    const bool is_same =
        shape.same_as(op->shape) && strides.same_as(op->strides) && offset.same_as(op->elem_offset);
    if (is_same) return LinearMutator::RewriteBuffer(op);
    const auto copy = CopyOf<tir::Buffer>(op);
    Write(copy)->shape = std::move(shape);
    Write(copy)->strides = std::move(strides);
    Write(copy)->elem_offset = std::move(offset);
    return LinearMutator::RewriteBuffer(copy.get());
  }

  ffi::Any VisitNote(const ffi::Any& node) override {
    if (const auto axis = node.as<tir::IterVar>()) return VisitIterVar(axis->get());
    const auto* var = node.as<tir::VarNode>();
    const auto found = var == nullptr ? vars_.end() : vars_.find(var);
    return found == vars_.end() ? LinearMutator::VisitNote(node) : ffi::Any(found->second);
  }

 private:
  ffi::Array<PrimExpr> Indices(const ffi::Array<PrimExpr>& before) {
    ffi::Array<PrimExpr> after = before;
    for (int64_t i = 0; i < static_cast<int64_t>(before.size()); ++i) {
      PrimExpr result = Index(before[i]);
      if (!result.same_as(before[i])) after.Set(i, std::move(result));
    }
    return after;
  }

  PrimExpr Index(const PrimExpr& expr) {
    const bool narrows = IsWider(expr->dtype, bits_) && fits_->Fits(expr);
    return narrows ? narrow_(expr) : VisitPrimExpr(expr);
  }

  tir::IterVar Narrowed(const tir::IterVarNode* axis, const tir::Var& var) {
    ffi::Optional<ir::Range> dom = axis->dom;
    if (dom.has_value()) dom = ir::Range(Bring(dom.value()->min), Bring(dom.value()->extent));
    return tir::IterVar(var, std::move(dom), axis->iter_type, axis->thread_tag, axis->span);
  }

  /*! \brief The thread axis of a loop whose variable is narrowed. */
  tir::IterVar ThreadOf(const tir::ForNode* loop, const tir::Var& var) {
    const tir::IterVar axis = loop->thread_binding.value();
    const bool fits = !axis->dom.has_value() || (fits_->Fits(axis->dom.value()->min) &&
                                                 fits_->Fits(axis->dom.value()->extent));
    if (!IsWider(axis->var->dtype, bits_) || !fits) return axis;
    return axis->var.same_as(loop->loop_var)
               ? Narrowed(axis.get(), var)
               : Narrowed(axis.get(), tir::Var(axis->var->name, var->dtype));
  }

  /*! \brief Compute a value that fits the narrow type, even if its intermediate results do not. */
  PrimExpr Bring(const PrimExpr& expr) {
    if (fits_->Fits(expr)) return narrow_(expr);
    return tir::cast(VisitPrimExpr(expr), ir::IntType(bits_));
  }

  FitCheck* fits_;
  NarrowVars vars_;
  int bits_;
  Narrower narrow_;
};

}  // namespace

Stmt NarrowDataType(Stmt stmt, int target_bits) {
  const arith::Analyzer analyzer;
  const VariableRanges known = FindVariableRanges(stmt, analyzer, target_bits);
  if (!known.has_wide) return stmt;
  FitCheck fits(analyzer, target_bits);
  WideFinder wide(&fits, target_bits);
  wide.VisitStmt(stmt);
  const Interval range = arith::IntervalOf(ir::IntType(target_bits));
  NarrowVars vars;
  for (const auto& [var, values] : known.ranges) {
    const bool narrows = IsWider(var->dtype, target_bits) && range.Contains(values.needed);
    if (!narrows || wide.wide.count(var) != 0) continue;
    vars.emplace(var, tir::Var(var->name, ir::IntType(target_bits), std::nullopt, var->span));
  }
  return DataTypeNarrower(&fits, std::move(vars), target_bits).VisitStmt(std::move(stmt));
}

Pass NarrowDataType(int64_t target_bits) {
  if (target_bits != 16 && target_bits != 32) {
    TVM_FFI_THROW(ValueError) << "NarrowDataType: `target_bits` must be 16 or 32, got "
                              << target_bits;
  }
  auto narrow = [target_bits](Stmt body, const PassContext&) {
    return NarrowDataType(std::move(body), static_cast<int>(target_bits));
  };
  return MakeBodyPass(narrow, "NarrowDataType");
}

}  // namespace uir::transform
