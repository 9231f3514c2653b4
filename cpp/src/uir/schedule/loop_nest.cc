// The form of loop nests that recipes schedule.
#include "./loop_nest.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

namespace {

bool IsPlain(const tir::ForNode* loop) {
  const bool is_noted = loop->annotations.count("block_kind") == loop->annotations.size();
  return loop->kind == tir::ForKind::kSerial && !loop->step.has_value() && is_noted &&
         tir::IntConstOf(loop->min) == 0;
}

/*! \brief Take the loops from a statement on, as long as each is the whole body of the one before;
 * return what stands in them. */
std::optional<tir::Stmt> TakeLoops(tir::Stmt stmt, std::vector<tir::For>* loops) {
  while (const auto* loop = stmt.as<tir::ForNode>()) {
    if (!IsPlain(loop)) return std::nullopt;
    loops->push_back(ffi::GetRef<tir::For>(loop));
    stmt = loop->body;
  }
  return stmt;
}

/*! \brief Whether the extents of loops are the same for all iterations. */
bool AreRectangular(const std::vector<tir::For>& loops, const LoopNest& nest) {
  return std::none_of(loops.begin(), loops.end(), [&](const tir::For& loop) {
    const VarSet used = VarsOf(loop->extent);
    return UsesAny(used, nest.spatial) || UsesAny(used, nest.reduction) ||
           transform::DependsOnMemory(loop->extent);
  });
}

/*! \brief Whether the indices are the variables of the loops, each once, and constants. */
bool StoresEachOnce(const LoopNest& nest) {
  VarSet seen;
  for (const PrimExpr& index : nest.store->indices) {
    const auto* var = index.as<tir::VarNode>();
    if (var == nullptr ? !tir::IntConstOf(index) : !seen.insert(var).second) return false;
  }
  return std::all_of(nest.spatial.begin(), nest.spatial.end(),
                     [&](const tir::For& loop) { return seen.count(loop->loop_var.get()) != 0; }) &&
         seen.size() == nest.spatial.size();
}

bool SameElement(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
                 const tir::BufferStore& store) {
  if (!buffer.same_as(store->buffer) || indices.size() != store->indices.size()) return false;
  for (size_t i = 0; i < indices.size(); ++i) {
    const std::optional<int64_t> value = tir::IntConstOf(indices[i]);
    const bool is_equal =
        value ? value == tir::IntConstOf(store->indices[i]) : indices[i].same_as(store->indices[i]);
    if (!is_equal) return false;
  }
  return true;
}

/*! \brief Whether a value reads nothing that the nest writes, but the element itself. */
bool ReadsOnlyOwnElement(const PrimExpr& value, const tir::BufferStore& store) {
  bool is_own = !transform::HasEffect(value);
  tschema::Walk(value, [&](const tir::BufferLoadNode* load) {
    if (!load->buffer->data.same_as(store->buffer->data)) return;
    is_own = is_own && SameElement(load->buffer, load->indices, store);
  });
  // What takes an address may read anything.
  const auto is_address = [](const PrimExpr& expr) { return ir::IsHandle(expr->dtype); };
  tschema::Walk(value, [&](const tir::CallNode* call) {
    is_own = is_own && std::none_of(call->args.begin(), call->args.end(), is_address);
  });
  return is_own;
}

/*! \brief Take the body of the loops: a store, or a start and the loops of a reduction. */
std::optional<tir::BufferStore> TakeStores(const tir::Stmt& body, LoopNest* nest) {
  const auto* sequence = body.as<tir::SeqStmtNode>();
  if (sequence == nullptr) return body.as<tir::BufferStore>();
  if (sequence->seq.size() != 2) return std::nullopt;
  nest->init = sequence->seq[0].as<tir::BufferStore>();
  const std::optional<tir::Stmt> inner = TakeLoops(sequence->seq[1], &nest->reduction);
  if (!nest->init || !inner || nest->reduction.empty()) return std::nullopt;
  return inner->as<tir::BufferStore>();
}

bool IsSimple(const tir::BufferStore& store) {
  return !store->predicate.has_value() && ir::IsScalar(store->buffer->dtype);
}

}  // namespace

VarSet VarsOf(const PrimExpr& expr) {
  VarSet vars;
  tschema::Walk(expr, [&](const tir::VarNode* var) { vars.insert(var); });
  return vars;
}

bool UsesAny(const VarSet& used, const std::vector<tir::For>& loops) {
  return std::any_of(loops.begin(), loops.end(),
                     [&](const tir::For& loop) { return used.count(loop->loop_var.get()) != 0; });
}

bool IsElementOf(const PrimExpr& expr, const tir::BufferStore& store) {
  const auto* load = expr.as<tir::BufferLoadNode>();
  return load != nullptr && !load->predicate.has_value() &&
         SameElement(load->buffer, load->indices, store);
}

bool Reads(const PrimExpr& expr, const tir::Buffer& buffer) {
  bool reads = false;
  tschema::Walk(expr, [&](const tir::BufferLoadNode* load) {
    reads = reads || load->buffer->data.same_as(buffer->data);
  });
  return reads;
}

bool AreNeighbours(const ffi::Array<PrimExpr>& indices, const tir::VarNode* var) {
  for (size_t i = 0; i + 1 < indices.size(); ++i) {
    if (VarsOf(indices[i]).count(var) != 0) return false;
  }
  if (indices.empty() || VarsOf(indices.back()).count(var) == 0) return true;
  if (indices.back().get() == var) return true;
  const auto* sum = indices.back().as<tir::AddNode>();
  return sum != nullptr && sum->a.get() == var && VarsOf(sum->b).count(var) == 0;
}

std::string NameOf(const LoopNest& nest) { return std::string(nest.store->buffer->name); }

std::optional<LoopNest> MatchLoopNest(const tir::For& outermost) {
  std::vector<tir::For> spatial;
  const std::optional<tir::Stmt> body = TakeLoops(outermost, &spatial);
  if (!body) return std::nullopt;
  LoopNest nest{std::move(spatial), {}, std::nullopt, tir::BufferStore(ffi::UnsafeInit{})};
  const std::optional<tir::BufferStore> store = TakeStores(*body, &nest);
  if (!store || !IsSimple(*store)) return std::nullopt;
  nest.store = *store;
  if (!StoresEachOnce(nest) || !ReadsOnlyOwnElement(nest.store->value, nest.store)) {
    return std::nullopt;
  }
  if (nest.init) {
    const bool is_start = IsSimple(*nest.init) && !Reads((*nest.init)->value, nest.store->buffer) &&
                          ReadsOnlyOwnElement((*nest.init)->value, nest.store) &&
                          SameElement((*nest.init)->buffer, (*nest.init)->indices, nest.store);
    if (!is_start) return std::nullopt;
  }
  if (!AreRectangular(nest.spatial, nest) || !AreRectangular(nest.reduction, nest)) {
    return std::nullopt;
  }
  return nest;
}

}  // namespace uir::schedule
