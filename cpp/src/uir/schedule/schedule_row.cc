// Rows: reductions by vectors, and neighbouring nests in the same loop over rows.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/schedule/options.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/no_alias.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "./classify.h"
#include "./row_builder.h"
#include "./sibling_nests.h"
#include "./work.h"

namespace uir::schedule {

namespace {

constexpr const char* kName = "ScheduleRow";

/*! \brief Consecutive nests in a sequence of statements. */
struct Siblings {
  std::vector<LoopNest> nests;
  std::vector<BlockKind> kinds;
};

bool IsUnit(const tir::For& loop) { return tir::IntConstOf(loop->extent) == 1; }

/*! \brief The number of loops over rows of a reduction: those of the elements, but not those over
 * neighbouring columns, and none that follow with one iteration only. */
size_t RowsOf(const LoopNest& nest) {
  size_t count = nest.spatial.size();
  const auto drop_units = [&] {
    while (count > 0 && IsUnit(nest.spatial[count - 1])) --count;
  };
  drop_units();
  if (ReductionKindOf(nest) == RowReductionKind::kColumns && count > 0) --count;
  drop_units();
  return count;
}

/*! \brief The reduction to one element that begins at a statement of a sequence. */
std::optional<LoopNest> TotalFrom(const ffi::Array<tir::Stmt>& seq, int64_t first) {
  if (first + 1 >= static_cast<int64_t>(seq.size())) return std::nullopt;
  const auto loop = seq[first + 1].as<tir::For>();
  return loop && NotedKind(*loop) ? MatchTotal(seq[first], *loop) : std::nullopt;
}

class RowScheduler : public transform::StmtRewriter {
 public:
  RowScheduler(const ParameterTable& table, const tir::Stmt& body, Decisions* decisions)
      : table_(table), uses_(body), decisions_(decisions) {}

  std::unordered_set<const tir::BufferNode*> replaced;

 protected:
  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override {
    ffi::Array<tir::Stmt> made;
    for (int64_t i = 0; i < static_cast<int64_t>(op->seq.size());) i += Next(op->seq, i, &made);
    return tir::flatten_seq(std::move(made));
  }

  tir::Stmt VisitFor(const tir::ForNode* op) override {
    const auto loop = ffi::GetRef<tir::For>(op);
    if (MayHaveNestsInside(loop)) return StmtRewriter::VisitFor(op);
    if (!NotedKind(loop)) return loop;
    ffi::Array<tir::Stmt> made;
    Next({loop}, 0, &made);
    return tir::flatten_seq(std::move(made));
  }

 private:
  /*! \brief Schedule what begins at a statement of a sequence; return the number of statements. */
  int64_t Next(const ffi::Array<tir::Stmt>& seq, int64_t first, ffi::Array<tir::Stmt>* made) {
    const tir::Stmt& stmt = seq[first];
    if (const auto total = TotalFrom(seq, first)) {
      const auto built = Schedule({{*total}, {BlockKind::kRow}}, stmt);
      made->push_back(built ? built->first
                            : tir::flatten_seq(ffi::Array<tir::Stmt>{stmt, seq[first + 1]}));
      return 2;
    }
    const Siblings siblings = SiblingsFrom(seq, first);
    if (siblings.nests.empty()) {
      const auto loop = stmt.as<tir::For>();
      made->push_back(loop && !MayHaveNestsInside(*loop) ? stmt : VisitStmt(stmt));
      return 1;
    }
    if (const auto built = Schedule(siblings, stmt)) {
      made->push_back(built->first);
      return built->second;
    }
    made->push_back(stmt);
    return 1;
  }

  /*! \brief The nests that a recipe may fuse, from a statement on. */
  static Siblings SiblingsFrom(const ffi::Array<tir::Stmt>& seq, int64_t first) {
    Siblings siblings;
    for (int64_t i = first; i < static_cast<int64_t>(seq.size()); ++i) {
      const auto loop = seq[i].as<tir::For>();
      const auto kind = loop ? NotedKind(*loop) : std::nullopt;
      if (kind != BlockKind::kElementwise && kind != BlockKind::kRow) break;
      auto nest = MatchLoopNest(*loop);
      if (!nest || nest->epilogue) break;
      siblings.nests.push_back(*std::move(nest));
      siblings.kinds.push_back(*kind);
    }
    return siblings;
  }

  /*! \brief The statement for the first ones of some nests, and their number. */
  std::optional<std::pair<tir::Stmt, int64_t>> Schedule(const Siblings& siblings,
                                                        const tir::Stmt& where) {
    const auto choose = [&] { return Choose(siblings); };
    const std::string name = NameOf(siblings.nests[0]);
    const std::optional<Choices> choices = decisions_->For(name, choose);
    if (!choices) return std::nullopt;
    if (const auto made = Apply(siblings, *choices)) return made;
    const std::string line = PrintTraceLine({kName, name, *choices});
    ir::ThrowAt(where, "ValueError", "the trace's line `" + line + "` does not fit this nest");
  }

  std::optional<FusedNests> Fuse(const std::vector<LoopNest>& nests, size_t rows) const {
    if (rows == 0 && nests.size() == 1) return FusedNests{{}, nests, {}, {}};
    return FuseNests(nests, rows, uses_);
  }

  std::optional<Choices> Choose(const Siblings& siblings) const {
    const auto found = std::find(siblings.kinds.begin(), siblings.kinds.end(), BlockKind::kRow);
    if (found == siblings.kinds.end()) return std::nullopt;
    const auto first_reduction = static_cast<size_t>(found - siblings.kinds.begin());
    const LoopNest& reduction = siblings.nests[first_reduction];
    if (!ReductionKindOf(reduction)) return std::nullopt;
    const size_t rows = RowsOf(reduction);
    const auto first_nests = [&](size_t count) {
      return std::vector<LoopNest>(siblings.nests.begin(),
                                   siblings.nests.begin() + static_cast<int64_t>(count));
    };
    size_t count = first_reduction + 1;
    if (!Fuse(first_nests(count), rows)) return std::nullopt;
    while (count < siblings.nests.size() && Fuse(first_nests(count + 1), rows)) ++count;
    int64_t work = 0;
    for (const LoopNest& nest : first_nests(count)) {
      if (__builtin_add_overflow(work, WorkOf(nest), &work)) work = INT64_MAX;
    }
    const DLDataType dtype = reduction.store->buffer->dtype;
    const ParameterKey key = {"row", dtype, "any"};
    return Choices{{"rows",
                    {{"nests", static_cast<int64_t>(count)},
                     {"loops", static_cast<int64_t>(rows)},
                     {"vector_bits", int64_t{8} * table_.Lanes(ir::IntType(8))},
                     {"vectors", table_.Get(key, "vectors")},
                     {"column_block", table_.Get(key, "column_block")},
                     {"parallel", work >= table_.Get(key, "parallel_work")}}}};
  }

  std::optional<std::pair<tir::Stmt, int64_t>> Apply(const Siblings& siblings,
                                                     const Choices& choices) {
    if (choices.size() != 1 || choices[0].way != "rows") return std::nullopt;
    const Choice& choice = choices[0];
    const int64_t count = choice["nests"];
    if (count < 1 || count > static_cast<int64_t>(siblings.nests.size())) return std::nullopt;
    const std::vector<LoopNest> nests(siblings.nests.begin(), siblings.nests.begin() + count);
    const auto fused = Fuse(nests, static_cast<size_t>(choice["loops"]));
    if (!fused) return std::nullopt;
    for (const tir::Buffer& buffer : fused->replaced) replaced.insert(buffer.get());
    return std::make_pair(BuildRows(*fused, {choice["vector_bits"], choice["vectors"],
                                             choice["column_block"], choice["parallel"] != 0}),
                          count);
  }

  const ParameterTable& table_;
  BufferUses uses_;
  Decisions* decisions_;
};

/*! \brief Removes the allocations of buffers that are no longer used. */
class AllocationRemover : public transform::StmtRewriter {
 public:
  explicit AllocationRemover(const std::unordered_set<const tir::BufferNode*>& unused)
      : unused_(unused) {}

 protected:
  tir::Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    if (unused_.count(op->buffer.get()) != 0) return tir::SeqStmt(ffi::Array<tir::Stmt>());
    return ffi::GetRef<tir::Stmt>(op);
  }

 private:
  const std::unordered_set<const tir::BufferNode*>& unused_;
};

tir::PrimFunc ScheduleRows(tir::PrimFunc func, const std::string& isa, const TunedRows& tuned) {
  if (!tir::HasNoAliases(func.get())) return func;
  const ParameterTable table(InstructionSetOf(func, isa), tuned);
  Decisions decisions(kName, func);
  RowScheduler scheduler(table, func->body, &decisions);
  tir::Stmt body = scheduler(func->body);
  if (!scheduler.replaced.empty()) body = AllocationRemover(scheduler.replaced)(body);
  return decisions.Finish(std::move(func), std::move(body));
}

}  // namespace

transform::Pass ScheduleRow(ffi::String isa) {
  auto run = [isa = ResolveInstructionSet(isa)](tir::PrimFunc func, const ir::IRModule&,
                                                const transform::PassContext& context) {
    const auto options = transform::OptionsOf<ScheduleOptions>(context);
    return ScheduleRows(std::move(func), isa, options->rows);
  };
  return transform::MakePrimFuncPass(run, 0, kName);
}

}  // namespace uir::schedule
