// Assignment of memory to the allocations of a function.
#include "./storage_plan.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/expr.h>

#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace uir::transform {

namespace {

/*! \brief The size of the allocations that compilers keep in registers. */
constexpr int64_t kSmallBytes = 4;

/*! \brief Free memory, by size. */
using FreeList = std::multimap<int64_t, size_t>;

/*! \brief Take the smallest memory that is large enough, or else the largest (best fit). */
bool TakeBestFit(FreeList* free, int64_t bytes, size_t* index) {
  if (free->empty()) return false;
  auto fit = free->lower_bound(bytes);
  if (fit == free->end()) --fit;
  *index = fit->second;
  free->erase(fit);
  return true;
}

/*! \brief Take memory of a symbolic size, preferably of the same size; otherwise it will grow. */
bool TakeSymbolic(FreeList* free, const std::vector<Storage>& storages,
                  const ir::PrimExpr& elements, size_t* index) {
  if (free->empty()) return false;
  auto fit = free->begin();
  for (auto entry = free->begin(); entry != free->end(); ++entry) {
    if (!tschema::StructuralEqual(storages[entry->second].elements.value(), elements)) continue;
    fit = entry;
    break;
  }
  *index = fit->second;
  free->erase(fit);
  return true;
}

/*! \brief Whether an expression equals another one, or is a maximum with this operand. */
bool HasOperand(const ir::PrimExpr& size, const ir::PrimExpr& operand) {
  if (tschema::StructuralEqual(size, operand)) return true;
  const auto* larger = size.as<tir::MaxNode>();
  return larger != nullptr && (HasOperand(larger->a, operand) || HasOperand(larger->b, operand));
}

/*! \brief Grow memory of a symbolic size to the size of an allocation. */
void Grow(Storage* storage, const ir::PrimExpr& elements) {
  if (!storage->elements.has_value()) {
    storage->elements = elements;
  } else if (!HasOperand(storage->elements.value(), elements)) {
    storage->elements = tir::max(storage->elements.value(), elements);
  }
}

bool CanFollowInPlace(const Allocation& next, const Allocation& previous) {
  return next.first == previous.last && next.bytes == previous.bytes &&
         next.buffer->dtype == previous.buffer->dtype &&
         IsElementwise(next.first, next.buffer, previous.buffer);
}

class StoragePlanner {
 public:
  std::vector<Storage> Run(std::vector<Allocation> allocations) {
    for (Allocation& allocation : allocations) Place(std::move(allocation));
    return std::move(storages_);
  }

 private:
  /*! \brief The arena, the scope, and the element size of allocations with a symbolic size. */
  using Region = std::tuple<const tir::StmtNode*, std::string, int64_t>;

  struct State {
    FreeList free;
    /*! \brief The memory in use, by the end of its live range. */
    std::priority_queue<std::pair<int64_t, size_t>, std::vector<std::pair<int64_t, size_t>>,
                        std::greater<>>
        used;
    /*! \brief The memory by the statement of its last use. */
    std::unordered_multimap<const tir::StmtNode*, size_t> by_last;
  };

  void Place(Allocation allocation) {
    const bool is_symbolic = allocation.elements.has_value();
    State& state =
        states_[{allocation.arena, allocation.scope, is_symbolic ? allocation.bytes : 0}];
    while (!state.used.empty() && state.used.top().first < allocation.begin) {
      const auto [end, index] = state.used.top();
      state.used.pop();
      if (storages_[index].end == end) state.free.emplace(storages_[index].bytes, index);
    }
    size_t index = storages_.size();
    const bool is_small = !is_symbolic && allocation.bytes <= kSmallBytes;
    const bool is_shared = !is_small && (TakeInPlace(&state, allocation, &index) ||
                                         TakeFree(&state, allocation, &index));
    if (!is_shared) storages_.push_back({{}, 0, std::nullopt, 0});
    Storage& storage = storages_[index];
    storage.bytes = std::max(storage.bytes, allocation.bytes);
    if (is_symbolic) Grow(&storage, allocation.elements.value());
    storage.end = allocation.end;
    if (!is_small) {
      state.used.emplace(allocation.end, index);
      state.by_last.emplace(allocation.last, index);
    }
    storage.members.push_back(std::move(allocation));
  }

  /*! \brief Take memory that the allocation's first statement uses last, element by element. */
  bool TakeInPlace(State* state, const Allocation& allocation, size_t* index) {
    const auto [begin, end] = state->by_last.equal_range(allocation.first);
    for (auto entry = begin; entry != end; ++entry) {
      const Allocation& previous = storages_[entry->second].members.back();
      if (!CanFollowInPlace(allocation, previous)) continue;
      *index = entry->second;
      state->by_last.erase(entry);
      return true;
    }
    return false;
  }

  bool TakeFree(State* state, const Allocation& allocation, size_t* index) const {
    if (!allocation.elements.has_value()) {
      return TakeBestFit(&state->free, allocation.bytes, index);
    }
    return TakeSymbolic(&state->free, storages_, allocation.elements.value(), index);
  }

  std::map<Region, State> states_;
  std::vector<Storage> storages_;
};

}  // namespace

bool IsElementwise(const tir::StmtNode* stmt, const tir::Buffer& target,
                   const tir::Buffer& source) {
  std::unordered_set<const ffi::Object*> loop_vars;
  while (stmt->IsInstance<tir::ForNode>()) {
    const auto* loop = static_cast<const tir::ForNode*>(stmt);
    loop_vars.insert(loop->loop_var.get());
    stmt = loop->body.get();
  }
  if (!stmt->IsInstance<tir::BufferStoreNode>()) return false;
  const auto* store = static_cast<const tir::BufferStoreNode*>(stmt);
  if (!store->buffer.same_as(target) || store->predicate.has_value()) return false;
  if (!tschema::StructuralEqual(target->shape, source->shape)) return false;
  if (!target->strides.empty() || !source->strides.empty()) return false;
  // Each iteration writes a different element.
  for (const ir::PrimExpr& index : store->indices) {
    if (loop_vars.erase(index.get()) == 0) return false;
  }
  if (!loop_vars.empty()) return false;
  return tschema::Walk(store->value, [&](const ir::PrimExprNode* node) {
    if (node->IsInstance<tir::CallNode>() || node->IsInstance<tir::LetNode>()) {
      return tschema::kInterrupt;
    }
    if (node == source->data.get() || node == target->data.get()) return tschema::kInterrupt;
    if (!node->IsInstance<tir::BufferLoadNode>()) return tschema::kAdvance;
    const auto* load = static_cast<const tir::BufferLoadNode*>(node);
    if (load->buffer->data.same_as(target->data)) return tschema::kInterrupt;
    if (!load->buffer->data.same_as(source->data)) return tschema::kAdvance;
    const bool is_same = load->buffer.same_as(source) && !load->predicate.has_value() &&
                         tschema::StructuralEqual(load->indices, store->indices);
    return is_same ? tschema::kSkip : tschema::kInterrupt;
  });
}

std::vector<Storage> PlanStorage(std::vector<Allocation> allocations) {
  return StoragePlanner().Run(std::move(allocations));
}

}  // namespace uir::transform
