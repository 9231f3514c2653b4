// Cuts the channels of tensors, and the loops over them, into blocks.
#include "./channel_blocks.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/node_copy.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "./channel_nests.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

class ChannelBlocker {
 public:
  ChannelBlocker(tir::PrimFunc func, const BlockSizes& blocks) : func_(std::move(func)) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const tir::Var& param = func_->params[static_cast<int64_t>(i)];
      const auto buffer = func_->buffer_map.find(param);
      if (buffer == func_->buffer_map.end()) continue;
      params_.emplace((*buffer).second.get(), i);
      if (blocks[i] != 0) blocks_.emplace((*buffer).second.get(), Blocks{kChannel, blocks[i]});
    }
  }

  std::optional<BlockedFunction> Run() {
    if (!TakeBody() || !SpreadBlocks() || !AreAllUsable()) return std::nullopt;
    ffi::Array<tir::Stmt> stmts;
    for (const Part& part : parts_) stmts.push_back(Rewritten(part));
    tir::PrimFunc changed = transform::CopyOf<tir::PrimFunc>(func_.get());
    tir::PrimFuncNode* node = transform::Write(changed);
    node->body = stmts.size() == 1 ? stmts[0] : tir::SeqStmt(std::move(stmts));
    for (const auto& [param, buffer] : func_->buffer_map) {
      node->buffer_map.Set(param, BufferOf(buffer));
    }
    return BlockedFunction{std::move(changed), weights_};
  }

 private:
  /*! \brief A statement of the function, and the nest that it is. */
  struct Part {
    tir::Stmt stmt;
    std::optional<LoopNest> nest;
  };
  /*! \brief A dimension in blocks of a size. */
  struct Blocks {
    size_t dimension;
    int64_t size;
  };
  /*! \brief The loops that replace one over channels. */
  struct SplitLoop {
    tir::Var outer;
    tir::Var inner;
    int64_t block;
  };
  using SplitLoops = std::unordered_map<const tir::VarNode*, SplitLoop>;
  /*! \brief Replaces accesses and the variables of loops. */
  class AccessRewriter;

  bool TakeBody() {
    const auto* sequence = func_->body.as<tir::SeqStmtNode>();
    const ffi::Array<tir::Stmt> stmts =
        sequence == nullptr ? ffi::Array<tir::Stmt>{func_->body} : sequence->seq;
    for (const tir::Stmt& stmt : stmts) {
      if (const auto* allocation = stmt.as<tir::AllocBufferNode>()) {
        allocated_.insert(allocation->buffer.get());
        parts_.push_back({stmt, std::nullopt});
        continue;
      }
      const auto loop = stmt.as<tir::For>();
      std::optional<LoopNest> nest = loop ? MatchChannelNest(*loop) : std::nullopt;
      if (!nest) return false;
      parts_.push_back({stmt, std::move(nest)});
    }
    return true;
  }

  const Blocks* BlocksOf(const tir::Buffer& buffer) const {
    const auto found = blocks_.find(buffer.get());
    return found == blocks_.end() ? nullptr : &found->second;
  }
  /*! \brief The block that a loop is split by; 0 for none. */
  int64_t BlockOf(const tir::VarNode* var) const {
    const auto found = factors_.find(var);
    return found == factors_.end() ? 0 : found->second;
  }

  /*! \brief Split the loops whose variables index channels in blocks, and use the same blocks for
   * the allocated tensors in these loops; false if two sizes of blocks conflict. */
  bool SpreadBlocks() {
    bool is_consistent = true;
    for (size_t known = 0; is_consistent && known != blocks_.size() + factors_.size();) {
      known = blocks_.size() + factors_.size();
      for (const Part& part : parts_) {
        if (!part.nest) continue;
        ForEachAccess(*part.nest, [&](const tir::Buffer& buffer, const auto& indices) {
          is_consistent = is_consistent && Spread(*part.nest, buffer, indices);
        });
      }
    }
    return is_consistent;
  }

  bool Spread(const LoopNest& nest, const tir::Buffer& buffer,
              const ffi::Array<PrimExpr>& indices) {
    const std::optional<ConvolutionWeights> weights = WeightsOf(nest);
    if (weights && weights->load->buffer.same_as(buffer)) return true;
    for (size_t i = 0; i < indices.size(); ++i) {
      const auto channel = ShiftedVarOf(indices[static_cast<int64_t>(i)]);
      if (!channel || !IsSplittable(nest, channel->var)) continue;
      const Blocks* blocks = BlocksOf(buffer);
      const int64_t factor = BlockOf(channel->var);
      if (blocks != nullptr && blocks->dimension == i) {
        if (factor != 0 && factor != blocks->size) return false;
        factors_.emplace(channel->var, blocks->size);
      } else if (blocks == nullptr && factor != 0 && MayHaveBlocks(buffer, i)) {
        blocks_.emplace(buffer.get(), Blocks{i, factor});
      }
    }
    return true;
  }

  /*! \brief Whether a buffer is one of the function's own, or of the same memory with blocks along
   * a dimension. */
  bool MayHaveBlocks(const tir::Buffer& buffer, size_t dimension) const {
    const bool has_channels = dimension == kChannel && allocated_.count(buffer.get()) != 0;
    return has_channels || AreNeighboursAlong(buffer, dimension);
  }

  /*! \brief Whether a variable is of a loop over elements, or over the channels of a convolution's
   * sum. */
  static bool IsSplittable(const LoopNest& nest, const tir::VarNode* var) {
    const auto is_var = [&](const tir::For& loop) { return loop->loop_var.get() == var; };
    if (std::any_of(nest.spatial.begin(), nest.spatial.end(), is_var)) return true;
    return !nest.reduction.empty() && is_var(nest.reduction[0]) && WeightsOf(nest);
  }

  bool AreAllUsable() {
    for (const auto& [buffer, blocks] : blocks_) {
      const auto extent = tir::IntConstOf(buffer->shape[static_cast<int64_t>(blocks.dimension)]);
      if (!extent || *extent % blocks.size != 0 || !buffer->IsCompact()) return false;
    }
    return std::all_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return !part.nest || IsUsable(*part.nest); });
  }

  bool AreLoopsInBlocks(const std::vector<tir::For>& loops) const {
    return std::all_of(loops.begin(), loops.end(), [&](const tir::For& loop) {
      const int64_t block = BlockOf(loop->loop_var.get());
      const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
      return block == 0 || (extent && *extent % block == 0);
    });
  }

  bool IsUsable(const LoopNest& nest) {
    if (!AreLoopsInBlocks(nest.spatial) || !AreLoopsInBlocks(nest.reduction)) return false;
    std::optional<ConvolutionWeights> weights = WeightsOf(nest);
    const bool has_sum = !nest.reduction.empty() && BlockOf(nest.reduction[0]->loop_var.get()) != 0;
    const bool is_convolution = weights && BlockOf(weights->channel) != 0 &&
                                params_.count(weights->load->buffer.get()) != 0 &&
                                BlocksOf(weights->load->buffer) == nullptr;
    if (has_sum && !is_convolution) return false;
    bool is_usable = true;
    ForEachAccess(nest, [&](const tir::Buffer& buffer, const auto& indices) {
      if (is_convolution && buffer.same_as(weights->load->buffer)) return;
      const Blocks* blocks = BlocksOf(buffer);
      for (size_t i = 0; i < indices.size(); ++i) {
        const PrimExpr& index = indices[static_cast<int64_t>(i)];
        const bool is_right = blocks != nullptr && blocks->dimension == i
                                  ? IsInBlocks(index, blocks->size)
                                  : !UsesSplitLoop(index);
        is_usable = is_usable && is_right;
      }
    });
    if (is_usable && is_convolution) {
      weights_.push_back({params_.at(weights->load->buffer.get()), TermsOf(nest)});
    }
    return is_usable;
  }

  static int64_t TermsOf(const LoopNest& nest) {
    int64_t terms = 1;
    for (const tir::For& loop : nest.reduction) {
      terms *= tir::IntConstOf(loop->extent).value_or(1);
    }
    return terms;
  }

  bool IsInBlocks(const PrimExpr& index, int64_t block) const {
    const auto channel = ShiftedVarOf(index);
    return channel && BlockOf(channel->var) == block && channel->offset % block == 0;
  }

  bool UsesSplitLoop(const PrimExpr& index) const {
    const VarSet used = VarsOf(index);
    return std::any_of(used.begin(), used.end(),
                       [&](const tir::VarNode* var) { return BlockOf(var) != 0; });
  }

  /*! \brief The buffer that replaces another one. */
  tir::Buffer BufferOf(const tir::Buffer& buffer) {
    const Blocks* blocks = BlocksOf(buffer);
    if (blocks == nullptr) return buffer;
    const auto known = buffers_.find(buffer.get());
    if (known != buffers_.end()) return known->second;
    const ffi::Array<PrimExpr> shape =
        BlockedShape(buffer->shape, blocks->size, static_cast<int64_t>(blocks->dimension));
    const tir::Buffer made = tir::decl_buffer(shape, buffer->dtype, buffer->name);
    return buffers_.emplace(buffer.get(), made).first->second;
  }

  tir::Stmt Rewritten(const Part& part);
  /*! \brief The loops with those over channels split, and the lanes innermost. */
  std::vector<tir::For> Split(const std::vector<tir::For>& loops, SplitLoops* split);

  tir::PrimFunc func_;
  std::vector<Part> parts_;
  std::unordered_map<const tir::BufferNode*, size_t> params_;
  std::unordered_set<const tir::BufferNode*> allocated_;
  std::unordered_map<const tir::BufferNode*, Blocks> blocks_;
  /*! \brief The blocks that loops are split by, by their variables. */
  std::unordered_map<const tir::VarNode*, int64_t> factors_;
  std::unordered_map<const tir::BufferNode*, tir::Buffer> buffers_;
  std::vector<WeightParam> weights_;
};

class ChannelBlocker::AccessRewriter : public tir::PrimExprMutator {
 public:
  AccessRewriter(ChannelBlocker* blocker, const SplitLoops& loops)
      : blocker_(blocker), loops_(loops) {}

  tir::BufferStore operator()(const tir::BufferStore& store) {
    return tir::BufferStore(blocker_->BufferOf(store->buffer), VisitPrimExpr(store->value),
                            Indices(store->buffer, store->indices), std::nullopt, store->span);
  }

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto found = loops_.find(op);
    if (found == loops_.end()) return ffi::GetRef<PrimExpr>(op);
    return found->second.outer * found->second.block + found->second.inner;
  }

  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    return tir::BufferLoad(blocker_->BufferOf(op->buffer), Indices(op->buffer, op->indices),
                           std::nullopt, op->span);
  }

 private:
  ffi::Array<PrimExpr> Indices(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices) {
    const Blocks* blocks = blocker_->BlocksOf(buffer);
    ffi::Array<PrimExpr> made;
    for (size_t i = 0; i < indices.size(); ++i) {
      const PrimExpr& index = indices[static_cast<int64_t>(i)];
      const bool has_blocks = blocks != nullptr && blocks->dimension == i;
      made.push_back(has_blocks ? BlockOf(index) : VisitPrimExpr(index));
    }
    if (blocks != nullptr) {
      const PrimExpr& index = indices[static_cast<int64_t>(blocks->dimension)];
      made.push_back(loops_.at(ShiftedVarOf(index)->var).inner);
    }
    return made;
  }

  PrimExpr BlockOf(const PrimExpr& index) const {
    const ShiftedVar channel = *ShiftedVarOf(index);
    const SplitLoop& loop = loops_.at(channel.var);
    if (channel.offset == 0) return loop.outer;
    return tir::make_const(channel.offset / loop.block, loop.outer->dtype) + loop.outer;
  }

  ChannelBlocker* blocker_;
  const SplitLoops& loops_;
};

tir::Stmt ChannelBlocker::Rewritten(const Part& part) {
  if (!part.nest) {
    const auto allocation = part.stmt.as<tir::AllocBuffer>().value();
    if (BlocksOf(allocation->buffer) == nullptr) return part.stmt;
    return tir::AllocBuffer(BufferOf(allocation->buffer), allocation->annotations,
                            allocation->span);
  }
  const LoopNest& nest = *part.nest;
  SplitLoops split;
  const std::vector<tir::For> loops = Split(nest.spatial, &split);
  const std::vector<tir::For> sum_loops = Split(nest.reduction, &split);
  AccessRewriter rewriter(this, split);
  tir::Stmt body = InLoopsOf(sum_loops, rewriter(nest.store));
  if (nest.init) {
    ffi::Array<tir::Stmt> stmts = {rewriter(*nest.init), body};
    if (nest.epilogue) stmts.push_back(rewriter(*nest.epilogue));
    body = tir::SeqStmt(std::move(stmts));
  }
  return InLoopsOf(loops, std::move(body));
}

std::vector<tir::For> ChannelBlocker::Split(const std::vector<tir::For>& loops, SplitLoops* split) {
  std::vector<tir::For> made, inner;
  for (const tir::For& loop : loops) {
    const int64_t block = BlockOf(loop->loop_var.get());
    if (block == 0) {
      made.push_back(loop);
      continue;
    }
    const DLDataType dtype = loop->loop_var->dtype;
    const SplitLoop parts{tir::Var(loop->loop_var->name + "_block", dtype),
                          tir::Var(loop->loop_var->name + "_lane", dtype), block};
    made.push_back(LoopLike(loop, parts.outer, *tir::IntConstOf(loop->extent) / block));
    inner.push_back(LoopLike(loop, parts.inner, block));
    split->emplace(loop->loop_var.get(), parts);
  }
  made.insert(made.end(), inner.begin(), inner.end());
  return made;
}

}  // namespace

std::optional<BlockedFunction> WithChannelBlocks(const tir::PrimFunc& func,
                                                 const BlockSizes& blocks) {
  return ChannelBlocker(func, blocks).Run();
}

ffi::Array<PrimExpr> BlockedShape(const ffi::Array<PrimExpr>& shape, int64_t block,
                                  int64_t dimension) {
  ffi::Array<PrimExpr> blocked = shape;
  const PrimExpr channels = shape[dimension];
  blocked.Set(dimension, tir::make_const(*tir::IntConstOf(channels) / block, channels->dtype));
  blocked.push_back(tir::make_const(block, channels->dtype));
  return blocked;
}

std::optional<BlockedIndex> SplitIndex(const PrimExpr& index, int64_t block) {
  const auto* sum = index.as<tir::AddNode>();
  const auto* product = sum == nullptr ? nullptr : sum->a.as<tir::MulNode>();
  if (product == nullptr || tir::IntConstOf(product->b) != block) return std::nullopt;
  return BlockedIndex{product->a, sum->b};
}

}  // namespace uir::schedule
