// Counts of accesses.
#include "./buffer_uses.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief More accesses than any function has. */
constexpr int64_t kUnknown = int64_t{1} << 40;

using Visit = std::function<void(const ffi::Object* node, int64_t paths)>;

/*! \brief Call a function for each object that an object holds, as often as it holds it. */
template <typename F>
void ForEachChild(const ffi::Object* node, const F& visit) {
  const auto step = [&](const ffi::Object* child) {
    if (child == node) return tschema::kAdvance;
    visit(child);
    return tschema::kSkip;
  };
  tschema::Walk(ffi::GetRef<ffi::ObjectRef>(node), step,
                {tschema::WalkOrder::kPreOrder, tschema::WalkSharing::kEveryPath});
}

/*!
 * \brief Visit the nodes of an expression, with the number of paths to each from the root.
 *
 * Linear in the number of nodes, as paths are counted from the root on. Buffers are not entered.
 */
void VisitPlaces(const PrimExpr& root, const Visit& visit) {
  std::vector<const ffi::Object*> nodes;
  tschema::Walk(
      root, [&](const ffi::Object* node) { nodes.push_back(node); },
      tschema::WalkOrder::kPostOrder);
  std::unordered_map<const ffi::Object*, int64_t> places = {{root.get(), 1}};
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const int64_t count = places[*node];
    if (count == 0) continue;
    visit(*node, count);
    if ((*node)->IsInstance<tir::BufferNode>()) continue;
    ForEachChild(*node, [&](const ffi::Object* child) {
      places[child] = std::min(places[child] + count, kUnknown);
    });
  }
}

void VisitPlaces(const tir::BufferStoreNode* store, const Visit& visit) {
  VisitPlaces(store->value, visit);
  for (const PrimExpr& index : store->indices) VisitPlaces(index, visit);
  if (store->predicate.has_value()) VisitPlaces(store->predicate.value(), visit);
}

class UseCounter : public tir::StmtVisitor {
 public:
  using StmtVisitor::VisitDefault;
  std::unordered_map<const ffi::Object*, int64_t> counts;
  std::unordered_map<const ffi::Object*, const tir::BufferNode*> allocated;

  void VisitPrimExpr(const PrimExpr& expr) override { VisitPlaces(expr, Adder()); }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    ++counts[op->buffer->data.get()];
    VisitPlaces(op, Adder());
  }
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    allocated[op->buffer->data.get()] = op->buffer.get();
  }
  void VisitDeclBuffer(const tir::DeclBufferNode* op) override {
    counts[op->buffer->data.get()] += kUnknown;
  }

 private:
  Visit Adder() {
    return [this](const ffi::Object* node, int64_t places) {
      if (node->IsInstance<tir::BufferLoadNode>()) {
        counts[static_cast<const tir::BufferLoadNode*>(node)->buffer->data.get()] += places;
      } else if (node->IsInstance<tir::VarNode>()) {
        const bool is_handle = ir::IsHandle(static_cast<const tir::VarNode*>(node)->dtype);
        if (is_handle) counts[node] += kUnknown;
      }
    };
  }
};

/*! \brief The accesses of a buffer's memory by the stores of a nest. */
int64_t CountAccesses(const LoopNest& nest, const ffi::Object* data) {
  int64_t count = 0;
  const auto add = [&](const tir::BufferStore& store) {
    count += store->buffer->data.get() == data ? 1 : 0;
    VisitPlaces(store.get(), [&](const ffi::Object* node, int64_t places) {
      if (!node->IsInstance<tir::BufferLoadNode>()) return;
      const auto* load = static_cast<const tir::BufferLoadNode*>(node);
      count += load->buffer->data.get() == data ? places : 0;
    });
  };
  if (nest.init) add(*nest.init);
  add(nest.store);
  if (nest.epilogue) add(*nest.epilogue);
  return count;
}

}  // namespace

BufferUses::BufferUses(const tir::Stmt& body) {
  UseCounter counter;
  counter.VisitStmt(body);
  counts_ = std::move(counter.counts);
  allocated_ = std::move(counter.allocated);
}

bool BufferUses::AreAllIn(const std::vector<LoopNest>& nests, const tir::Buffer& buffer) const {
  const ffi::Object* data = buffer->data.get();
  const auto allocated = allocated_.find(data);
  if (allocated == allocated_.end() || allocated->second != buffer.get()) return false;
  int64_t count = 0;
  for (const LoopNest& nest : nests) count += CountAccesses(nest, data);
  const auto found = counts_.find(data);
  return found != counts_.end() && found->second == count && count < kUnknown;
}

}  // namespace uir::schedule
