// The variables and buffers of a function that the body of a loop uses.
#include "./captures.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/tir/block.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/reduce.h>

#include <algorithm>
#include <unordered_set>

namespace uir::transform {

namespace {

/*! \brief Collects the used variables and buffers, in order, and all that the body binds. */
class CaptureFinder {
 public:
  explicit CaptureFinder(const tir::ForNode* loop) {
    bound_.insert(loop->loop_var.get());
    tschema::Walk(loop->body, [this](const ffi::Object* node) {
      NoteUse(node);
      NoteBindings(node);
    });
  }

  Captures Found() && {
    const auto is_bound = [this](const auto& node) { return bound_.count(node.get()) != 0; };
    std::vector<tir::Var>& vars = found_.vars;
    vars.erase(std::remove_if(vars.begin(), vars.end(), is_bound), vars.end());
    std::vector<tir::Buffer>& buffers = found_.buffers;
    const auto is_inside = [&](const tir::Buffer& buffer) {
      return is_bound(buffer) || is_bound(buffer->data);
    };
    buffers.erase(std::remove_if(buffers.begin(), buffers.end(), is_inside), buffers.end());
    return std::move(found_);
  }

 private:
  void NoteUse(const ffi::Object* node) {
    if (node->IsInstance<tir::VarNode>()) {
      found_.vars.push_back(ffi::GetRef<tir::Var>(static_cast<const tir::VarNode*>(node)));
    } else if (node->IsInstance<tir::BufferNode>()) {
      found_.buffers.push_back(ffi::GetRef<tir::Buffer>(static_cast<const tir::BufferNode*>(node)));
    }
  }

  void NoteBindings(const ffi::Object* object) {
    const auto node = ffi::GetRef<ffi::ObjectRef>(object);
    if (const auto* loop = node.as<tir::ForNode>()) Bind(loop->loop_var);
    if (const auto* bind = node.as<tir::BindNode>()) Bind(bind->var);
    if (const auto* let = node.as<tir::LetNode>()) Bind(let->var);
    if (const auto* axis = node.as<tir::IterVarNode>()) Bind(axis->var);
    if (const auto* alloc = node.as<tir::AllocBufferNode>()) Bind(alloc->buffer->data);
    if (const auto* declaration = node.as<tir::DeclBufferNode>()) Bind(declaration->buffer);
    if (const auto* match = node.as<tir::MatchBufferRegionNode>()) BindMatched(match->buffer);
    if (const auto* block = node.as<tir::BlockNode>()) {
      for (const tir::Buffer& buffer : block->alloc_buffers) Bind(buffer->data);
    }
    if (const auto* reducer = node.as<tir::CommReducerNode>()) {
      for (const tir::Var& var : reducer->lhs) Bind(var);
      for (const tir::Var& var : reducer->rhs) Bind(var);
    }
  }

  void BindMatched(const tir::Buffer& buffer) {
    Bind(buffer->data);
    if (const auto offset = buffer->elem_offset.value().as<tir::Var>()) Bind(*offset);
    for (const ir::PrimExpr& stride : buffer->strides) {
      if (const auto var = stride.as<tir::Var>()) Bind(*var);
    }
  }

  void Bind(const ffi::ObjectRef& what) { bound_.insert(what.get()); }

  Captures found_;
  std::unordered_set<const ffi::Object*> bound_;
};

}  // namespace

Captures FindCaptures(const tir::ForNode* loop) { return CaptureFinder(loop).Found(); }

}  // namespace uir::transform
