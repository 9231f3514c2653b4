// Hoisting of loop-invariant conditionals.
#include <tvm/ffi/cast.h>
#include <uir/tir/arith.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/effects.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/hoist_if_then_else.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/with_body.h>

#include <unordered_set>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief Looks whether a condition is the same in all iterations of a loop. */
class InvarianceCheck : public tir::PrimExprVisitor {
 public:
  explicit InvarianceCheck(const tir::VarNode* loop_var) : loop_var_(loop_var) {}

  bool depends = false;
  /*! \brief Whether it has a division that may have no value. */
  bool may_fail = false;

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (depends || (expr.use_count() > 1 && !seen_.insert(expr.get()).second)) return;
    PrimExprVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitVar(const tir::VarNode* op) override { depends = depends || op == loop_var_; }
  void VisitDiv(const tir::DivNode* op) override { VisitQuotient(op); }
  void VisitMod(const tir::ModNode* op) override { VisitQuotient(op); }
  void VisitFloorDiv(const tir::FloorDivNode* op) override { VisitQuotient(op); }
  void VisitFloorMod(const tir::FloorModNode* op) override { VisitQuotient(op); }

 private:
  void VisitQuotient(const tir::BinaryOpNode* op) {
    const auto* divisor = op->b.as<ir::IntImmNode>();
    may_fail = may_fail || divisor == nullptr || divisor->value == 0;
    VisitBinaryOp(op);
  }

  const tir::VarNode* loop_var_;
  std::unordered_set<const ir::PrimExprNode*> seen_;
};

bool IsHoistable(const tir::ForNode* loop, const PrimExpr& condition) {
  if (loop->kind == tir::ForKind::kThreadBinding) return false;
  InvarianceCheck check(loop->loop_var.get());
  check.VisitPrimExpr(condition);
  if (check.depends || DependsOnMemory(condition)) return false;
  // A loop that never runs does not compute the condition.
  const auto* extent = loop->extent.as<ir::IntImmNode>();
  return !check.may_fail || (extent != nullptr && extent->value > 0);
}

Stmt WithLoop(const tir::ForNode* loop, Stmt body) {
  return tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, std::move(body),
                  loop->thread_binding, loop->annotations, loop->step, loop->span);
}

/*! \brief Choices that a loop is moved into at most: each is made anew for each loop. */
constexpr int kMostChoices = 16;

/*! \brief A loop over a body; choices that are its whole body are moved out. */
Stmt Hoist(const tir::ForNode* loop, Stmt body, int num_choices = kMostChoices) {
  const auto* choice = num_choices > 0 ? body.as<tir::IfThenElseNode>() : nullptr;
  if (choice == nullptr || !IsHoistable(loop, choice->condition)) {
    return body.same_as(loop->body) ? ffi::GetRef<Stmt>(loop) : WithLoop(loop, std::move(body));
  }
  Stmt then_case = Hoist(loop, choice->then_case, num_choices - 1);
  ffi::Optional<Stmt> else_case = choice->else_case;
  if (else_case.has_value()) else_case = Hoist(loop, else_case.value(), num_choices - 1);
  return tir::IfThenElse(choice->condition, std::move(then_case), std::move(else_case),
                         choice->span);
}

class Hoister : public tir::StmtMutator {
 public:
  /*! \brief Expressions stay as they are. */
  PrimExpr VisitPrimExpr(PrimExpr expr) override { return expr; }

 protected:
  Stmt VisitFor(const tir::ForNode* op) override { return Hoist(op, VisitStmt(op->body)); }
  Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override {
    return VisitFlat(op, [this](const Stmt& stmt) { return VisitStmt(stmt); });
  }
};

}  // namespace

Stmt HoistIfThenElse(Stmt stmt) { return Hoister().VisitStmt(std::move(stmt)); }

namespace {

Pass MakeHoistIfThenElse() {
  auto hoist = [](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    Stmt body = HoistIfThenElse(func->body);
    if (body.same_as(func->body)) return func;
    // The loops of the two branches get variables of their own.
    return ConvertSSA(WithBody(std::move(func), std::move(body)));
  };
  return MakePrimFuncPass(hoist, 0, "HoistIfThenElse");
}

UIR_TRANSFORM_REGISTER_PASS("HoistIfThenElse", MakeHoistIfThenElse);

}  // namespace

}  // namespace uir::transform
