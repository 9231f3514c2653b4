// Fuses elementwise nests into the loops of neighbouring nests.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/no_alias.h>
#include <uir/transform/effects.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./buffer_uses.h"
#include "./classify.h"
#include "./merge_nests.h"
#include "./sliding_window.h"
#include "./window.h"

namespace uir::schedule {

namespace {

constexpr const char* kInReader = "in_reader";

using DataSet = std::unordered_set<const ffi::Object*>;

/*! \brief The memory that a nest reads. */
DataSet ReadBy(const LoopNest& nest) {
  DataSet read;
  const auto add = [&](const tir::BufferStore& store) {
    tschema::Walk(store->value,
                  [&](const tir::BufferLoadNode* load) { read.insert(load->buffer->data.get()); });
  };
  if (nest.init) add(*nest.init);
  add(nest.store);
  return read;
}

/*! \brief Whether a statement neither changes memory nor makes another pointer to it. */
bool Leaves(const tir::Stmt& stmt, const DataSet& memory) {
  bool leaves = true;
  tschema::Walk(stmt, [&](const tir::BufferStoreNode* store) {
    leaves = leaves && memory.count(store->buffer->data.get()) == 0;
  });
  tschema::Walk(stmt, [&](const tir::CallNode* call) {
    leaves = leaves && !transform::HasEffect(ffi::GetRef<tir::Call>(call));
  });
  tschema::Walk(
      stmt, [&](const tir::BindNode* bind) { leaves = leaves && !ir::IsHandle(bind->var->dtype); });
  return leaves;
}

/*! \brief A nest in a sequence, as `ClassifyBlocks` noted it. */
struct NotedNest {
  LoopNest nest;
  BlockKind kind;
};

std::optional<NotedNest> NestOf(const tir::Stmt& stmt) {
  const auto loop = stmt.as<tir::For>();
  const std::optional<BlockKind> kind = loop ? NotedKind(*loop) : std::nullopt;
  std::optional<LoopNest> nest = kind ? MatchLoopNest(*loop) : std::nullopt;
  if (!nest) return std::nullopt;
  return NotedNest{*std::move(nest), *kind};
}

/*! \brief Whether the recipe for a reduction computes epilogues. */
bool TakesEpilogue(const NotedNest& noted) {
  if (noted.kind == BlockKind::kContraction || Slides(noted.nest)) return true;
  const std::optional<Window> window = MatchWindow(noted.nest);
  return window && !window->contraction.rows.empty();
}

/*! \brief Fuses the nests of the sequences of a function. */
class SequenceFuser : public transform::StmtRewriter {
 public:
  SequenceFuser(const tir::Stmt& body, Decisions* decisions) : uses_(body), decisions_(decisions) {}

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override { return ffi::GetRef<tir::Stmt>(op); }

  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override {
    const tir::Stmt visited = StmtRewriter::VisitSeqStmt(op);
    const auto* sequence = visited.as<tir::SeqStmtNode>();
    if (sequence == nullptr) return visited;
    stmts_.assign(sequence->seq.begin(), sequence->seq.end());
    gone_.clear();
    is_changed_ = false;
    for (size_t i = stmts_.size(); i-- > 0;) {
      while (FuseInto(i)) {
      }
    }
    if (!is_changed_) return visited;
    ffi::Array<tir::Stmt> kept;
    for (const std::optional<tir::Stmt>& stmt : stmts_) {
      if (stmt && !IsGone(*stmt)) kept.push_back(*stmt);
    }
    return transform::FlatSeq(std::move(kept), op->span);
  }

 private:
  bool IsGone(const tir::Stmt& stmt) const {
    const auto* allocation = stmt.as<tir::AllocBufferNode>();
    return allocation != nullptr && gone_.count(allocation->buffer.get()) != 0;
  }

  /*! \brief Move one nest into the loops of an elementwise one, if there is one to move. */
  bool FuseInto(size_t place) {
    if (!stmts_[place]) return false;
    const std::optional<NotedNest> reader = NestOf(*stmts_[place]);
    if (!reader || reader->kind != BlockKind::kElementwise) return false;
    const DataSet read = ReadBy(reader->nest);
    // Move a sum last, when all uses of its result are in one nest.
    for (const bool is_sum : {false, true}) {
      for (size_t i = place; i-- > 0;) {
        if (stmts_[i] && Move(i, place, *reader, read, is_sum)) return true;
      }
    }
    return false;
  }

  bool Move(size_t from, size_t place, const NotedNest& reader, const DataSet& read, bool is_sum) {
    const std::optional<NotedNest> writer = NestOf(*stmts_[from]);
    if (!writer || is_sum == writer->nest.reduction.empty()) return false;
    const tir::Buffer& buffer = writer->nest.store->buffer;
    if (writer->nest.epilogue || read.count(buffer->data.get()) == 0) return false;
    if (!uses_.AreAllIn({writer->nest, reader.nest}, buffer)) return false;
    if (!MayMove(writer->nest, from, place)) return false;
    if (is_sum && !TakesEpilogue(*writer)) return false;
    const std::optional<tir::Stmt> merged = is_sum ? AddEpilogue(writer->nest, reader.nest)
                                                   : ComputeInReader(writer->nest, reader.nest);
    if (!merged) return false;
    const auto choose = [] { return std::optional<Choices>(Choices{{kInReader, {}}}); };
    if (!decisions_->For(NameOf(writer->nest), choose)) return false;
    stmts_[place] = *merged;
    stmts_[from] = std::nullopt;
    is_changed_ = true;
    if (Leaves(*merged, {buffer->data.get()})) gone_.insert(buffer.get());
    return true;
  }

  /*! \brief Whether no statement in between changes a buffer that a nest reads. */
  bool MayMove(const LoopNest& nest, size_t from, size_t place) const {
    const DataSet read = ReadBy(nest);
    return std::all_of(stmts_.begin() + static_cast<int64_t>(from) + 1,
                       stmts_.begin() + static_cast<int64_t>(place),
                       [&](const auto& stmt) { return !stmt || Leaves(*stmt, read); });
  }

  BufferUses uses_;
  Decisions* decisions_;
  std::vector<std::optional<tir::Stmt>> stmts_;
  bool is_changed_ = false;
  /*! \brief The buffers that no nest stores to any more. */
  std::unordered_set<const ffi::Object*> gone_;
};

tir::PrimFunc FuseFunction(tir::PrimFunc func) {
  if (!tir::HasNoAliases(func.get())) return func;
  Decisions decisions("FuseElementwise", func);
  tir::Stmt body = SequenceFuser(func->body, &decisions)(func->body);
  return decisions.Finish(std::move(func), std::move(body));
}

}  // namespace

transform::Pass FuseElementwise() {
  auto fuse = [](tir::PrimFunc func, const ir::IRModule&, const transform::PassContext&) {
    return FuseFunction(std::move(func));
  };
  return transform::MakePrimFuncPass(fuse, 0, "FuseElementwise");
}

}  // namespace uir::schedule
