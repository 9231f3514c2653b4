// Common subexpression elimination.
#include <tschema/pointer_map.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/launch.h>
#include <uir/transform/common_subexpr_elim.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/tir_passes.h>
#include <uir/transform/with_body.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../analysis/value_numbers.h"

namespace uir::transform {

namespace {

/*! \brief Numbers all values of a function, and records their uses. */
class UseCollector : public tir::StmtVisitor {
 public:
  /*! \brief Whether each variable is bound once, and each statement occurs once. */
  bool is_ssa = true;
  ValueNumbers numbers;

  void Run(const tir::Stmt& body) {
    VisitList(body, {-1, 0});
    numbers.Settle();
  }

  /*! \brief The statement at a place. */
  const tir::StmtNode* StmtAt(Place place) const {
    const tir::StmtNode* list = lists_[place.list];
    if (!list->IsInstance<tir::SeqStmtNode>()) return list;
    return static_cast<const tir::SeqStmtNode*>(list)->seq[place.position].get();
  }

  void VisitPrimExpr(const ir::PrimExpr& expr) override { numbers.Use(expr, place_); }

  void VisitStmt(const tir::Stmt& stmt) override {
    is_ssa &= seen_.Insert(stmt.get(), true).second;
    // Without SSA form, this numbering is unused: the function is converted first.
    if (is_ssa) StmtVisitor::VisitStmt(stmt);
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitBind(const tir::BindNode* op) override {
    VisitPrimExpr(op->value);
    BindVar(op->var);
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    const std::optional<tir::IterVar> axis = tir::LaunchedAxis(op);
    // A thread index may be bound repeatedly.
    if (axis && !launched_.Insert((*axis)->var.get(), true).second) {
      numbers.BindAgain((*axis)->var.get());
    }
    VisitBody(op->body);
  }

  void VisitAllocBuffer(const tir::AllocBufferNode*) override {}

  void VisitDeclBuffer(const tir::DeclBufferNode*) override {}

  void VisitIfThenElse(const tir::IfThenElseNode* op) override {
    VisitPrimExpr(op->condition);
    VisitBody(op->then_case);
    if (op->else_case.has_value()) VisitBody(op->else_case.value());
  }

  void VisitFor(const tir::ForNode* op) override {
    VisitPrimExpr(op->min);
    VisitPrimExpr(op->extent);
    if (op->step.has_value()) VisitPrimExpr(op->step.value());
    BindVar(op->loop_var);
    const Place outer = place_;
    place_ = NewList(op->body, outer);
    const std::vector<int32_t> factors = numbers.EnterLoop(op->extent, place_.list);
    VisitStmt(op->body);
    numbers.LeaveLoop(factors);
    place_ = outer;
  }

  void VisitWhile(const tir::WhileNode* op) override {
    VisitPrimExpr(op->condition);
    VisitBody(op->body);
  }

  void VisitBlock(const tir::BlockNode* op) override {
    // No statement contains both the initialization and the body in the scope of the variables.
    const bool is_local = op->init.has_value();
    for (const tir::IterVar& axis : op->iter_vars) BindVar(axis->var, is_local);
    if (op->init.has_value()) VisitBody(op->init.value());
    VisitBody(op->body);
  }

  void VisitSeqStmt(const tir::SeqStmtNode* op) override {
    for (const tir::Stmt& stmt : op->seq) {
      VisitStmt(stmt);
      ++place_.position;
    }
  }

 private:
  void BindVar(const tir::Var& var, bool is_local = false) {
    is_ssa &= bound_.Insert(var.get(), true).second;
    numbers.Bind(var.get(), is_local);
  }

  void VisitBody(const tir::Stmt& body) { VisitList(body, place_); }

  void VisitList(const tir::Stmt& body, Place outer) {
    place_ = NewList(body, outer);
    VisitStmt(body);
    place_ = outer;
  }

  Place NewList(const tir::Stmt& body, Place outer) {
    lists_.push_back(body.get());
    return {numbers.NewList(outer), 0};
  }

  Place place_ = {-1, 0};
  std::vector<const tir::StmtNode*> lists_;
  tschema::PointerMap<bool> bound_;
  /*! \brief The indices of launched threads. */
  tschema::PointerMap<bool> launched_;
  tschema::PointerMap<bool> seen_;
};

/*! \brief Binds repeated values to variables, and replaces their uses. */
class UseReplacer : public LinearMutator {
 public:
  explicit UseReplacer(const UseCollector& uses)
      : numbers_(uses.numbers),
        variables_(numbers_.entries.size()),
        rewritten_(numbers_.entries.size()) {
    int count = 0;
    for (size_t value = 0; value < numbers_.entries.size(); ++value) {
      const ValueEntry& entry = numbers_.entries[value];
      if (!IsWorthwhile(entry)) continue;
      const tir::Var var("cse_v" + std::to_string(++count), entry.expr->dtype);
      variables_[value] = var;
      values_before_[uses.StmtAt(entry.place)].push_back(static_cast<int32_t>(value));
    }
  }

  bool IsIdle() const { return values_before_.empty() && !numbers_.has_equal_choices; }

  tir::Stmt VisitStmt(tir::Stmt stmt) override {
    const auto found = values_before_.find(stmt.get());
    if (found == values_before_.end()) return StmtMutator::VisitStmt(std::move(stmt));
    ffi::Array<tir::Stmt> stmts;
    for (const int32_t value : found->second) stmts.push_back(MakeBind(value));
    stmts.push_back(StmtMutator::VisitStmt(std::move(stmt)));
    return tir::SeqStmt(std::move(stmts));
  }

  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override {
    const int32_t* value = numbers_.values.Find(expr.get());
    if (value == nullptr) return expr;
    const ffi::Optional<tir::Var>& var = variables_[*value];
    if (var.has_value()) return var.value();
    if (numbers_.entries[*value].num_uses == 0) return expr;
    if (!numbers_.has_equal_choices) return LinearMutator::VisitPrimExpr(std::move(expr));
    // Equal parts of choices become one node, which visitors visit once.
    if (!rewritten_[*value].has_value()) {
      ir::PrimExpr rewritten = LinearMutator::VisitPrimExpr(std::move(expr));
      rewritten_[*value] = std::move(rewritten);
    }
    return rewritten_[*value].value();
  }

 protected:
  using StmtMutator::VisitDefault;

  // Nodes without numbers stay, even if they contain an expression that is numbered elsewhere.
  tir::Buffer RewriteBuffer(const tir::BufferNode* op) override { return Same<tir::Buffer>(op); }
  tir::BufferRegion VisitBufferRegion(const tir::BufferRegionNode* op) override {
    return Same<tir::BufferRegion>(op);
  }
  tir::MatchBufferRegion VisitMatchBufferRegion(const tir::MatchBufferRegionNode* op) override {
    return Same<tir::MatchBufferRegion>(op);
  }
  tir::IterVar VisitIterVar(const tir::IterVarNode* op) override { return Same<tir::IterVar>(op); }

  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override {
    tir::Stmt body = VisitStmt(op->body);
    if (body.same_as(op->body)) return Same<tir::Stmt>(op);
    return tir::AttrStmt(op->node, op->attr_key, op->value, std::move(body), op->span);
  }

 private:
  template <typename Ref>
  static Ref Same(const typename Ref::ContainerType* op) {
    return ffi::GetRef<Ref>(op);
  }

  bool IsWorthwhile(const ValueEntry& entry) const {
    const DLDataType dtype = entry.expr->dtype;
    return entry.count >= 2 && entry.num_uses > 0 && entry.is_kept && !IsCondition(entry.expr) &&
           numbers_.IsComputable(entry) && (ir::IsScalar(dtype) || ir::IsFloat(dtype));
  }

  tir::Stmt MakeBind(int32_t value) {
    const ir::PrimExprNode* expr = numbers_.entries[value].expr;
    // Variables replace the operands, not the expression itself.
    ir::PrimExpr rewritten = LinearMutator::VisitPrimExpr(ffi::GetRef<ir::PrimExpr>(expr));
    return tir::Bind(variables_[value].value(), std::move(rewritten), expr->span);
  }

  const ValueNumbers& numbers_;
  /*! \brief The variable that holds each value. */
  std::vector<ffi::Optional<tir::Var>> variables_;
  /*! \brief The only node of each rewritten value. */
  std::vector<ffi::Optional<ir::PrimExpr>> rewritten_;
  std::unordered_map<const tir::StmtNode*, std::vector<int32_t>> values_before_;
};

}  // namespace

tir::PrimFunc CommonSubexprElim(tir::PrimFunc func) {
  UseCollector uses;
  uses.Run(func->body);
  if (!uses.is_ssa) {
    const std::optional<tir::Stmt> body = UnshareStmts(func->body);
    if (!body) return func;
    const tir::PrimFunc converted = ConvertSSA(WithBody(func, *body));
    tir::PrimFunc changed = CommonSubexprElim(converted);
    return changed.same_as(converted) ? func : changed;
  }
  UseReplacer replacer(uses);
  return replacer.IsIdle() ? func : WithBody(func, replacer(func->body));
}

Pass CommonSubexprElim() {
  auto run = [](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    return CommonSubexprElim(std::move(func));
  };
  return MakePrimFuncPass(run, 0, "CommonSubexprElim");
}

}  // namespace uir::transform
