// The bindings and conditions of a loop's body that do not depend on the loop.
#include "./hoist_candidates.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_visitor.h>

#include <optional>
#include <utility>

#include "./speculation.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief Whether a call is `tir.if_then_else`. */
bool IsChoice(const tir::CallNode* call) {
  // Never destroyed, because passes may run during static destruction.
  static const ir::Op* const choice = new ir::Op(ir::get_op("tir.if_then_else"));
  return call->op.get() == choice->get();
}

/*! \brief Collects the variables that conditions use. */
class ConditionVars : public LinearVisitor {
 public:
  std::unordered_set<const tir::VarNode*> vars;

 protected:
  void VisitIfThenElse(const tir::IfThenElseNode* op) override {
    Add(op->condition);
    LinearVisitor::VisitIfThenElse(op);
  }
  void VisitCall(const tir::CallNode* op) override {
    if (IsChoice(op)) Add(op->args[0]);
    LinearVisitor::VisitCall(op);
  }

 private:
  void Add(const PrimExpr& condition) {
    tschema::Walk(condition, [&](const tir::VarNode* var) { vars.insert(var); });
  }
};

class HoistFinder : public LinearVisitor {
 public:
  HoistFinder(const tir::Var& var, bool runs, const arith::Analyzer& analyzer,
              const HoistRules& rules)
      : analyzer_(analyzer), rules_(rules), is_certain_(runs) {
    bound_.insert(var.get());
  }

  HoistCandidates found;

  /*! \brief Find the bindings at the top of the body. */
  void FindBindings(const Stmt& body) {
    if (rules_.let_bindings == 0) return;
    ConditionVars used;
    const bool all = rules_.Has(HoistedLetBindings::kLetStmt);
    if (!all && rules_.Has(HoistedLetBindings::kRequiredByCondition)) used.VisitStmt(body);
    const auto* seq = body.as<tir::SeqStmtNode>();
    const ffi::Array<Stmt> stmts = seq != nullptr ? seq->seq : ffi::Array<Stmt>{body};
    for (auto stmt = stmts.rbegin(); stmt != stmts.rend(); ++stmt) AddUses(*stmt, &used);
    const bool runs = is_certain_;
    for (const Stmt& stmt : stmts) {
      const auto* bind = stmt.as<tir::BindNode>();
      // Any other statement may leave the loop or the function.
      if (bind == nullptr) is_certain_ = false;
      if (bind == nullptr) continue;
      const bool is_asked = all || used.vars.count(bind->var.get()) != 0;
      if (is_asked && IsInvariant(bind->value)) {
        found.bindings.push_back(stmt);
        found.hoisted.insert(bind);
      } else {
        bound_.insert(bind->var.get());
      }
    }
    is_certain_ = runs;
  }

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (!IsLeaf(expr)) LinearVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitIfThenElse(const tir::IfThenElseNode* op) override {
    if (rules_.Has(HoistedConditionals::kIfElseStmt)) AddCondition(op->condition);
    VisitPrimExpr(op->condition);
    const bool was_certain = std::exchange(is_certain_, false);
    VisitStmt(op->then_case);
    if (op->else_case.has_value()) VisitStmt(op->else_case.value());
    is_certain_ = was_certain;
  }

  /*! \brief Visit a sequence only if all statements before its last one bind without an effect. */
  void VisitSeqStmt(const tir::SeqStmtNode* op) override {
    const size_t size = op->seq.size();
    for (size_t i = 0; i + 1 < size; ++i) {
      const auto* bind = op->seq[i].as<tir::BindNode>();
      if (bind == nullptr || HasEffect(bind->value)) return;
    }
    for (const Stmt& stmt : op->seq) VisitStmt(stmt);
  }

  void VisitBind(const tir::BindNode* op) override {
    VisitPrimExpr(op->value);
    if (found.hoisted.count(op) == 0) bound_.insert(op->var.get());
  }

  void VisitFor(const tir::ForNode*) override {}
  void VisitWhile(const tir::WhileNode*) override {}
  void VisitBlockRealize(const tir::BlockRealizeNode*) override {}
  void VisitAllocBuffer(const tir::AllocBufferNode*) override {}
  void VisitDeclBuffer(const tir::DeclBufferNode*) override {}
  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    if (op->attr_key != "thread_extent") VisitStmt(op->body);
  }

  void VisitAnd(const tir::AndNode* op) override { VisitLogic(op->a, op->b); }
  void VisitOr(const tir::OrNode* op) override { VisitLogic(op->a, op->b); }

  void VisitCall(const tir::CallNode* op) override {
    if (!IsChoice(op)) return LinearVisitor::VisitCall(op);
    if (rules_.Has(HoistedConditionals::kIfElseExpr)) AddCondition(op->args[0]);
    VisitPrimExpr(op->args[0]);
    const bool was_certain = std::exchange(is_certain_, false);
    VisitPrimExpr(op->args[1]);
    VisitPrimExpr(op->args[2]);
    is_certain_ = was_certain;
  }

  void VisitLet(const tir::LetNode* op) override {
    VisitPrimExpr(op->value);
    if (rules_.Has(HoistedLetBindings::kLetExpr) && IsInvariant(op->value)) {
      found.bindings.push_back(tir::Bind(op->var, op->value, op->span));
      found.lets.insert(op);
    } else {
      bound_.insert(op->var.get());
    }
    VisitPrimExpr(op->body);
  }

 private:
  static bool IsLeaf(const PrimExpr& expr) {
    return expr->IsInstance<tir::VarNode>() || expr->IsInstance<ir::IntImmNode>();
  }

  /*! \brief Add the variables that the value of a used binding uses. */
  static void AddUses(const Stmt& stmt, ConditionVars* used) {
    const auto* bind = stmt.as<tir::BindNode>();
    if (bind == nullptr || used->vars.count(bind->var.get()) == 0) return;
    tschema::Walk(bind->value, [&](const tir::VarNode* var) { used->vars.insert(var); });
  }

  void VisitLogic(const PrimExpr& a, const PrimExpr& b) {
    if (rules_.Has(HoistedConditionals::kBooleanExpression)) AddCondition(a);
    VisitPrimExpr(a);
    const bool was_certain = std::exchange(is_certain_, false);
    if (rules_.Has(HoistedConditionals::kBooleanExpression)) AddCondition(b);
    VisitPrimExpr(b);
    is_certain_ = was_certain;
  }

  void AddCondition(const PrimExpr& condition) {
    constexpr size_t kMostConditions = 64;
    const bool is_scalar = ir::IsScalar(condition->dtype) && ir::IsBool(condition->dtype);
    if (!is_scalar || found.conditions.size() >= kMostConditions) return;
    if (tir::IntConstOf(condition) || !IsInvariant(condition)) return;
    if (!rules_.Has(HoistedConditionals::kUsingBlockVar) && UsesThread(condition)) return;
    found.conditions.push_back(condition);
  }

  bool IsInvariant(const PrimExpr& expr) const {
    const bool is_free = tschema::Walk(expr, [&](const tir::VarNode* var) {
      return bound_.count(var) != 0 ? tschema::kInterrupt : tschema::kAdvance;
    });
    if (!is_free || DependsOnMemory(expr)) return false;
    return is_certain_ || IsComputable(analyzer_, expr);
  }

  bool UsesThread(const PrimExpr& expr) const {
    return !tschema::Walk(expr, [&](const tir::VarNode* var) {
      return rules_.threads.count(var) != 0 ? tschema::kInterrupt : tschema::kAdvance;
    });
  }

  const arith::Analyzer& analyzer_;
  const HoistRules& rules_;
  /*! \brief Whether each run of the loop computes the present expression. */
  bool is_certain_;
  std::unordered_set<const tir::VarNode*> bound_;
};

}  // namespace

bool HoistRules::Crosses(const Stmt& scope) const {
  const auto* loop = scope.as<tir::ForNode>();
  if (loop == nullptr) return Has(HoistedConditionals::kUsingBlockVar);
  return loop->kind != tir::ForKind::kThreadBinding || crosses_thread_loops;
}

HoistCandidates FindHoistCandidates(const tir::Var& var, const Stmt& body, bool runs,
                                    const arith::Analyzer& analyzer, const HoistRules& rules) {
  HoistFinder finder(var, runs, analyzer, rules);
  finder.FindBindings(body);
  finder.VisitStmt(body);
  return std::move(finder.found);
}

}  // namespace uir::transform
