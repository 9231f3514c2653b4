// Elementwise functions: loops around one store, whose indices are the variables of the loops.
// Others copy an operand, and change elements of the copy.
#include "./in_place.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "./joined_operands.h"

namespace uir::transform {

namespace {

/*! \brief Whether a value has no effect, takes no address and does not read the result. */
bool IsPlainValue(const tir::BufferStore& store) {
  bool is_plain = !HasEffect(store->value);
  tschema::Walk(store->value, [&](const tir::BufferLoadNode* load) {
    is_plain = is_plain && !load->buffer->data.same_as(store->buffer->data);
  });
  tschema::Walk(store->value,
                [&](const tir::CallNode* call) { is_plain = is_plain && !TakesAddress(call); });
  return is_plain;
}

/*! \brief The store of a function whose loops reach each element once; else `nullopt`. */
std::optional<tir::BufferStore> OnlyStore(const tir::PrimFunc& func) {
  std::unordered_set<const ffi::Object*> loops;
  tir::Stmt stmt = func->body;
  while (const auto* loop = stmt.as<tir::ForNode>()) {
    if (DependsOnMemory(loop->min) || DependsOnMemory(loop->extent)) return std::nullopt;
    loops.insert(loop->loop_var.get());
    stmt = loop->body;
  }
  const auto store = stmt.as<tir::BufferStore>();
  if (!store || (*store)->predicate.has_value() || !IsPlainValue(*store)) return std::nullopt;
  for (const ir::PrimExpr& index : (*store)->indices) {
    const bool is_constant = index.as<ir::IntImmNode>() != nullptr;
    if (!is_constant && loops.erase(index.get()) == 0) return std::nullopt;
  }
  return loops.empty() ? store : std::nullopt;
}

bool AreSameIndices(const ffi::Array<ir::PrimExpr>& indices,
                    const ffi::Array<ir::PrimExpr>& others) {
  return std::equal(indices.begin(), indices.end(), others.begin(), others.end(),
                    [](const ir::PrimExpr& one, const ir::PrimExpr& other) {
                      const auto* left = one.as<ir::IntImmNode>();
                      const auto* right = other.as<ir::IntImmNode>();
                      if (left == nullptr || right == nullptr) return one.same_as(other);
                      return left->value == right->value;
                    });
}

/*! \brief Whether a store reads only the element of a buffer at the same index. */
bool ReadsOwnElement(const tir::Buffer& buffer, const tir::BufferStore& store) {
  bool is_own =
      buffer->dtype == store->buffer->dtype && buffer->IsCompact() && store->buffer->IsCompact();
  size_t num_loads = 0;
  tschema::Walk(store->value, [&](const tir::BufferLoadNode* load) {
    if (!load->buffer->data.same_as(buffer->data)) return;
    ++num_loads;
    is_own = is_own && load->buffer.same_as(buffer) && !load->predicate.has_value() &&
             AreSameIndices(load->indices, store->indices);
  });
  return is_own && num_loads > 0;
}

/*! \brief A copy of all elements of a buffer to the same places of another one. */
struct PlainCopy {
  tir::Buffer from;
  tir::Buffer to;
};

/*! \brief Whether the indices of an access are the variables of loops over a whole buffer. */
bool AreWhole(const ffi::Array<ir::PrimExpr>& indices, const tir::Buffer& buffer,
              const std::vector<const tir::ForNode*>& loops) {
  if (indices.size() != loops.size()) return false;
  for (size_t i = 0; i < loops.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const auto* min = loops[i]->min.as<ir::IntImmNode>();
    const bool is_whole = indices[at].same_as(loops[i]->loop_var) && min != nullptr &&
                          min->value == 0 &&
                          tschema::StructuralEqual(loops[i]->extent, buffer->shape[at]);
    if (!is_whole) return false;
  }
  return true;
}

std::optional<PlainCopy> PlainCopyOf(tir::Stmt stmt) {
  std::vector<const tir::ForNode*> loops;
  while (const auto* loop = stmt.as<tir::ForNode>()) {
    loops.push_back(loop);
    stmt = loop->body;
  }
  const auto* store = stmt.as<tir::BufferStoreNode>();
  const auto* load = store == nullptr ? nullptr : store->value.as<tir::BufferLoadNode>();
  if (load == nullptr || store->predicate.has_value() || load->predicate.has_value()) {
    return std::nullopt;
  }
  const tir::Buffer &from = load->buffer, &to = store->buffer;
  const bool is_plain = from->dtype == to->dtype && from->IsCompact() && to->IsCompact() &&
                        !from->data.same_as(to->data) && AreWhole(store->indices, to, loops) &&
                        AreWhole(load->indices, from, loops);
  return is_plain ? std::optional(PlainCopy{from, to}) : std::nullopt;
}

bool AccessesBuffer(const tir::Stmt& stmt, const tir::Buffer& buffer) {
  bool is_used = false;
  tschema::Walk(stmt,
                [&](const tir::VarNode* var) { is_used = is_used || var == buffer->data.get(); });
  return is_used;
}

/*! \brief The parameters of a function of which all that it does with one is to copy it to another,
 * before any other use of that. */
std::optional<InPlace> FindCopied(const tir::PrimFunc& func) {
  const auto* seq = func->body.as<tir::SeqStmtNode>();
  if (seq == nullptr || seq->seq.size() < 2) return std::nullopt;
  const std::vector<tir::Stmt> stmts(seq->seq.begin(), seq->seq.end());
  for (size_t i = 0; i < stmts.size(); ++i) {
    const auto copy = PlainCopyOf(stmts[i]);
    const auto input = copy ? ParamOf(func, copy->from) : std::nullopt;
    const auto output = copy ? ParamOf(func, copy->to) : std::nullopt;
    if (!input || !output) continue;
    for (size_t k = 0; k < stmts.size(); ++k) {
      if (k != i && AccessesBuffer(stmts[k], copy->from)) return std::nullopt;
      if (k < i && AccessesBuffer(stmts[k], copy->to)) return std::nullopt;
    }
    return InPlace{*output, {*input}, i};
  }
  return std::nullopt;
}

}  // namespace

InPlace FindInPlace(const tir::PrimFunc& func) {
  if (auto copied = FindCopied(func)) return *std::move(copied);
  InPlace found;
  const std::optional<tir::BufferStore> store = OnlyStore(func);
  if (!store) return found;
  bool has_output = false;
  std::vector<size_t> inputs;
  for (size_t i = 0; i < func->params.size(); ++i) {
    const auto buffer = func->buffer_map.find(func->params[static_cast<int64_t>(i)]);
    if (buffer == func->buffer_map.end()) continue;
    if ((*buffer).second.same_as((*store)->buffer)) {
      found.output = i;
      has_output = true;
    } else if (ReadsOwnElement((*buffer).second, *store)) {
      inputs.push_back(i);
    }
  }
  if (has_output) found.inputs = std::move(inputs);
  return found;
}

namespace {

/*! \brief Finds pairs of buffers that may share memory. */
class PlaceSharer {
 public:
  PlaceSharer(const ir::IRModule& module, std::vector<ArenaItem>* items)
      : module_(module), items_(*items) {
    for (size_t i = 0; i < items_.size(); ++i) places_.emplace(items_[i].buffer->data.get(), i);
  }

  SharedPlaces Run(const NumberedCalls& calls) {
    for (const auto& [position, call] : calls) {
      if (!Join(position, call)) Share(position, call);
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      if (owners_.count(i) == 0) continue;
      const tir::BufferNode* owner = items_[OwnerOf(i)].buffer.get();
      shared_.owners.emplace(items_[i].buffer.get(), PlaceWithin{owner, OffsetOf(i)});
    }
    std::vector<ArenaItem> owners;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (owners_.count(i) == 0) owners.push_back(items_[i]);
    }
    items_ = std::move(owners);
    return std::move(shared_);
  }

 private:
  std::optional<tir::PrimFunc> CalleeOf(const tir::Call& call) const {
    const auto found = module_->functions.find(call->op.as<ir::GlobalVar>().value());
    if (found == module_->functions.end()) return std::nullopt;
    const auto func = (*found).second.as<tir::PrimFunc>();
    return func && (*func)->params.size() == call->args.size() ? func : std::nullopt;
  }

  /*! \brief Place the operands of a concatenating call in its output, if all of them may be. */
  bool Join(int64_t position, const tir::Call& call) {
    const auto func = CalleeOf(call);
    const auto joined = func ? FindJoinedOperands(*func) : std::nullopt;
    const auto to = joined ? ItemOf(call, joined->output) : std::nullopt;
    if (!to || owners_.count(*to) != 0 || items_[*to].begin != position) return false;
    std::vector<std::pair<size_t, int64_t>> parts;
    for (const auto& [input, offset] : joined->inputs) {
      const std::optional<size_t> from = ItemOf(call, input);
      if (!from || OffsetOf(*from) != 0 || offset % kArenaAlignment != 0) return false;
      const size_t root = OwnerOf(*from);
      const bool is_other = std::all_of(parts.begin(), parts.end(),
                                        [&](const auto& part) { return part.first != root; });
      if (!is_other || !HaveSameSize(items_[*from].buffer, items_[root].buffer)) return false;
      parts.emplace_back(root, offset);
    }
    ArenaItem& whole = items_[*to];
    for (const auto& [root, offset] : parts) {
      owners_.emplace(root, Place{*to, offset});
      whole.begin = std::min(whole.begin, items_[root].begin);
      whole.end = std::max(whole.end, items_[root].end);
    }
    shared_.joins.insert(call.get());
    return true;
  }

  void Share(int64_t position, const tir::Call& call) {
    const auto func = CalleeOf(call);
    if (!func) return;
    const InPlace& known = InPlaceOf(*func);
    for (const size_t input : known.inputs) {
      const std::optional<size_t> from = ItemOf(call, input);
      const std::optional<size_t> to = ItemOf(call, known.output);
      if (!from || !to || !MayShare(*from, *to, position)) continue;
      owners_.emplace(*to, Place{*from, 0});
      items_[OwnerOf(*from)].end = items_[*to].end;
      shared_.calls.emplace(call.get(), std::make_pair(known.output, input));
      return;
    }
  }

  const InPlace& InPlaceOf(const tir::PrimFunc& func) {
    const auto found = known_.find(func.get());
    if (found != known_.end()) return found->second;
    return known_.emplace(func.get(), FindInPlace(func)).first->second;
  }

  /*! \brief The buffer of an argument, if no other argument of the call has it. */
  std::optional<size_t> ItemOf(const tir::Call& call, size_t place) const {
    const auto arg = call->args[static_cast<int64_t>(place)].as<tir::Var>();
    const auto found = arg ? places_.find(arg->get()) : places_.end();
    if (found == places_.end()) return std::nullopt;
    const auto count =
        std::count_if(call->args.begin(), call->args.end(),
                      [&](const ir::PrimExpr& other) { return other.same_as(*arg); });
    return count == 1 ? std::optional(found->second) : std::nullopt;
  }

  /*! \brief Whether a statement is the last use of one buffer and the first of another. */
  bool MayShare(size_t from, size_t to, int64_t position) {
    return LastUse(from) == position && items_[to].begin == position &&
           HaveSameSize(items_[from].buffer, items_[to].buffer);
  }

  bool HaveSameSize(const tir::Buffer& one, const tir::Buffer& other) {
    if (one->dtype != other->dtype) return false;
    return tschema::StructuralEqual(one->shape, other->shape) ||
           analyzer_->CanProveEqual(NumElements(one), NumElements(other));
  }

  static ir::PrimExpr NumElements(const tir::Buffer& buffer) {
    ir::PrimExpr count = ir::IntImm({kDLInt, 64, 1}, 1);
    for (const ir::PrimExpr& extent : buffer->shape) count = tir::mul(count, extent);
    return count;
  }

  /*! \brief The last use of a buffer's memory, also by buffers placed in it. */
  int64_t LastUse(size_t item) const { return items_[OwnerOf(item)].end; }

  size_t OwnerOf(size_t item) const {
    for (auto owner = owners_.find(item); owner != owners_.end(); owner = owners_.find(item)) {
      item = owner->second.item;
    }
    return item;
  }

  /*! \brief The offset of a buffer in the memory of its owner, in bytes. */
  int64_t OffsetOf(size_t item) const {
    int64_t offset = 0;
    for (auto owner = owners_.find(item); owner != owners_.end(); owner = owners_.find(item)) {
      item = owner->second.item;
      offset += owner->second.offset;
    }
    return offset;
  }

  struct Place {
    size_t item;
    int64_t offset;
  };

  ir::IRModule module_;
  std::vector<ArenaItem>& items_;
  std::unordered_map<const ffi::Object*, size_t> places_;
  std::unordered_map<const ffi::Object*, InPlace> known_;
  /*! \brief The items that hold others. */
  std::unordered_map<size_t, Place> owners_;
  SharedPlaces shared_;
  arith::Analyzer analyzer_;
};

}  // namespace

SharedPlaces SharePlaces(const ir::IRModule& module, const NumberedCalls& calls,
                         std::vector<ArenaItem>* items) {
  return PlaceSharer(module, items).Run(calls);
}

}  // namespace uir::transform
