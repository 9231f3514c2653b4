// Shares memory between allocations, and moves them to the outermost possible scope.
#include <uir/ir/types.h>
#include <uir/tir/block.h>
#include <uir/tir/op.h>
#include <uir/transform/flat_seq.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/node_copy.h>
#include <uir/transform/pass.h>
#include <uir/transform/tir_passes.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../analysis/storage_plan.h"
#include "./body_pass.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::Stmt;

/*! \brief Whether an allocation neither shares memory nor moves. */
bool Stays(const Storage& storage) {
  return storage.members.size() == 1 && storage.members[0].is_outermost;
}

class StorageRewriter : public LinearMutator {
 public:
  explicit StorageRewriter(const std::vector<Storage>& plan) {
    for (const Storage& storage : plan) {
      if (!Stays(storage)) Add(storage);
    }
  }

  bool IsIdle() const { return allocations_.empty(); }

  Stmt VisitStmt(Stmt stmt) override {
    const auto found = allocations_.find(stmt.get());
    if (found == allocations_.end()) return LinearMutator::VisitStmt(std::move(stmt));
    ffi::Array<tir::Stmt> stmts = found->second;
    const ffi::Optional<ir::Span> span = stmt->span;
    allocations_.erase(found);
    for (const tir::Buffer& buffer : views_[stmt.get()]) {
      stmts.push_back(tir::DeclBuffer(UseOf(buffer)));
    }
    stmts.push_back(LinearMutator::VisitStmt(std::move(stmt)));
    return FlatSeq(std::move(stmts), span);
  }

 protected:
  Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override {
    if (moved_.count(op->buffer.get()) != 0) return tir::SeqStmt(ffi::Array<tir::Stmt>());
    if (shared_.count(op->buffer.get()) == 0) return LinearMutator::VisitAllocBuffer(op);
    return tir::DeclBuffer(VisitBuffer(op->buffer.get()), {}, op->span);
  }

  Stmt VisitBlock(const tir::BlockNode* op) override {
    Stmt result = LinearMutator::VisitBlock(op);
    ffi::Array<tir::Buffer> kept;
    for (size_t i = 0; i < op->alloc_buffers.size(); ++i) {
      const ffi::Object* buffer = op->alloc_buffers[i].get();
      if (moved_.count(buffer) != 0 || shared_.count(buffer) != 0) continue;
      kept.push_back(static_cast<const tir::BlockNode*>(result.get())->alloc_buffers[i]);
    }
    if (kept.size() == op->alloc_buffers.size()) return result;
    const auto copy = CopyOf<tir::Block>(static_cast<const tir::BlockNode*>(result.get()));
    Write(copy)->alloc_buffers = std::move(kept);
    return copy;
  }

 private:
  void Add(const Storage& storage) {
    const Allocation& first = storage.members[0];
    ffi::Array<tir::Stmt>& allocations = allocations_[first.arena];
    const int32_t alignment = AlignmentOf(storage);
    const bool is_large_enough =
        first.bytes == storage.bytes && first.elements.same_as(storage.elements);
    if (is_large_enough && first.buffer->data_alignment == alignment) {
      moved_.insert(first.buffer.get());
      allocations.push_back(tir::AllocBuffer(first.buffer));
    } else {
      AddShared(first);
      allocations.push_back(tir::AllocBuffer(MakeMemory(storage, alignment)));
    }
    for (size_t i = 1; i < storage.members.size(); ++i) {
      AddShared(storage.members[i]);
      // Later members use the address of the first one.
      Replace(storage.members[i].buffer->data, first.buffer->data);
    }
  }

  /*! \brief Turn a buffer into a view; views of a block's buffers are declared before its body. */
  void AddShared(const Allocation& allocation) {
    shared_.insert(allocation.buffer.get());
    if (allocation.is_of_block) views_[allocation.arena].push_back(allocation.buffer);
  }

  static int32_t AlignmentOf(const Storage& storage) {
    int32_t alignment = 1;
    for (const Allocation& member : storage.members) {
      alignment = std::max(alignment, member.buffer->data_alignment);
    }
    return alignment;
  }

  /*! \brief A buffer for all members, with the data type of the first one. */
  static tir::Buffer MakeMemory(const Storage& storage, int32_t alignment) {
    const tir::Buffer& first = storage.members[0].buffer;
    const int64_t size = ElementBytes(first);
    const PrimExpr extent = storage.elements.has_value()
                                ? storage.elements.value()
                                : tir::make_const((storage.bytes + size - 1) / size, std::nullopt);
    return tir::Buffer(first->data, first->dtype, {extent}, {}, std::nullopt, first->name,
                       alignment);
  }

  /*! \brief The allocations at the beginning of each body. */
  std::unordered_map<const tir::StmtNode*, ffi::Array<tir::Stmt>> allocations_;
  /*! \brief The views of a block's buffers, which are declared after these allocations. */
  std::unordered_map<const tir::StmtNode*, ffi::Array<tir::Buffer>> views_;
  std::unordered_set<const ffi::Object*> moved_;
  std::unordered_set<const ffi::Object*> shared_;
};

}  // namespace

Pass StorageRewrite() {
  auto rewrite = [](tir::Stmt body, const PassContext&) {
    StorageRewriter rewriter(PlanStorage(FindAllocations(body)));
    return rewriter.IsIdle() ? body : rewriter.VisitStmt(body);
  };
  return MakeBodyPass(rewrite, "StorageRewrite");
}

}  // namespace uir::transform
