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

/*! \brief Take the loops from a statement on, while each is the whole body of the previous one;
 * return the innermost body. */
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

bool AreEqualIndices(const ffi::Array<PrimExpr>& one, const ffi::Array<PrimExpr>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const PrimExpr& a, const PrimExpr& b) {
                      const std::optional<int64_t> value = tir::IntConstOf(a);
                      return value ? value == tir::IntConstOf(b) : a.same_as(b);
                    });
}

bool SameElement(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
                 const tir::BufferStore& store) {
  return buffer.same_as(store->buffer) && AreEqualIndices(indices, store->indices);
}

/*! \brief Whether the only written element that a value reads is the one that it is stored to. */
bool ReadsOnlyOwnElement(const PrimExpr& value, const tir::BufferStore& store) {
  bool is_own = !transform::HasEffect(value);
  tschema::Walk(value, [&](const tir::BufferLoadNode* load) {
    if (!load->buffer->data.same_as(store->buffer->data)) return;
    is_own = is_own && SameElement(load->buffer, load->indices, store);
  });
  // A call that takes an address may read anything.
  tschema::Walk(
      value, [&](const tir::CallNode* call) { is_own = is_own && !transform::TakesAddress(call); });
  return is_own;
}

/*! \brief Take the body of the loops: a store, or a start, the loops of a reduction, and perhaps
 * an epilogue. */
std::optional<tir::BufferStore> TakeStores(const tir::Stmt& body, LoopNest* nest) {
  const auto* sequence = body.as<tir::SeqStmtNode>();
  if (sequence == nullptr) return body.as<tir::BufferStore>();
  const size_t size = sequence->seq.size();
  if (size != 2 && size != 3) return std::nullopt;
  if (size == 3) {
    nest->epilogue = sequence->seq[2].as<tir::BufferStore>();
    if (!nest->epilogue) return std::nullopt;
  }
  nest->init = sequence->seq[0].as<tir::BufferStore>();
  const std::optional<tir::Stmt> inner = TakeLoops(sequence->seq[1], &nest->reduction);
  if (!nest->init || !inner || nest->reduction.empty()) return std::nullopt;
  return inner->as<tir::BufferStore>();
}

bool IsSimple(const tir::BufferStore& store) {
  return !store->predicate.has_value() && ir::IsScalar(store->buffer->dtype);
}

bool IsEpilogue(const tir::BufferStore& store, const LoopNest& nest) {
  if (!IsSimple(store) || !AreAtSamePlace(store, nest.store)) return false;
  if (!ReadsOnlyOwnElement(store->value, nest.store)) return false;
  const bool is_in_place = store->buffer.same_as(nest.store->buffer);
  return is_in_place ||
         (!store->buffer->data.same_as(nest.store->buffer->data) &&
          !Reads(store->value, store->buffer) && !Reads(nest.store->value, store->buffer));
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

namespace {

/*! \brief Whether an expression adds up a variable and values without it. */
bool HasAsSummand(const PrimExpr& expr, const tir::VarNode* var) {
  if (expr.get() == var) return true;
  const auto* sum = expr.as<tir::AddNode>();
  if (sum == nullptr) return false;
  const bool is_left = VarsOf(sum->a).count(var) != 0;
  if (is_left && VarsOf(sum->b).count(var) != 0) return false;
  return HasAsSummand(is_left ? sum->a : sum->b, var);
}

}  // namespace

bool AreNeighbours(const ffi::Array<PrimExpr>& indices, const tir::VarNode* var) {
  for (size_t i = 0; i + 1 < indices.size(); ++i) {
    if (VarsOf(indices[i]).count(var) != 0) return false;
  }
  if (indices.empty() || VarsOf(indices.back()).count(var) == 0) return true;
  return HasAsSummand(indices.back(), var);
}

bool AreAtSamePlace(const tir::BufferStore& one, const tir::BufferStore& other) {
  return AreEqualIndices(one->indices, other->indices);
}

tir::Stmt InLoopsOf(const std::vector<tir::For>& loops, tir::Stmt body) {
  for (size_t i = loops.size(); i-- > 0;) {
    const tir::ForNode* loop = loops[i].get();
    body = tir::For(loop->loop_var, loop->min, loop->extent, loop->kind, std::move(body),
                    loop->thread_binding, loop->annotations, loop->step, loop->span);
  }
  return body;
}

tir::Stmt InLoops(const std::vector<tir::For>& loops, tir::Stmt body, tir::ForKind outermost) {
  for (size_t i = loops.size(); i-- > 0;) {
    const tir::ForNode* loop = loops[i].get();
    const tir::ForKind kind = i == 0 ? outermost : tir::ForKind::kSerial;
    body = tir::For(loop->loop_var, loop->min, loop->extent, kind, std::move(body), std::nullopt,
                    {}, std::nullopt, loop->span);
  }
  return body;
}

tir::For LoopLike(const tir::For& loop, const tir::Var& var, int64_t extent) {
  return tir::For(var, loop->min, tir::make_const(extent, var->dtype), loop->kind, loop->body,
                  std::nullopt, {}, std::nullopt, loop->span);
}

bool CountAlike(const LoopNest& nest) {
  const DLDataType dtype = nest.spatial[0]->loop_var->dtype;
  const auto is_alike = [&](const tir::For& loop) { return loop->loop_var->dtype == dtype; };
  return std::all_of(nest.spatial.begin(), nest.spatial.end(), is_alike) &&
         std::all_of(nest.reduction.begin(), nest.reduction.end(), is_alike);
}

std::string NameOf(const LoopNest& nest) { return std::string(nest.store->buffer->name); }

namespace {

/*! \brief A nest, if its elements are independent. */
std::optional<LoopNest> Checked(LoopNest nest) {
  if (!IsSimple(nest.store)) return std::nullopt;
  if (!StoresEachOnce(nest) || !ReadsOnlyOwnElement(nest.store->value, nest.store)) {
    return std::nullopt;
  }
  if (nest.init) {
    const bool is_start = IsSimple(*nest.init) && !Reads((*nest.init)->value, nest.store->buffer) &&
                          ReadsOnlyOwnElement((*nest.init)->value, nest.store) &&
                          SameElement((*nest.init)->buffer, (*nest.init)->indices, nest.store);
    if (!is_start) return std::nullopt;
  }
  if (nest.epilogue && !IsEpilogue(*nest.epilogue, nest)) return std::nullopt;
  if (!AreRectangular(nest.spatial, nest) || !AreRectangular(nest.reduction, nest)) {
    return std::nullopt;
  }
  return nest;
}

}  // namespace

std::optional<LoopNest> MatchLoopNest(const tir::For& outermost) {
  std::vector<tir::For> spatial;
  const std::optional<tir::Stmt> body = TakeLoops(outermost, &spatial);
  if (!body) return std::nullopt;
  LoopNest nest{std::move(spatial), {}, std::nullopt, tir::BufferStore(ffi::UnsafeInit{})};
  const std::optional<tir::BufferStore> store = TakeStores(*body, &nest);
  if (!store) return std::nullopt;
  nest.store = *store;
  return Checked(std::move(nest));
}

std::optional<LoopNest> MatchTotal(const tir::Stmt& start, const tir::Stmt& loops) {
  LoopNest nest{{}, {}, std::nullopt, tir::BufferStore(ffi::UnsafeInit{})};
  const auto store = TakeStores(tir::SeqStmt({start, loops}), &nest);
  if (!store) return std::nullopt;
  nest.store = *store;
  return Checked(std::move(nest));
}

}  // namespace uir::schedule
