// Nests that no other recipe took: elements in parallel, and no notes.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/schedule/options.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/with_body.h>

#include <string>
#include <utility>
#include <vector>

#include "./classify.h"
#include "./work.h"

namespace uir::schedule {

namespace {

tir::For WithKind(const tir::ForNode* loop, tir::ForKind kind) {
  ffi::Map<ffi::String, ffi::Any> annotations = loop->annotations;
  annotations.erase(kBlockKind);
  annotations.erase(kByHand);
  return tir::For(loop->loop_var, loop->min, loop->extent, kind, loop->body, loop->thread_binding,
                  std::move(annotations), loop->step, loop->span);
}

std::optional<Choices> ChooseFallback(const LoopNest& nest, BlockKind,
                                      const ParameterTable& table) {
  const ParameterKey key = {"fallback", nest.store->buffer->dtype, "any"};
  if (WorkOf(nest) < table.Get(key, "parallel_work")) return std::nullopt;
  return Choices{{"parallel", {}}};
}

std::optional<tir::Stmt> ApplyFallback(const LoopNest& nest, const Choices& choices) {
  if (choices.size() != 1 || choices[0].way != "parallel") return std::nullopt;
  return WithKind(nest.spatial[0].get(), tir::ForKind::kParallel);
}

std::vector<std::string> PassNames() {
  std::vector<std::string> names;
  for (const ffi::String& name : transform::list_pass_names()) names.emplace_back(name);
  return names;
}

/*! \brief Check that recipes took all lines of a trace, and forget it. */
tir::PrimFunc WithoutReplay(const tir::PrimFunc& func) {
  const auto lines = LinesOf(func, kReplay);
  if (!lines) return func;
  if (!lines->empty()) {
    TVM_FFI_THROW(ValueError) << "the trace has the line `" << (*lines)[0]
                              << "`, which none of the passes that ran knows"
                              << ir::DidYouMean(ParseTraceLine((*lines)[0]).recipe, PassNames());
  }
  return WithAttributes(func, {{kReplay, nullptr}});
}

tir::For AsLoop(const tir::Stmt& stmt) { return stmt.as<tir::For>().value(); }

/*! \brief Makes loops inside of parallel ones serial, which the threads of the process do anyway.
 */
class SerialInside : public transform::StmtRewriter {
 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const tir::For loop = AsLoop(StmtRewriter::VisitFor(op));
    const bool is_parallel = loop->kind == tir::ForKind::kParallel;
    return is_parallel ? WithKind(loop.get(), tir::ForKind::kSerial) : loop;
  }
};

class NoteRemover : public transform::StmtRewriter {
 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    tir::For loop = ffi::GetRef<tir::For>(op);
    if (!NotedKind(loop)) return loop;
    if (MayHaveNestsInside(loop)) loop = AsLoop(StmtRewriter::VisitFor(op));
    if (loop->kind == tir::ForKind::kParallel) {
      loop =
          tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, SerialInside()(loop->body),
                   loop->thread_binding, loop->annotations, loop->step, loop->span);
    }
    return WithKind(loop.get(), loop->kind);
  }
};

}  // namespace

transform::Pass ScheduleFallback(ffi::String isa) {
  const Recipe recipe = {"ScheduleFallback", ChooseFallback, ApplyFallback, true};
  auto run = [recipe, isa = ResolveInstructionSet(isa)](tir::PrimFunc func, const ir::IRModule&,
                                                        const transform::PassContext& context) {
    const auto options = transform::OptionsOf<ScheduleOptions>(context);
    func = WithoutReplay(ScheduleNests(std::move(func), recipe, isa, options->rows));
    tir::Stmt body = NoteRemover()(func->body);
    return transform::WithBody(std::move(func), std::move(body));
  };
  return transform::MakePrimFuncPass(run, 0, "ScheduleFallback");
}

}  // namespace uir::schedule
