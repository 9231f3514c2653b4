// How the iterations of a loop run.
#include <uir/ir/node_error.h>
#include <uir/schedule/primitive.h>
#include <uir/tir/const_fold.h>

#include <string>

#include "../classify.h"
#include "./dependence.h"
#include "./loop_place.h"

namespace uir::schedule {

namespace {

const char* WordFor(tir::ForKind kind) {
  return kind == tir::ForKind::kParallel ? "parallel" : "vectorized";
}

[[noreturn]] void Refuse(const ffi::ObjectRef& node, const tir::For& loop, tir::ForKind kind,
                         const std::string& why) {
  ir::ThrowAt(
      node, "ValueError",
      "`" + std::string(loop->loop_var->name) + "` cannot be " + WordFor(kind) + ": " + why);
}

/*! \brief Check that no iteration of a loop needs what another one writes. */
void CheckIndependent(const tir::PrimFunc& func, const LoopPlace& place, tir::ForKind kind) {
  const Accesses accesses = AccessesOf(place.loop->body);
  if (accesses.opaque) {
    Refuse(*accesses.opaque, place.loop, kind, "this may have effects that depend on the order");
  }
  const DependenceTest test(func, place.outer, accesses);
  for (size_t i = 0; i < accesses.all.size(); ++i) {
    for (size_t j = i; j < accesses.all.size(); ++j) {
      const Access &a = accesses.all[i], &b = accesses.all[j];
      const bool may_conflict = test.MayConflict(a, b, {place.loop}, {Direction::kLater}) ||
                                test.MayConflict(a, b, {place.loop}, {Direction::kEarlier});
      if (!may_conflict) continue;
      const Access& stored = a.is_store ? a : b;
      Refuse(stored.node, place.loop, kind,
             "an iteration stores to an element of `" + std::string(stored.buffer->name) +
                 "` that another one may " + (a.is_store && b.is_store ? "store to" : "load"));
    }
  }
}

void CheckKind(const tir::PrimFunc& func, const LoopPlace& place, tir::ForKind kind) {
  const tir::For& loop = place.loop;
  const std::string name = "`" + std::string(loop->loop_var->name) + "`";
  if (kind == tir::ForKind::kThreadBinding || loop->kind == tir::ForKind::kThreadBinding) {
    ir::ThrowAt(loop, "ValueError", name + " cannot be bound to threads or taken from them");
  }
  const bool is_expanded = kind == tir::ForKind::kVectorized || kind == tir::ForKind::kUnrolled;
  if (is_expanded && !tir::IntConstOf(loop->extent)) {
    ir::ThrowAt(loop, "ValueError",
                name + " has no constant extent: split it, so that the inner part has one");
  }
  const bool is_concurrent = kind == tir::ForKind::kVectorized || kind == tir::ForKind::kParallel;
  if (is_concurrent) CheckIndependent(func, place, kind);
}

}  // namespace

tir::PrimFunc annotate(tir::PrimFunc func, LoopName loop, ffi::Optional<tir::ForKind> kind,
                       ffi::Optional<ffi::Map<ffi::String, ffi::Any>> annotations) {
  return RunPrimitive("schedule.annotate", func, [&](const tir::PrimFunc& one) {
    const LoopPlace place = FindLoop(one, loop);
    const tir::ForNode* old = place.loop.get();
    if (kind.has_value()) CheckKind(one, place, kind.value());
    ffi::Map<ffi::String, ffi::Any> all = old->annotations;
    for (const auto& [name, value] : annotations.value_or(ffi::Map<ffi::String, ffi::Any>())) {
      if (name == kBlockKind || name == kByHand) {
        ir::ThrowAt(place.loop, "ValueError",
                    "the annotation `" + std::string(name) + "` is one of the recipes'");
      }
      all.Set(name, value);
    }
    return WithLoop(one, place.loop,
                    tir::For(old->loop_var, old->min, old->extent, kind.value_or(old->kind),
                             old->body, old->thread_binding, all, old->step, old->span));
  });
}

}  // namespace uir::schedule
