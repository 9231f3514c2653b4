// Hoisting of loop-invariant conditionals.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/tir/arith.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/effects.h>
#include <uir/transform/hoist_if_then_else.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/with_body.h>

#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

bool IsHoistable(const tir::ForNode* loop, const PrimExpr& condition) {
  if (loop->kind == tir::ForKind::kThreadBinding || DependsOnMemory(condition)) return false;
  bool may_fail = false;
  const bool is_invariant = tschema::Walk(condition, [&](const ir::PrimExprNode* node) {
    const auto* op = ffi::AnyView(node).as<tir::BinaryOpNode>();
    may_fail = may_fail || (op != nullptr && IsPartial(op));
    return node == loop->loop_var.get() ? tschema::kInterrupt : tschema::kAdvance;
  });
  // A loop that never runs does not compute the condition.
  const auto* extent = loop->extent.as<ir::IntImmNode>();
  return is_invariant && (!may_fail || (extent != nullptr && extent->value > 0));
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

class Hoister : public StmtRewriter {
 protected:
  Stmt VisitFor(const tir::ForNode* op) override { return Hoist(op, VisitStmt(op->body)); }
};

}  // namespace

Stmt HoistIfThenElse(Stmt stmt) { return Hoister().VisitStmt(std::move(stmt)); }

Pass HoistIfThenElse() {
  auto hoist = [](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    Stmt body = HoistIfThenElse(func->body);
    if (body.same_as(func->body)) return func;
    // The loops of the two branches get variables of their own.
    return ConvertSSA(WithBody(std::move(func), std::move(body)));
  };
  return MakePrimFuncPass(hoist, 0, "HoistIfThenElse");
}

}  // namespace uir::transform
