// Puts the buffers of a host function into one arena.
#include <uir/ir/function.h>
#include <uir/ir/types.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/transform/entry_passes.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <utility>

#include "../analysis/arena_plan.h"

namespace uir::transform {

namespace {

constexpr DLDataType kByte = {kDLUInt, 8, 1};
constexpr const char* kArenaBytes = "arena_bytes";

/*! \brief Replaces allocations by addresses in the arena. */
class ArenaWriter : public StmtRewriter {
 public:
  ArenaWriter(const ArenaPlan& plan, tir::Buffer arena) : plan_(plan), arena_(std::move(arena)) {}

 protected:
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
};

/*! \brief The arena; one of symbolic size has a byte behind a buffer of none at its end. */
tir::Buffer MakeArena(const ir::PrimExpr& bytes) {
  const bool is_constant = bytes.as<ir::IntImmNode>() != nullptr;
  const ir::PrimExpr extent =
      is_constant ? bytes : tir::add(bytes, ir::IntImm(bytes->dtype, kArenaAlignment));
  return tir::decl_buffer({extent}, kByte, "arena");
}

/*! \brief The body with an allocation of the arena behind the assertions that it begins with. */
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

tir::PrimFunc PlanFunction(tir::PrimFunc func) {
  const bool is_host =
      func->GetAttr("num_outputs") != nullptr && func->GetAttr(kArenaBytes) == nullptr;
  if (!is_host) return func;
  const std::vector<ArenaItem> items = FindArenaItems(func);
  if (items.empty()) return func;
  const ArenaPlan plan = PlanArena(items);
  const tir::Buffer arena = MakeArena(plan.bytes);
  tir::Stmt body = WithArena(ArenaWriter(plan, arena).VisitStmt(func->body), arena);
  const ir::BaseFunc planned =
      ir::with_attr(WithBody(std::move(func), std::move(body)), kArenaBytes, plan.bytes);
  return planned.as<tir::PrimFunc>().value();
}

}  // namespace

Pass PlanMemory() {
  auto run = [](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    return PlanFunction(std::move(func));
  };
  return MakePrimFuncPass(run, 0, "PlanMemory");
}

}  // namespace uir::transform
