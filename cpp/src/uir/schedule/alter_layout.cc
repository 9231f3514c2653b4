// Lays out the channels of tensors between convolutions in blocks.
//
// Works on a function that allocates tensors and calls other functions in order. The channels of a
// tensor lie in blocks if all functions that store to it can be made for blocks. A function that
// reads the tensor and does not support blocks gets a copy without blocks.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/schedule/passes.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./blocked_callees.h"
#include "./channel_blocks.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

/*! \brief The length of sums for which blocks save about as much time as a copy takes. */
constexpr int64_t kTermsOfCopy = 256;
/*! \brief Assumed for a height or width that is not known: more than one. */
constexpr int64_t kSymbolicExtent = 16;

/*! \brief A tensor that a function allocates for those that it calls. */
struct Tensor {
  tir::Buffer buffer;
  /*! \brief The channels of a block; 0 for none. */
  int64_t block = 0;
};

/*! \brief The blocks of a tensor's channels: of the bytes of two vectors or, if that leaves a part
 * of a block, of one. */
int64_t BlockFor(const tir::Buffer& buffer) {
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
  if (*channels % (2 * lanes) == 0) return 2 * lanes;
  return *channels % lanes == 0 ? lanes : 0;
}

/*! \brief Chooses the layouts of the tensors of one function. */
class LayoutChooser {
 public:
  LayoutChooser(tir::PrimFunc func, BlockedCallees* callees)
      : func_(std::move(func)), callees_(callees) {
    FindTensors();
    FindCalls();
  }

  /*! \brief The function with its tensors in blocks, which calls functions made for these. */
  tir::PrimFunc Run() {
    if (calls_.empty()) return func_;
    while (DropImpossible() || DropUseless()) {
    }
    KeepThoseOfConvolutions();
    const bool has_blocks = std::any_of(tensors_.begin(), tensors_.end(),
                                        [](const auto& one) { return one.second.block != 0; });
    return has_blocks ? transform::WithBody(func_, Rewritten()) : func_;
  }

 private:
  using Tensors = std::unordered_map<const ffi::Object*, Tensor>;

  ffi::Array<tir::Stmt> Stmts() const {
    const auto* sequence = func_->body.as<tir::SeqStmtNode>();
    return sequence == nullptr ? ffi::Array<tir::Stmt>{func_->body} : sequence->seq;
  }

  /*! \brief The call of a function of the module that a statement is. */
  const tir::CallNode* CallOf(const tir::Stmt& stmt) const {
    const auto* evaluate = stmt.as<tir::EvaluateNode>();
    const auto* call = evaluate == nullptr ? nullptr : evaluate->value.as<tir::CallNode>();
    return call != nullptr && callees_->Has(call->op) ? call : nullptr;
  }

  void FindTensors() {
    for (const tir::Stmt& stmt : Stmts()) {
      const auto* allocation = stmt.as<tir::AllocBufferNode>();
      if (allocation == nullptr) continue;
      const int64_t block = BlockFor(allocation->buffer);
      if (block == 0) continue;
      tensors_.emplace(allocation->buffer->data.get(), Tensor{allocation->buffer, block});
    }
  }

  /*! \brief Find the calls; tensors with other uses have no blocks. */
  void FindCalls() {
    for (const tir::Stmt& stmt : Stmts()) {
      if (const tir::CallNode* call = CallOf(stmt)) {
        calls_.push_back(call);
        for (const PrimExpr& arg : call->args) {
          if (TensorOf(arg) == nullptr) DropUsed(arg);
        }
        continue;
      }
      if (const auto* bind = stmt.as<tir::BindNode>()) {
        static const ir::Op constant_data = ir::get_op("tir.constant_data");
        const auto* call = bind->value.as<tir::CallNode>();
        if (call != nullptr && call->op.same_as(constant_data)) constants_.insert(bind->var.get());
      }
      const auto* allocation = stmt.as<tir::AllocBufferNode>();
      if (allocation != nullptr || stmt.as<tir::DeclBufferNode>()) continue;
      DropUsed(stmt);
    }
  }

  /*! \brief Keep the layouts of all tensors that a node uses. */
  void DropUsed(const ffi::ObjectRef& node) {
    tschema::Walk(node, [&](const tir::VarNode* var) { tensors_.erase(var); });
    tschema::Walk(node, [&](const tir::BufferNode* buffer) { tensors_.erase(buffer->data.get()); });
  }

  Tensor* TensorOf(const PrimExpr& arg) {
    const auto found = tensors_.find(arg.get());
    return found == tensors_.end() ? nullptr : &found->second;
  }

  BlockSizes BlocksOf(const tir::CallNode* call) {
    BlockSizes blocks;
    for (const PrimExpr& arg : call->args) {
      const Tensor* tensor = TensorOf(arg);
      blocks.push_back(tensor == nullptr ? 0 : tensor->block);
    }
    return blocks;
  }

  BlockedCallee* CalleeFor(const tir::CallNode* call) { return CalleeFor(call, BlocksOf(call)); }

  /*! \brief The function for the blocks of a call's tensors; none if there is none, or there are no
   * blocks. */
  BlockedCallee* CalleeFor(const tir::CallNode* call, const BlockSizes& blocks) {
    const bool has_blocks =
        std::any_of(blocks.begin(), blocks.end(), [](int64_t one) { return one != 0; });
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Tensor* tensor = TensorOf(call->args[static_cast<int64_t>(i)]);
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

  /*! \brief Blocks that are all of the size of the smallest. */
  static BlockSizes Smallest(BlockSizes blocks) {
    int64_t least = INT64_MAX;
    for (const int64_t block : blocks) least = block == 0 ? least : std::min(least, block);
    for (int64_t& block : blocks) block = std::min(block, least);
    return blocks;
  }

  /*! \brief If a callee cannot be made for the blocks of a call, make them smaller or drop those of
   * the tensors that it stores to; return whether anything changed. */
  bool DropImpossible() {
    bool is_changed = false;
    for (const tir::CallNode* call : calls_) {
      const BlockSizes blocks = BlocksOf(call);
      const int64_t most = blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end());
      if (most == 0 || CalleeFor(call) != nullptr) continue;
      const BlockSizes smaller = Smallest(blocks);
      const bool may_be_smaller = CalleeFor(call, smaller) != nullptr;
      for (size_t i = 0; i < blocks.size(); ++i) {
        Tensor* tensor = TensorOf(call->args[static_cast<int64_t>(i)]);
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
  bool DropUseless() {
    std::unordered_set<const Tensor*> useful;
    for (const tir::CallNode* call : calls_) {
      const BlockedCallee* callee = CalleeFor(call);
      if (callee == nullptr) continue;
      int64_t of_call = 0;
      for (const WeightParam& one : callee->made.weights) of_call = std::max(of_call, one.terms);
      for (size_t i = 0; i < call->args.size(); ++i) {
        const Tensor* tensor = TensorOf(call->args[static_cast<int64_t>(i)]);
        if (!callees_->Stores(call->op, i) || of_call >= kTermsOfCopy) useful.insert(tensor);
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
  void KeepThoseOfConvolutions() {
    std::unordered_set<const Tensor*> kept;
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
          const Tensor* tensor = TensorOf(arg);
          const bool is_new = is_connected && tensor != nullptr && kept.insert(tensor).second;
          is_changed = is_changed || is_new;
        }
      }
    }
    for (auto& [data, tensor] : tensors_) {
      if (kept.count(&tensor) == 0) tensor.block = 0;
    }
  }

  tir::Stmt Rewritten() {
    ffi::Array<tir::Stmt> stmts;
    for (const tir::Stmt& stmt : Stmts()) {
      const auto* allocation = stmt.as<tir::AllocBufferNode>();
      const Tensor* tensor = allocation == nullptr ? nullptr : TensorOf(allocation->buffer->data);
      const tir::CallNode* call = CallOf(stmt);
      if (tensor != nullptr && tensor->block != 0) {
        stmts.push_back(tir::AllocBuffer(InBlocks(*tensor), allocation->annotations, stmt->span));
      } else if (call != nullptr) {
        RewriteCall(call, stmt, &stmts);
      } else {
        stmts.push_back(stmt);
      }
    }
    return tir::SeqStmt(std::move(stmts));
  }

  /*! \brief A tensor's memory, as a buffer of the shape that its blocks have. */
  static tir::Buffer InBlocks(const Tensor& tensor) {
    const tir::Buffer& buffer = tensor.buffer;
    return tir::Buffer(buffer->data, buffer->dtype, BlockedShape(buffer->shape, tensor.block), {},
                       std::nullopt, buffer->name, buffer->data_alignment);
  }

  void RewriteCall(const tir::CallNode* call, const tir::Stmt& stmt, ffi::Array<tir::Stmt>* stmts) {
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
  PrimExpr WithoutBlocks(const PrimExpr& arg, ffi::Array<tir::Stmt>* stmts) {
    const Tensor* tensor = TensorOf(arg);
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

  tir::PrimFunc func_;
  BlockedCallees* callees_;
  Tensors tensors_;
  std::vector<const tir::CallNode*> calls_;
  /*! \brief The variables that are bound to addresses of constants. */
  std::unordered_set<const ffi::Object*> constants_;
  std::unordered_map<const Tensor*, tir::Buffer> copies_;
};

ir::IRModule AlterModule(const ir::IRModule& module) {
  BlockedCallees callees(module);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> changed;
  for (const auto& [var, func] : module->functions) {
    const auto prim = func.as<tir::PrimFunc>();
    if (!prim || func->GetAttr("global_symbol") == nullptr) continue;
    const tir::PrimFunc made = LayoutChooser(*prim, &callees).Run();
    if (!made.same_as(*prim)) changed.Set(var, made);
  }
  return changed.empty() ? module : callees.Finish(changed);
}

}  // namespace

transform::Pass AlterLayout() {
  auto run = [](const ir::IRModule& module, const transform::PassContext&) {
    return AlterModule(module);
  };
  return transform::MakeModulePass(run, 1, "AlterLayout");
}

}  // namespace uir::schedule
