// Loops by name.
#include "./loop_place.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/near_names.h>
#include <uir/ir/node_error.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <string>
#include <utility>

#include "../classify.h"

namespace uir::schedule {

namespace {

/*! \brief All loops of a statement, each with those around it. */
class LoopFinder : public tir::StmtVisitor {
 public:
  using StmtVisitor::VisitDefault;
  std::vector<LoopPlace> places;

  void VisitFor(const tir::ForNode* op) override {
    const auto loop = ffi::GetRef<tir::For>(op);
    places.push_back({outer_, loop});
    outer_.push_back(loop);
    VisitStmt(op->body);
    outer_.pop_back();
  }

 private:
  std::vector<tir::For> outer_;
};

std::string NameOfLoop(const LoopName& name) {
  if (const auto var = name.as<tir::Var>()) return std::string((*var)->name);
  return std::string(name.get<ffi::String>());
}

bool IsNamed(const tir::For& loop, const LoopName& name) {
  if (const auto var = name.as<tir::Var>()) return loop->loop_var.same_as(*var);
  return loop->loop_var->name == name.get<ffi::String>();
}

/*! \brief Describes a loop among others of its name: by the loops around it and its store. */
std::string Description(const LoopPlace& place) {
  std::string text = "`" + std::string(place.loop->loop_var->name) + "`";
  for (size_t i = place.outer.size(); i-- > 0;) {
    text += " in `" + std::string(place.outer[i]->loop_var->name) + "`";
  }
  std::string stored;
  tschema::Walk(place.loop->body, [&](const tir::BufferStoreNode* store) {
    if (stored.empty()) stored = " around the store to `" + std::string(store->buffer->name) + "`";
  });
  return text + stored;
}

[[noreturn]] void ThrowUnknown(const tir::PrimFunc& func, const LoopName& name,
                               const std::vector<LoopPlace>& places) {
  std::vector<std::string> known;
  for (const LoopPlace& place : places) known.emplace_back(place.loop->loop_var->name);
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? ": `" : ", `") + one + "`";
  const std::string near = ir::DidYouMean(NameOfLoop(name), known);
  ir::ThrowAt(
      func, "ValueError",
      "the function has no loop `" + NameOfLoop(name) + "`" +
          (near.empty() ? "; it has " + std::to_string(known.size()) + " loops" + list : near));
}

[[noreturn]] void ThrowAmbiguous(const LoopName& name, const std::vector<LoopPlace>& found) {
  std::string list;
  for (const LoopPlace& place : found) list += (list.empty() ? "" : "; ") + Description(place);
  ir::ThrowAt(found[1].loop, "ValueError",
              "`" + NameOfLoop(name) + "` names " + std::to_string(found.size()) +
                  " loops: " + list + ". Pass the variable of one, `for_stmt.loop_var`");
}

class LoopReplacer : public transform::StmtRewriter {
 public:
  LoopReplacer(const tir::For& loop, const tir::Stmt& by) : loop_(loop), by_(by) {}

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const bool is_outermost = std::exchange(is_outermost_, false);
    const tir::Stmt made = op == loop_.get() ? by_ : StmtRewriter::VisitFor(op);
    is_outermost_ = is_outermost;
    return is_outermost && made.get() != op ? Marked(made) : made;
  }

 private:
  /*! \brief The nests of a statement, noted for recipes to leave them. */
  static tir::Stmt Marked(const tir::Stmt& stmt) {
    if (const auto* sequence = stmt.as<tir::SeqStmtNode>()) {
      ffi::Array<tir::Stmt> parts;
      for (const tir::Stmt& part : sequence->seq) parts.push_back(Marked(part));
      return tir::SeqStmt(parts, stmt->span);
    }
    const auto* loop = stmt.as<tir::ForNode>();
    if (loop == nullptr) return stmt;
    ffi::Map<ffi::String, ffi::Any> annotations = loop->annotations;
    annotations.Set(kByHand, true);
    return tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, loop->body,
                    loop->thread_binding, annotations, loop->step, loop->span);
  }

  const tir::For& loop_;
  const tir::Stmt& by_;
  bool is_outermost_ = true;
};

}  // namespace

LoopPlace FindLoop(const tir::PrimFunc& func, const LoopName& name) {
  LoopFinder finder;
  finder.VisitStmt(func->body);
  std::vector<LoopPlace> found;
  for (const LoopPlace& place : finder.places) {
    if (IsNamed(place.loop, name)) found.push_back(place);
  }
  if (found.empty()) ThrowUnknown(func, name, finder.places);
  if (found.size() > 1) ThrowAmbiguous(name, found);
  return std::move(found[0]);
}

tir::PrimFunc WithLoop(tir::PrimFunc func, const tir::For& loop, const tir::Stmt& by) {
  tir::Stmt body = LoopReplacer(loop, by)(func->body);
  return transform::WithBody(std::move(func), std::move(body));
}

tir::PrimFunc RunPrimitive(const char* name, const tir::PrimFunc& func,
                           const std::function<tir::PrimFunc(const tir::PrimFunc&)>& run) {
  const auto body = [&](const tir::PrimFunc& one, const ir::IRModule&,
                        const transform::PassContext&) { return run(one); };
  const transform::Pass pass = transform::MakePrimFuncPass(body, 0, name);
  const ir::IRModule module = ir::module_from_func(func, ffi::String("main"));
  const ir::IRModule made = transform::RunPass(pass, module, transform::PassContext());
  return ffi::Any(made->Lookup("main")).cast<tir::PrimFunc>();
}

}  // namespace uir::schedule
