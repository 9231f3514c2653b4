// Places the buffers of a host function in one arena.
#include <uir/ir/function.h>
#include <uir/ir/types.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/entry_passes.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <utility>

#include "../analysis/arena_plan.h"
#include "../analysis/in_place.h"
#include "../rewrite/in_place_functions.h"
#include "../rewrite/no_op.h"

namespace uir::transform {

namespace {

constexpr DLDataType kByte = {kDLUInt, 8, 1};
constexpr const char* kArenaBytes = "arena_bytes";
constexpr const char* kLiveBytes = "live_bytes";

/*! \brief Replaces allocations by addresses in the arena, and calls by calls of in-place copies. */
class ArenaWriter : public StmtRewriter {
 public:
  ArenaWriter(const ArenaPlan& plan, tir::Buffer arena, const SharedPlaces& shared,
              InPlaceFunctions* functions)
      : plan_(plan), arena_(std::move(arena)), shared_(shared), functions_(functions) {}

 protected:
  tir::Stmt VisitEvaluate(const tir::EvaluateNode* op) override {
    const auto call = op->value.as<tir::Call>();
    if (call && shared_.joins.count(call->get()) != 0) {
      functions_->RemoveCall(*call);
      return NoOp(op->span);
    }
    const auto found = call ? shared_.calls.find(call->get()) : shared_.calls.end();
    if (found == shared_.calls.end()) return StmtRewriter::VisitEvaluate(op);
    return tir::Evaluate(functions_->Call(*call, found->second), op->span);
  }

  tir::Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    const auto found = plan_.offsets.find(op->buffer.get());
    if (found == plan_.offsets.end()) return StmtRewriter::VisitAllocBuffer(op);
    const ir::PrimExpr place = tir::BufferLoad(arena_, {found->second});
    const tir::Bind address(op->buffer->data, tir::address_of(place), op->span);
    return tir::SeqStmt({address, tir::DeclBuffer(op->buffer, op->annotations, op->span)},
                        op->span);
  }

 private:
  const ArenaPlan& plan_;
  tir::Buffer arena_;
  const SharedPlaces& shared_;
  InPlaceFunctions* functions_;
};

/*! \brief The arena. One of symbolic size has padding, so that even an empty buffer at its end has
 * an address inside. */
tir::Buffer MakeArena(const ir::PrimExpr& bytes) {
  const bool is_constant = bytes.as<ir::IntImmNode>() != nullptr;
  const ir::PrimExpr extent =
      is_constant ? bytes : tir::add(bytes, ir::IntImm(bytes->dtype, kArenaAlignment));
  return tir::decl_buffer({extent}, kByte, "arena");
}

/*! \brief The body with an allocation of the arena after its leading assertions. */
tir::Stmt WithArena(const tir::Stmt& body, const tir::Buffer& arena) {
  ffi::Array<tir::Stmt> stmts;
  ffi::Array<tir::Stmt> rest = {body};
  if (const auto* seq = body.as<tir::SeqStmtNode>()) rest = seq->seq;
  bool is_allocated = false;
  for (const tir::Stmt& stmt : rest) {
    if (!is_allocated && stmt.as<tir::AssertStmtNode>() == nullptr) {
      stmts.push_back(tir::AllocBuffer(arena));
      is_allocated = true;
    }
    stmts.push_back(stmt);
  }
  return tir::flatten_seq(std::move(stmts));
}

tir::PrimFunc PlanFunction(tir::PrimFunc func, const ir::IRModule& module,
                           InPlaceFunctions* functions) {
  const bool is_host =
      func->GetAttr("num_outputs") != nullptr && func->GetAttr(kArenaBytes) == nullptr;
  if (!is_host) return func;
  NumberedCalls calls;
  std::vector<ArenaItem> items = FindArenaItems(func, &calls);
  if (items.empty()) return func;
  const SharedPlaces shared = SharePlaces(module, calls, &items);
  ArenaPlan plan = PlanArena(items);
  for (const auto& [buffer, place] : shared.owners) {
    plan.offsets.emplace(buffer, tir::add(plan.offsets.at(place.owner), place.offset));
  }
  const tir::Buffer arena = MakeArena(plan.bytes);
  ArenaWriter writer(plan, arena, shared, functions);
  tir::Stmt body = WithArena(writer.VisitStmt(func->body), arena);
  ir::BaseFunc planned =
      ir::with_attr(WithBody(std::move(func), std::move(body)), kArenaBytes, plan.bytes);
  planned = ir::with_attr(std::move(planned), kLiveBytes, plan.live_bytes);
  return planned.as<tir::PrimFunc>().value();
}

ir::IRModule PlanModule(const ir::IRModule& module) {
  InPlaceFunctions in_place(module);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const auto before = func.as<tir::PrimFunc>();
    if (!before) continue;
    const tir::PrimFunc after = PlanFunction(*before, module, &in_place);
    is_changed = is_changed || !after.same_as(*before);
    functions.Set(var, after);
  }
  if (!is_changed) return module;
  const ir::IRModule planned(in_place.AddTo(std::move(functions)), module->attrs);
  // A copied function binds the same variables as the original.
  return in_place.empty() ? planned : ConvertSSA(planned);
}

}  // namespace

Pass PlanMemory() {
  auto run = [](const ir::IRModule& module, const PassContext&) { return PlanModule(module); };
  return MakeModulePass(run, 0, "PlanMemory");
}

}  // namespace uir::transform
