// Notes the kind of each loop nest.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <utility>

#include "./classify.h"
#include "./contraction.h"
#include "./nest/byte_products.h"
#include "./sliding_window.h"

namespace uir::schedule {

namespace {

/*! \brief Whether an index adds the place of an element and a place in a reduction. */
bool HasWindow(const LoopNest& nest) {
  bool has_window = false;
  tschema::Walk(nest.store->value, [&](const tir::BufferLoadNode* load) {
    for (const ir::PrimExpr& index : load->indices) {
      const VarSet used = VarsOf(index);
      has_window = has_window || (UsesAny(used, nest.spatial) && UsesAny(used, nest.reduction));
    }
  });
  return has_window;
}

BlockKind KindOfNests(const tir::For& outermost) {
  const std::optional<LoopNest> nest = MatchLoopNest(outermost);
  if (!nest) return BlockKind::kOther;
  if (nest->reduction.empty()) return BlockKind::kElementwise;
  const std::optional<Contraction> contraction = MatchContraction(*nest);
  if (nest->epilogue && !contraction && !Slides(*nest)) return BlockKind::kOther;
  if (contraction && nest::ReadsWords(*contraction)) return BlockKind::kContraction;
  if (HasWindow(*nest)) return BlockKind::kWindow;
  return contraction ? BlockKind::kContraction : BlockKind::kRow;
}

bool IsByHand(const tir::ForNode* loop) { return loop->annotations.count(kByHand) != 0; }

class BlockClassifier : public transform::StmtRewriter {
 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const auto loop = ffi::GetRef<tir::For>(op);
    if (op->kind == tir::ForKind::kThreadBinding || NotedKind(loop)) return loop;
    const BlockKind kind = KindOfNests(loop);
    ffi::Map<ffi::String, ffi::Any> annotations = op->annotations;
    annotations.Set(kBlockKind, static_cast<int64_t>(kind));
    tir::Stmt body =
        kind == BlockKind::kOther && !IsByHand(op) ? VisitStmt(op->body) : tir::Stmt(op->body);
    return tir::For(op->loop_var, op->min, op->extent, op->kind, std::move(body),
                    op->thread_binding, std::move(annotations), op->step, op->span);
  }
};

}  // namespace

std::optional<BlockKind> NotedKind(const tir::For& outermost) {
  const auto found = outermost->annotations.find(kBlockKind);
  if (found == outermost->annotations.end()) return std::nullopt;
  const std::optional<int64_t> kind = (*found).second.as<int64_t>();
  if (!kind || !tschema::EnumTraits<BlockKind>::Contains(*kind)) return std::nullopt;
  return static_cast<BlockKind>(*kind);
}

bool MayHaveNestsInside(const tir::For& loop) {
  return NotedKind(loop) == BlockKind::kOther && !IsByHand(loop.get());
}

transform::Pass ClassifyBlocks() {
  auto classify = [](tir::PrimFunc func, const ir::IRModule&, const transform::PassContext&) {
    tir::Stmt body = BlockClassifier()(func->body);
    return transform::WithBody(std::move(func), std::move(body));
  };
  return transform::MakePrimFuncPass(classify, 0, "ClassifyBlocks");
}

}  // namespace uir::schedule
