// Nests that no other recipe took: elements in parallel, and no notes.
#include <tvm/ffi/cast.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <utility>

#include "./classify.h"
#include "./parameters.h"
#include "./work.h"

namespace uir::schedule {

namespace {

tir::For WithKind(const tir::ForNode* loop, tir::ForKind kind) {
  ffi::Map<ffi::String, ffi::Any> annotations = loop->annotations;
  annotations.erase(kBlockKind);
  return tir::For(loop->loop_var, loop->min, loop->extent, kind, loop->body, loop->thread_binding,
                  std::move(annotations), loop->step, loop->span);
}

std::optional<Scheduled> RunInParallel(const LoopNest& nest, BlockKind) {
  const ParameterKey key = {"fallback", "generic", nest.store->buffer->dtype, "any"};
  if (WorkOf(nest) < Parameter(key, "parallel_work")) return std::nullopt;
  return Scheduled{WithKind(nest.spatial[0].get(), tir::ForKind::kParallel),
                   "parallel over `" + std::string(nest.spatial[0]->loop_var->name) + "`"};
}

class NoteRemover : public transform::StmtRewriter {
 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    if (!NotedKind(ffi::GetRef<tir::For>(op))) return ffi::GetRef<tir::Stmt>(op);
    return WithKind(op, op->kind);
  }
};

}  // namespace

transform::Pass ScheduleFallback() {
  auto run = [](tir::PrimFunc func, const ir::IRModule&, const transform::PassContext&) {
    func = ScheduleNests(std::move(func), RunInParallel, "ScheduleFallback");
    tir::Stmt body = NoteRemover()(func->body);
    return transform::WithBody(std::move(func), std::move(body));
  };
  return transform::MakePrimFuncPass(run, 0, "ScheduleFallback");
}

}  // namespace uir::schedule
