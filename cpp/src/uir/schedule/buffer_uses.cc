// Counts of accesses.
#include "./buffer_uses.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt_functor.h>

#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief More accesses than any function has. */
constexpr int64_t kUnknown = int64_t{1} << 40;

class UseCounter : public tir::StmtVisitor {
 public:
  using StmtVisitor::VisitDefault;
  std::unordered_map<const ffi::Object*, int64_t> counts;
  std::unordered_map<const ffi::Object*, const tir::BufferNode*> allocated;

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    ++counts[op->buffer->data.get()];
    for (const PrimExpr& index : op->indices) VisitPrimExpr(index);
    if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
  }
  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    ++counts[op->buffer->data.get()];
    VisitPrimExpr(op->value);
    for (const PrimExpr& index : op->indices) VisitPrimExpr(index);
    if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
  }
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    allocated[op->buffer->data.get()] = op->buffer.get();
  }
  void VisitDeclBuffer(const tir::DeclBufferNode* op) override {
    counts[op->buffer->data.get()] += kUnknown;
  }
  void VisitVar(const tir::VarNode* op) override {
    if (ir::IsHandle(op->dtype)) counts[op] += kUnknown;
  }
};

/*! \brief The accesses of a buffer's memory by the stores of a nest. */
int64_t CountAccesses(const LoopNest& nest, const ffi::Object* data) {
  int64_t count = 0;
  const auto add = [&](const tir::BufferStore& store) {
    count += store->buffer->data.get() == data ? 1 : 0;
    // An expression may stand in several places, of which each counts.
    tschema::Walk(
        store->value,
        [&](const tir::BufferLoadNode* load) { count += load->buffer->data.get() == data ? 1 : 0; },
        {tschema::WalkOrder::kPreOrder, tschema::WalkSharing::kEveryPath});
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
  return found != counts_.end() && found->second == count;
}

}  // namespace uir::schedule
