// The ranges of integer variables, from loops, threads, blocks and bindings.
#include "./variable_ranges.h"

#include <tvm/ffi/cast.h>
#include <uir/arith/data.h>
#include <uir/tir/block.h>
#include <uir/tir/launch.h>
#include <uir/transform/linear_visitor.h>

#include <algorithm>
#include <utility>

namespace uir::transform {

namespace {

using arith::Interval;
using ir::PrimExpr;

PrimExpr MakeInt64(DLDataType dtype, int64_t value) { return ir::IntImm(dtype, value); }

/*! \brief Finds the ranges of the variables of loops, threads, blocks and bindings. */
class RangeFinder : public LinearVisitor {
 public:
  RangeFinder(arith::Analyzer analyzer, int bits) : analyzer_(std::move(analyzer)), bits_(bits) {}

  /*! \brief Whether an integer other than a constant is wide. */
  bool has_wide = false;

  std::unordered_map<const tir::VarNode*, VariableRange> ranges;

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (has_wide || !IsNew(expr)) return;
    has_wide = IsWider(expr->dtype, bits_);
    StmtVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitFor(const tir::ForNode* op) override {
    AddCounter(op->loop_var, op->min, op->extent);
    StmtVisitor::VisitFor(op);
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (const std::optional<tir::IterVar> axis = tir::LaunchedAxis(op)) {
      AddCounter((*axis)->var, MakeInt64(op->value->dtype, 0), op->value);
      AddDomain(*axis);
    }
    StmtVisitor::VisitAttrStmt(op);
  }

  void VisitBlock(const tir::BlockNode* op) override {
    for (const tir::IterVar& axis : op->iter_vars) AddDomain(axis);
    StmtVisitor::VisitBlock(op);
  }

  // Statements that bind no variable are searched only until a wide integer is found.
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
      const Interval bound = analyzer_->BoundOf(op->value);
      AddRange(op->var, bound, bound);
    }
    StmtVisitor::VisitBind(op);
  }

 private:
  void AddDomain(const tir::IterVar& axis) {
    if (!axis->dom.has_value()) return;
    AddCounter(axis->var, axis->dom.value()->min, axis->dom.value()->extent);
  }

  /*! \brief Add the values of a counter; its end is computed in its type too. */
  void AddCounter(const tir::Var& var, const PrimExpr& min, const PrimExpr& extent) {
    has_wide |= IsWider(var->dtype, bits_);
    const Interval first = analyzer_->BoundOf(min);
    const Interval end = Add(first, analyzer_->BoundOf(extent));
    const Interval last = Sub(end, Interval::Point(1));
    AddRange(var, {first.min, std::max(first.min, last.max)}, {first.min, end.max});
  }

  void AddRange(const tir::Var& var, Interval values, Interval needed) {
    const auto [found, is_new] = ranges.emplace(var.get(), VariableRange{values, needed});
    VariableRange& range = found->second;
    // A variable with more than one binding has the values of all bindings.
    if (!is_new) range = {Union(range.values, values), Union(range.needed, needed)};
    const Interval whole = range.values;
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

}  // namespace

VariableRanges FindVariableRanges(const tir::Stmt& stmt, arith::Analyzer analyzer, int bits) {
  RangeFinder finder(std::move(analyzer), bits);
  finder.VisitStmt(stmt);
  return {finder.has_wide, std::move(finder.ranges)};
}

}  // namespace uir::transform
