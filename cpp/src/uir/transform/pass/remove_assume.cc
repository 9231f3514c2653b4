// Removes `tir.assume`, when no later pass uses it.
#include <tvm/ffi/cast.h>
#include <uir/tir/stmt.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_registry.h>
#include <uir/transform/remove_no_op.h>
#include <uir/transform/tir_passes.h>

#include <utility>

#include "../analysis/stated_condition.h"
#include "../rewrite/no_op.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

class AssumeRemover : public StmtRewriter {
 protected:
  tir::Stmt VisitEvaluate(const tir::EvaluateNode* op) override {
    return StatedConditionOf(op) ? NoOp(op->span) : tvm::ffi::GetRef<tir::Stmt>(op);
  }
};

}  // namespace

Pass RemoveAssume() {
  auto remove = [](tir::Stmt body, const PassContext&) {
    tir::Stmt rest = AssumeRemover().VisitStmt(body);
    // Loops and conditionals around the removed statements may be empty now.
    return rest.same_as(body) ? rest : RemoveNoOp(std::move(rest));
  };
  return MakeBodyPass(remove, "RemoveAssume");
}

}  // namespace uir::transform
