// Index arithmetic in narrower types: first what can be narrowed, then how.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/arith/data.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
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

#include "../rewrite/narrow_expr.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

using arith::Interval;
using ir::PrimExpr;
using tir::Stmt;

PrimExpr MakeInt64(DLDataType dtype, int64_t value) { return ir::IntImm(dtype, value); }

/*! \brief Learns the ranges of the variables that loops and bindings have. */
class RangeFinder : public LinearVisitor {
 public:
  RangeFinder(arith::Analyzer analyzer, int bits) : analyzer_(std::move(analyzer)), bits_(bits) {}

  /*! \brief Whether there is a wide integer at all, other than in constants. */
  bool has_wide = false;
  std::unordered_map<const tir::VarNode*, Interval> ranges;

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (has_wide || !IsNew(expr)) return;
    has_wide = IsWider(expr->dtype, bits_);
    StmtVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitFor(const tir::ForNode* op) override {
    if (IsWider(op->loop_var->dtype, bits_)) {
      has_wide = true;
      const Interval min = analyzer_->BoundOf(op->min);
      // The end is computed too.
      AddRange(op->loop_var, {min.min, Add(min, analyzer_->BoundOf(op->extent)).max},
               op->kind != tir::ForKind::kThreadBinding);
    }
    StmtVisitor::VisitFor(op);
  }

  // What only reads variables is not looked into once it is known that there are wide ones.
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    if (!has_wide) StmtVisitor::VisitBufferStore(op);
  }

  void VisitEvaluate(const tir::EvaluateNode* op) override {
    if (!has_wide) StmtVisitor::VisitEvaluate(op);
  }

  void VisitBind(const tir::BindNode* op) override {
    arith::BindDefinition(analyzer_, op->var, op->value);
    if (IsWider(op->var->dtype, bits_) && ir::IsScalar(op->var->dtype)) {
      has_wide = true;
      AddRange(op->var, analyzer_->BoundOf(op->value), true);
    }
    StmtVisitor::VisitBind(op);
  }

 private:
  void AddRange(const tir::Var& var, Interval range, bool may_narrow) {
    const auto [found, is_new] = ranges.emplace(var.get(), may_narrow ? range : Interval{});
    // A variable that is bound several times has all those values.
    if (!is_new) found->second = Union(found->second, may_narrow ? range : Interval{});
    const Interval whole = found->second;
    const Interval count =
        Add(Sub(Interval::Point(whole.max), Interval::Point(whole.min)), Interval::Point(1));
    const bool is_known = whole.IsBounded() && !whole.IsEmpty() &&
                          arith::IntervalOf(var->dtype).Contains(count) &&
                          arith::IntervalOf(var->dtype).Contains(whole);
    if (!is_known) return;
    analyzer_->Bind(var,
                    ir::Range(MakeInt64(var->dtype, whole.min), MakeInt64(var->dtype, count.min)));
  }

  arith::Analyzer analyzer_;
  int bits_;
};

/*! \brief Finds variables that are used in wide arithmetic, and are better wide themselves. */
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

/*! \brief Puts narrow arithmetic in the place of wide one. */
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
    return tir::For(found->second, Bring(op->min), Bring(op->extent), op->kind, VisitStmt(op->body),
                    op->thread_binding, op->annotations, std::move(step), op->span);
  }

  Stmt VisitBind(const tir::BindNode* op) override {
    const auto found = vars_.find(op->var.get());
    if (found == vars_.end()) return StmtMutator::VisitBind(op);
    return tir::Bind(found->second, Bring(op->value), op->span);
  }

  ffi::Any VisitNote(const ffi::Any& node) override {
    const auto* var = node.as<tir::VarNode>();
    const auto found = var == nullptr ? vars_.end() : vars_.find(var);
    return found == vars_.end() ? LinearMutator::VisitNote(node) : ffi::Any(found->second);
  }

 private:
  ffi::Array<PrimExpr> Indices(const ffi::Array<PrimExpr>& before) {
    ffi::Array<PrimExpr> after = before;
    for (int64_t i = 0; i < static_cast<int64_t>(before.size()); ++i) {
      const PrimExpr index = before[i];
      const bool narrows = IsWider(index->dtype, bits_) && fits_->Fits(index);
      PrimExpr result = narrows ? narrow_(index) : VisitPrimExpr(index);
      if (!result.same_as(index)) after.Set(i, std::move(result));
    }
    return after;
  }

  /*! \brief Compute a value that fits in the narrow type, even if its steps do not. */
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
  RangeFinder finder(analyzer, target_bits);
  finder.VisitStmt(stmt);
  if (!finder.has_wide) return stmt;
  FitCheck fits(analyzer, target_bits);
  WideFinder wide(&fits, target_bits);
  wide.VisitStmt(stmt);
  const Interval range = arith::IntervalOf(ir::IntType(target_bits));
  NarrowVars vars;
  for (const auto& [var, values] : finder.ranges) {
    if (!range.Contains(values) || wide.wide.count(var) != 0) continue;
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
