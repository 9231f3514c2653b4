// Fuses nests with the nests that store the elements that they read.
#include "./merge_nests.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./contraction.h"
#include "./padding.h"
#include "./sliding_window.h"
#include "./window.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

using transform::Substitution;

/*! \brief Replaces all loads of a buffer by an expression. */
class LoadReplacer : public tir::PrimExprMutator {
 public:
  LoadReplacer(const tir::Buffer& buffer, PrimExpr by) : buffer_(buffer), by_(std::move(by)) {}

 protected:
  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    return op->buffer.same_as(buffer_) ? by_ : PrimExprMutator::VisitBufferLoad(op);
  }

 private:
  const tir::Buffer& buffer_;
  PrimExpr by_;
};

/*! \brief The loop of a variable. */
const tir::For* LoopOfIndex(const PrimExpr& index, const std::vector<tir::For>& loops) {
  const auto found = std::find_if(loops.begin(), loops.end(), [&](const tir::For& loop) {
    return index.same_as(loop->loop_var);
  });
  return found == loops.end() ? nullptr : &*found;
}

bool HaveSameExtent(const tir::For& one, const tir::For& other) {
  return one->loop_var->dtype == other->loop_var->dtype &&
         (one->extent.same_as(other->extent) ||
          tschema::StructuralEqual(one->extent, other->extent));
}

bool IsOnce(const tir::For& loop) { return tir::IntConstOf(loop->extent) == 1; }

/*! \brief The load of a buffer in a value, if all its loads are of the same element. */
std::optional<tir::BufferLoad> OnlyLoad(const PrimExpr& value, const tir::Buffer& buffer) {
  std::optional<tir::BufferLoad> only;
  bool is_one = true;
  tschema::Walk(value, [&](const tir::BufferLoadNode* load) {
    if (!load->buffer->data.same_as(buffer->data)) return;
    if (!only) only = ffi::GetRef<tir::BufferLoad>(load);
    const bool is_same =
        load->buffer.same_as(buffer) && !load->predicate.has_value() &&
        std::equal(load->indices.begin(), load->indices.end(), (*only)->indices.begin(),
                   (*only)->indices.end(), [](const PrimExpr& a, const PrimExpr& b) {
                     return tschema::StructuralEqual(a, b);
                   });
    is_one = is_one && is_same;
  });
  return is_one ? only : std::nullopt;
}

/*! \brief Loops of a writer and of a reader that count the same. */
struct LoopPairs {
  std::vector<std::pair<tir::For, tir::For>> pairs;
  /*! \brief The loops of each that run once and have no partner. */
  std::vector<tir::For> of_writer;
  std::vector<tir::For> of_reader;
};

/*! \brief Pair the loops of two nests of the same elements, by the place that the second reads. */
std::optional<LoopPairs> PairLoops(const LoopNest& writer, const LoopNest& reader) {
  const std::optional<tir::BufferLoad> load = OnlyLoad(reader.store->value, writer.store->buffer);
  if (!load) return std::nullopt;
  LoopPairs found;
  VarSet paired;
  for (size_t i = 0; i < (*load)->indices.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr &stored = writer.store->indices[at], &read = (*load)->indices[at];
    const tir::For* stores = LoopOfIndex(stored, writer.spatial);
    const tir::For* reads = LoopOfIndex(read, reader.spatial);
    if (stores != nullptr && reads != nullptr) {
      const bool is_new = paired.insert((*reads)->loop_var.get()).second;
      if (!is_new || !HaveSameExtent(*stores, *reads)) return std::nullopt;
      found.pairs.emplace_back(*stores, *reads);
    } else if (stores != nullptr) {
      if (!IsOnce(*stores) || tir::IntConstOf(read) != 0) return std::nullopt;
      found.of_writer.push_back(*stores);
    } else {
      const std::optional<int64_t> place = tir::IntConstOf(stored);
      if (!place || place != tir::IntConstOf(read)) return std::nullopt;
    }
  }
  for (const tir::For& loop : reader.spatial) {
    if (paired.count(loop->loop_var.get()) != 0) continue;
    if (!IsOnce(loop)) return std::nullopt;
    found.of_reader.push_back(loop);
  }
  return found;
}

/*! \brief Whether innermost iterations of a nest that store a value use neighbours, or the same
 * elements. */
bool UsesNeighbours(const LoopNest& nest, const PrimExpr& value) {
  const tir::VarNode* var = nest.spatial.back()->loop_var.get();
  bool are_neighbours = AreNeighbours(nest.store->indices, var);
  tschema::Walk(value, [&](const tir::BufferLoadNode* load) {
    are_neighbours = are_neighbours && AreNeighbours(load->indices, var);
  });
  return are_neighbours;
}

PrimExpr Zero(const tir::For& loop) { return tir::make_const(0, loop->loop_var->dtype); }

/*! \brief The variable of another loop, in the data type of that of a loop. */
PrimExpr VarOf(const tir::For& other, const tir::For& loop) {
  return tir::cast(other->loop_var, loop->loop_var->dtype);
}

tir::BufferStore WithValue(const tir::BufferStore& store, PrimExpr value) {
  return tir::BufferStore(store->buffer, std::move(value), store->indices, std::nullopt,
                          store->span);
}

}  // namespace

std::optional<tir::Stmt> ComputeInReader(const LoopNest& writer, const LoopNest& reader) {
  const std::optional<LoopPairs> loops = PairLoops(writer, reader);
  // The value of a padding must keep its form, which fusion would break.
  if (!loops || MatchPadding(writer)) return std::nullopt;
  Substitution values;
  for (const auto& [stores, reads] : loops->pairs)
    values.Set(stores->loop_var, VarOf(reads, stores));
  for (const tir::For& loop : loops->of_writer) values.Set(loop->loop_var, Zero(loop));
  const tir::Buffer& buffer = writer.store->buffer;
  const PrimExpr value = transform::Substitute(writer.store->value, values);
  const tir::Var element(buffer->name, value->dtype);
  const PrimExpr body = LoadReplacer(buffer, element)(reader.store->value);
  if (body->dtype != reader.store->value->dtype || value->dtype != buffer->dtype) {
    return std::nullopt;
  }
  const bool has_vectors = UsesNeighbours(writer, writer.store->value);
  if (UsesNeighbours(reader, reader.store->value) != has_vectors ||
      UsesNeighbours(reader, value) != has_vectors) {
    return std::nullopt;
  }
  return InLoopsOf(reader.spatial,
                   WithValue(reader.store, tir::Let(element, value, body, writer.store->span)));
}

namespace {

/*! \brief The stores of a sum and of its epilogue. */
struct SumStores {
  tir::BufferStore init;
  tir::BufferStore sum;
  tir::BufferStore epilogue;
};

/*! \brief Let the sums be where the epilogue stores its results. */
SumStores InPlace(const SumStores& stores) {
  const tir::Buffer& from = stores.sum->buffer;
  const tir::BufferStore& to = stores.epilogue;
  LoadReplacer replace(from, tir::BufferLoad(to->buffer, to->indices));
  const auto moved = [&](const tir::BufferStore& store) {
    return tir::BufferStore(to->buffer, replace(store->value), to->indices, std::nullopt,
                            store->span);
  };
  return {moved(stores.init), moved(stores.sum), moved(stores.epilogue)};
}

}  // namespace

std::optional<tir::Stmt> AddEpilogue(const LoopNest& sum, const LoopNest& reader) {
  if (!sum.init || sum.epilogue) return std::nullopt;
  std::optional<LoopPairs> loops = PairLoops(sum, reader);
  if (!loops) return std::nullopt;
  Substitution values;
  for (const auto& [stores, reads] : loops->pairs)
    values.Set(reads->loop_var, VarOf(stores, reads));
  for (const tir::For& loop : loops->of_reader) {
    const bool has_partner = !loops->of_writer.empty();
    values.Set(loop->loop_var, has_partner ? VarOf(loops->of_writer.front(), loop) : Zero(loop));
    if (has_partner) loops->of_writer.erase(loops->of_writer.begin());
  }
  tir::BufferStore epilogue =
      transform::Substitute(tir::Stmt(reader.store), values).as<tir::BufferStore>().value();
  // The load of the sum has the place at which the sum is stored.
  const tir::BufferLoad element(sum.store->buffer, sum.store->indices);
  epilogue = WithValue(epilogue, LoadReplacer(sum.store->buffer, element)(epilogue->value));
  if (!AreAtSamePlace(epilogue, sum.store)) return std::nullopt;
  SumStores stores = {*sum.init, sum.store, epilogue};
  const bool is_alike = epilogue->buffer->dtype == sum.store->buffer->dtype;
  if (is_alike) stores = InPlace(stores);
  const tir::Stmt body = tir::SeqStmt(
      ffi::Array<tir::Stmt>{stores.init, InLoopsOf(sum.reduction, stores.sum), stores.epilogue});
  const tir::Stmt merged = InLoopsOf(sum.spatial, body);
  const std::optional<LoopNest> nest = MatchLoopNest(merged.as<tir::For>().value());
  if (!nest) return std::nullopt;
  if (Slides(sum)) return Slides(*nest) ? std::optional<tir::Stmt>(merged) : std::nullopt;
  if (!MatchContraction(*nest)) return std::nullopt;
  // The pixels of an image stay one loop, if they are.
  const std::optional<Window> before = MatchWindow(sum), after = MatchWindow(*nest);
  if (before.has_value() != after.has_value()) return std::nullopt;
  if (before && before->pixels.size() != after->pixels.size()) return std::nullopt;
  return merged;
}

}  // namespace uir::schedule
