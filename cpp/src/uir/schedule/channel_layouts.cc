// Chooses the layouts of tensors, and rewrites the function that allocates them.
#include "./channel_layouts.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <map>
#include <utility>

#include "./constant_data.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Assumed for a height or width that is not known: more than one. */
constexpr int64_t kSymbolicExtent = 16;

/*! \brief The blocks of a tensor's channels: of the bytes of two vectors or, if that leaves a part
 * of a block or at most one is allowed, of one; 0 for none. */
int64_t BlockFor(const tir::Buffer& buffer, int64_t vectors) {
  constexpr int64_t kVectorBits = 512;
  const DLDataType dtype = buffer->dtype;
  const bool is_number = ir::IsFloat(dtype) && ir::IsScalar(dtype) && dtype.bits >= 32;
  if (!is_number || buffer->shape.size() < 3 || !buffer->IsCompact()) return 0;
  int64_t pixels = 1;
  for (size_t i = 2; i < buffer->shape.size(); ++i) {
    const PrimExpr& extent = buffer->shape[static_cast<int64_t>(i)];
    pixels *= tir::IntConstOf(extent).value_or(kSymbolicExtent);
  }
  const std::optional<int64_t> channels = tir::IntConstOf(buffer->shape[1]);
  if (!channels || *channels <= 0 || pixels <= 1) return 0;
  const int64_t lanes = kVectorBits / dtype.bits;
  if (vectors == 2 && *channels % (2 * lanes) == 0) return 2 * lanes;
  return *channels % lanes == 0 ? lanes : 0;
}

/*! \brief Blocks that are all of the size of the smallest. */
BlockSizes Smallest(BlockSizes blocks) {
  int64_t least = INT64_MAX;
  for (const int64_t block : blocks) least = block == 0 ? least : std::min(least, block);
  for (int64_t& block : blocks) block = std::min(block, least);
  return blocks;
}

/*! \brief A tensor's memory, as a buffer of the shape that its blocks have. */
tir::Buffer InBlocks(const ChannelTensor& tensor) {
  const tir::Buffer& buffer = tensor.buffer;
  return tir::Buffer(buffer->data, buffer->dtype, BlockedShape(buffer->shape, tensor.block), {},
                     std::nullopt, buffer->name, buffer->data_alignment);
}

}  // namespace

LayoutChooser::LayoutChooser(tir::PrimFunc func, BlockedCallees* callees)
    : func_(std::move(func)), callees_(callees) {
  FindTensors();
  FindCalls();
}

std::vector<TensorChain> LayoutChooser::Chains() {
  // The first call of each tensor's chain.
  std::unordered_map<const ChannelTensor*, size_t> firsts;
  for (size_t i = 0; i < calls_.size(); ++i) {
    size_t first = i;
    for (const PrimExpr& arg : calls_[i]->args) {
      const ChannelTensor* tensor = TensorOf(arg);
      if (tensor == nullptr) continue;
      const size_t other = firsts.emplace(tensor, first).first->second;
      const size_t last = std::max(first, other);
      first = std::min(first, other);
      for (auto& [one, place] : firsts) place = place == last ? first : place;
    }
  }
  std::map<size_t, TensorChain> chains;
  for (const tir::CallNode* call : calls_) {
    for (const PrimExpr& arg : call->args) {
      const ChannelTensor* tensor = TensorOf(arg);
      if (tensor == nullptr) continue;
      chains[firsts.at(tensor)].calls.push_back(call);
      break;
    }
  }
  for (const tir::Stmt& stmt : Stmts()) {
    const auto* allocation = stmt.as<tir::AllocBufferNode>();
    ChannelTensor* tensor = allocation == nullptr ? nullptr : TensorOf(allocation->buffer->data);
    if (firsts.count(tensor) != 0) chains[firsts.at(tensor)].tensors.push_back(tensor);
  }
  std::vector<TensorChain> made;
  for (auto& [first, chain] : chains) made.push_back(std::move(chain));
  return made;
}

void LayoutChooser::Choose(const TensorChain& chain, const LayoutChoice& choice) {
  for (ChannelTensor* tensor : chain.tensors) {
    tensor->block = choice.vectors == 0 ? 0 : BlockFor(tensor->buffer, choice.vectors);
    tensor->copy_terms = choice.copy_terms;
  }
}

tir::PrimFunc LayoutChooser::Run() {
  if (calls_.empty()) return func_;
  Settle();
  const bool has_blocks = std::any_of(tensors_.begin(), tensors_.end(),
                                      [](const auto& one) { return one.second.block != 0; });
  return has_blocks ? transform::WithBody(func_, Rewritten()) : func_;
}

BlockSizes LayoutChooser::Blocks(const std::vector<TensorChain>& chains) {
  Settle();
  BlockSizes blocks;
  for (const TensorChain& chain : chains) {
    for (const ChannelTensor* tensor : chain.tensors) blocks.push_back(tensor->block);
  }
  return blocks;
}

/*! \brief Drop blocks until all that are left are possible and useful. */
void LayoutChooser::Settle() {
  while (DropImpossible() || DropUseless()) {
  }
  KeepThoseOfConvolutions();
}

ffi::Array<tir::Stmt> LayoutChooser::Stmts() const {
  const auto* sequence = func_->body.as<tir::SeqStmtNode>();
  return sequence == nullptr ? ffi::Array<tir::Stmt>{func_->body} : sequence->seq;
}

/*! \brief The call of a function of the module that a statement is. */
const tir::CallNode* LayoutChooser::CallOf(const tir::Stmt& stmt) const {
  const auto* evaluate = stmt.as<tir::EvaluateNode>();
  const auto* call = evaluate == nullptr ? nullptr : evaluate->value.as<tir::CallNode>();
  return call != nullptr && callees_->Has(call->op) ? call : nullptr;
}

void LayoutChooser::FindTensors() {
  const LayoutChoice by_rule;
  for (const tir::Stmt& stmt : Stmts()) {
    const auto* allocation = stmt.as<tir::AllocBufferNode>();
    if (allocation == nullptr) continue;
    const int64_t block = BlockFor(allocation->buffer, by_rule.vectors);
    if (block == 0) continue;
    tensors_.emplace(allocation->buffer->data.get(),
                     ChannelTensor{allocation->buffer, block, by_rule.copy_terms});
  }
}

/*! \brief Find the calls; tensors with other uses have no blocks. */
void LayoutChooser::FindCalls() {
  for (const tir::Stmt& stmt : Stmts()) {
    if (const tir::CallNode* call = CallOf(stmt)) {
      calls_.push_back(call);
      for (const PrimExpr& arg : call->args) {
        if (TensorOf(arg) == nullptr) DropUsed(arg);
      }
      continue;
    }
    const auto* bind = stmt.as<tir::BindNode>();
    if (bind != nullptr && ConstantOf(bind->value)) constants_.insert(bind->var.get());
    const auto* allocation = stmt.as<tir::AllocBufferNode>();
    if (allocation != nullptr || stmt.as<tir::DeclBufferNode>()) continue;
    DropUsed(stmt);
  }
}

/*! \brief Keep the layouts of all tensors that a node uses. */
void LayoutChooser::DropUsed(const ffi::ObjectRef& node) {
  tschema::Walk(node, [&](const tir::VarNode* var) { tensors_.erase(var); });
  tschema::Walk(node, [&](const tir::BufferNode* buffer) { tensors_.erase(buffer->data.get()); });
}

ChannelTensor* LayoutChooser::TensorOf(const PrimExpr& arg) {
  const auto found = tensors_.find(arg.get());
  return found == tensors_.end() ? nullptr : &found->second;
}

BlockSizes LayoutChooser::BlocksOf(const tir::CallNode* call) {
  BlockSizes blocks;
  for (const PrimExpr& arg : call->args) {
    const ChannelTensor* tensor = TensorOf(arg);
    blocks.push_back(tensor == nullptr ? 0 : tensor->block);
  }
  return blocks;
}

/*! \brief The function for the blocks of a call's tensors; none if there is none, or there are no
 * blocks. */
BlockedCallee* LayoutChooser::CalleeFor(const tir::CallNode* call, const BlockSizes& blocks) {
  const bool has_blocks =
      std::any_of(blocks.begin(), blocks.end(), [](int64_t one) { return one != 0; });
  for (size_t i = 0; i < blocks.size(); ++i) {
    const ChannelTensor* tensor = TensorOf(call->args[static_cast<int64_t>(i)]);
    if (blocks[i] != 0 && !callees_->HasShapeOf(call->op, i, tensor->buffer)) return nullptr;
  }
  BlockedCallee* callee = has_blocks ? callees_->For(call->op, blocks) : nullptr;
  if (callee == nullptr) return nullptr;
  const std::vector<WeightParam>& weights = callee->made.weights;
  const bool are_constants =
      std::all_of(weights.begin(), weights.end(), [&](const WeightParam& one) {
        return constants_.count(call->args[static_cast<int64_t>(one.param)].get()) != 0;
      });
  return are_constants ? callee : nullptr;
}

/*! \brief If a callee cannot be made for the blocks of a call, make them smaller or drop those of
 * the tensors that it stores to; return whether anything changed. */
bool LayoutChooser::DropImpossible() {
  bool is_changed = false;
  for (const tir::CallNode* call : calls_) {
    const BlockSizes blocks = BlocksOf(call);
    const int64_t most = blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end());
    if (most == 0 || CalleeFor(call) != nullptr) continue;
    const BlockSizes smaller = Smallest(blocks);
    const bool may_be_smaller = CalleeFor(call, smaller) != nullptr;
    for (size_t i = 0; i < blocks.size(); ++i) {
      ChannelTensor* tensor = TensorOf(call->args[static_cast<int64_t>(i)]);
      if (tensor == nullptr || tensor->block == 0) continue;
      const bool is_impossible = !may_be_smaller && callees_->Stores(call->op, i);
      const int64_t block = is_impossible ? 0 : may_be_smaller ? smaller[i] : blocks[i];
      is_changed = is_changed || tensor->block != block;
      tensor->block = block;
    }
  }
  return is_changed;
}

/*! \brief Drop the blocks of tensors that are copied for all their readers, unless a convolution
 * computes them and saves more than the copy takes; return whether anything changed. */
bool LayoutChooser::DropUseless() {
  std::unordered_set<const ChannelTensor*> useful;
  for (const tir::CallNode* call : calls_) {
    const BlockedCallee* callee = CalleeFor(call);
    if (callee == nullptr) continue;
    int64_t of_call = 0;
    for (const WeightParam& one : callee->made.weights) of_call = std::max(of_call, one.terms);
    for (size_t i = 0; i < call->args.size(); ++i) {
      const ChannelTensor* tensor = TensorOf(call->args[static_cast<int64_t>(i)]);
      if (tensor == nullptr) continue;
      if (!callees_->Stores(call->op, i) || of_call >= tensor->copy_terms) useful.insert(tensor);
    }
  }
  bool is_changed = false;
  for (auto& [data, tensor] : tensors_) {
    if (tensor.block == 0 || useful.count(&tensor) != 0) continue;
    tensor.block = 0;
    is_changed = true;
  }
  return is_changed;
}

/*! \brief Drop the blocks of tensors that no chain of functions connects to a convolution. */
void LayoutChooser::KeepThoseOfConvolutions() {
  std::unordered_set<const ChannelTensor*> kept;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (const tir::CallNode* call : calls_) {
      BlockedCallee* callee = CalleeFor(call);
      if (callee == nullptr) continue;
      bool is_connected = !callee->made.weights.empty();
      for (const PrimExpr& arg : call->args) {
        is_connected = is_connected || kept.count(TensorOf(arg)) != 0;
      }
      for (const PrimExpr& arg : call->args) {
        const ChannelTensor* tensor = TensorOf(arg);
        const bool is_new = is_connected && tensor != nullptr && kept.insert(tensor).second;
        is_changed = is_changed || is_new;
      }
    }
  }
  for (auto& [data, tensor] : tensors_) {
    if (kept.count(&tensor) == 0) tensor.block = 0;
  }
}

tir::Stmt LayoutChooser::Rewritten() {
  ffi::Array<tir::Stmt> stmts;
  for (const tir::Stmt& stmt : Stmts()) {
    const auto* allocation = stmt.as<tir::AllocBufferNode>();
    const ChannelTensor* tensor =
        allocation == nullptr ? nullptr : TensorOf(allocation->buffer->data);
    const tir::CallNode* call = CallOf(stmt);
    if (tensor != nullptr && tensor->block != 0) {
      stmts.push_back(tir::AllocBuffer(InBlocks(*tensor), allocation->annotations, stmt->span));
    } else if (call != nullptr) {
      LayoutChooser::RewriteCall(call, stmt, &stmts);
    } else {
      stmts.push_back(stmt);
    }
  }
  return tir::SeqStmt(std::move(stmts));
}

void LayoutChooser::RewriteCall(const tir::CallNode* call, const tir::Stmt& stmt,
                                ffi::Array<tir::Stmt>* stmts) {
  BlockedCallee* callee = CalleeFor(call);
  if (callee != nullptr) {
    const tir::Call made(call->dtype, callees_->Use(callee), call->args, call->span);
    return stmts->push_back(tir::Evaluate(made, stmt->span));
  }
  ffi::Array<PrimExpr> args;
  for (const PrimExpr& arg : call->args) args.push_back(WithoutBlocks(arg, stmts));
  const tir::Call made(call->dtype, call->op, std::move(args), call->span);
  stmts->push_back(tir::Evaluate(made, stmt->span));
}

/*! \brief The address of a tensor without blocks; a copy of one that has some. */
PrimExpr LayoutChooser::WithoutBlocks(const PrimExpr& arg, ffi::Array<tir::Stmt>* stmts) {
  const ChannelTensor* tensor = TensorOf(arg);
  if (tensor == nullptr || tensor->block == 0) return arg;
  const auto known = copies_.find(tensor);
  if (known != copies_.end()) return known->second->data;
  const tir::Buffer& buffer = tensor->buffer;
  const tir::Buffer copy = tir::decl_buffer(buffer->shape, buffer->dtype, buffer->name);
  copies_.emplace(tensor, copy);
  stmts->push_back(tir::AllocBuffer(copy));
  stmts->push_back(callees_->CopyFromBlocks(InBlocks(*tensor), copy));
  return copy->data;
}

}  // namespace uir::schedule
