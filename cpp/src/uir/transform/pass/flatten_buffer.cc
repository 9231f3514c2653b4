// Flattening of multi-dimensional buffers.
#include <tvm/ffi/cast.h>
#include <uir/arith/data.h>
#include <uir/ir/node_error.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/transform/flatten_buffer.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/tir_passes.h>
#include <uir/transform/with_body.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

using ir::PrimExpr;

class BufferFlattener : public LinearMutator {
 public:
  tir::Stmt Run(const tir::PrimFunc& func) {
    std::vector<std::pair<tir::Buffer, int>> params;
    for (const tir::Var& param : func->params) {
      const auto found = func->buffer_map.find(param);
      if (found == func->buffer_map.end()) continue;
      const tir::Buffer flat = VisitBuffer((*found).second.get());
      if (flat.same_as((*found).second)) continue;
      // The copy in `params` will be the reference that `flat` is now.
      params.emplace_back(flat, flat.use_count());
    }
    tir::Stmt body = VisitStmt(func->body);
    ffi::Array<tir::Stmt> stmts;
    for (const auto& [flat, num_references] : params) {
      // Each use adds a reference; a buffer without uses is not declared.
      if (flat.use_count() > num_references) stmts.push_back(tir::DeclBuffer(flat));
    }
    if (stmts.empty()) return body;
    stmts.push_back(body);
    return tir::flatten_seq(std::move(stmts));
  }

 protected:
  using StmtMutator::VisitDefault;

  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    const Access access = Flat(op->buffer, op->indices, op->predicate);
    if (access.is_same) return ffi::GetRef<PrimExpr>(op);
    return tir::BufferLoad(access.buffer, access.indices, access.predicate, op->span);
  }

  tir::Stmt VisitBufferStore(const tir::BufferStoreNode* op) override {
    const Access access = Flat(op->buffer, op->indices, op->predicate);
    PrimExpr value = VisitPrimExpr(op->value);
    if (access.is_same && value.same_as(op->value)) return ffi::GetRef<tir::Stmt>(op);
    return tir::BufferStore(access.buffer, std::move(value), access.indices, access.predicate,
                            op->span);
  }

  tir::Stmt VisitBind(const tir::BindNode* op) override {
    arith::BindDefinition(analyzer_, op->var, op->value);
    return LinearMutator::VisitBind(op);
  }

  PrimExpr VisitLet(const tir::LetNode* op) override {
    arith::BindDefinition(analyzer_, op->var, op->value);
    return LinearMutator::VisitLet(op);
  }

  tir::Buffer RewriteBuffer(const tir::BufferNode* op) override {
    // The extents and the offset may be read from buffers that are flattened.
    tir::Buffer buffer = LinearMutator::RewriteBuffer(op);
    tir::Buffer flat = buffer->Flattened();
    unflattened_.insert_or_assign(op, std::move(buffer));
    return flat;
  }

  /*! \brief The smallest range that contains a region. */
  tir::BufferRegion VisitBufferRegion(const tir::BufferRegionNode* op) override {
    const tir::Buffer flat = UseOf(op->buffer);
    const tir::Buffer& buffer = Unflattened(op->buffer);
    if (flat.same_as(buffer)) return LinearMutator::VisitBufferRegion(op);
    ffi::Array<PrimExpr> first;
    ffi::Array<PrimExpr> last;
    for (const ir::Range& range : op->region) {
      const PrimExpr min = VisitPrimExpr(range->min);
      first.push_back(min);
      const PrimExpr length = tir::sub(VisitPrimExpr(range->extent), One(range->extent));
      last.push_back(tir::add(min, length));
    }
    first = buffer->Offsets(first);
    last = buffer->Offsets(last);
    ffi::Array<ir::Range> region;
    for (size_t i = 0; i < first.size(); ++i) {
      const PrimExpr extent = tir::add(tir::sub(last[i], first[i]), One(first[i]));
      region.push_back(ir::Range(first[i], extent));
    }
    return tir::BufferRegion(flat, std::move(region));
  }

  tir::MatchBufferRegion VisitMatchBufferRegion(const tir::MatchBufferRegionNode* op) override {
    ir::ThrowAt(op, "ValueError",
                "buffer `" + std::string(op->buffer->name) +
                    "` is matched by a block; run `LowerBlocks` before this pass");
  }

 private:
  struct Access {
    tir::Buffer buffer;
    ffi::Array<PrimExpr> indices;
    ffi::Optional<PrimExpr> predicate;
    bool is_same;
  };

  static PrimExpr One(const PrimExpr& like) { return tir::make_const(1, like->dtype); }

  /*! \brief A buffer with its original dimensions, and with rewritten extents and offset. */
  const tir::Buffer& Unflattened(const tir::Buffer& buffer) const {
    const auto found = unflattened_.find(buffer.get());
    return found == unflattened_.end() ? buffer : found->second;
  }

  Access Flat(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
              ffi::Optional<PrimExpr> predicate) {
    bool is_same = true;
    ffi::Array<PrimExpr> visited = indices;
    for (int64_t i = 0; i < static_cast<int64_t>(indices.size()); ++i) {
      PrimExpr index = VisitPrimExpr(indices[i]);
      if (index.same_as(indices[i])) continue;
      is_same = false;
      visited.Set(i, std::move(index));
    }
    if (predicate.has_value()) {
      PrimExpr mask = VisitPrimExpr(predicate.value());
      is_same &= mask.same_as(predicate.value());
      predicate = std::move(mask);
    }
    tir::Buffer flat = UseOf(buffer);
    const tir::Buffer& unflattened = Unflattened(buffer);
    if (flat.same_as(unflattened)) {
      is_same &= flat.same_as(buffer);
      return {std::move(flat), std::move(visited), std::move(predicate), is_same};
    }
    ffi::Array<PrimExpr> flattened = unflattened->Offsets(std::move(visited));
    for (int64_t i = 0; i < static_cast<int64_t>(flattened.size()); ++i) {
      flattened.Set(i, analyzer_->Simplify(flattened[i]));
    }
    return {std::move(flat), std::move(flattened), std::move(predicate), false};
  }

  std::unordered_map<const ffi::Object*, tir::Buffer> unflattened_;
  // Knows no ranges; it merges the index terms that flattening has split.
  arith::Analyzer analyzer_;
};

}  // namespace

tir::PrimFunc FlattenBuffer(tir::PrimFunc func) {
  tir::Stmt body = BufferFlattener().Run(func);
  return WithBody(std::move(func), std::move(body));
}

Pass FlattenBuffer() {
  auto run = [](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    return FlattenBuffer(std::move(func));
  };
  return MakePrimFuncPass(run, 0, "FlattenBuffer", {"RemoveAssume"});
}

}  // namespace uir::transform
