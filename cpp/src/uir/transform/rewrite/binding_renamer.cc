// Gives variables and buffers that are bound again new ones.
#include "./binding_renamer.h"

#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/reduce.h>
#include <uir/transform/node_copy.h>

#include <utility>

namespace uir::transform {

/*! \brief Takes back at its end what is bound in it. */
class BindingRenamer::Scope {
 public:
  explicit Scope(BindingRenamer* renamer) : renamer_(renamer), size_(renamer->undos_.size()) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    for (; renamer_->undos_.size() > size_; renamer_->undos_.pop_back()) {
      Undo& undo = renamer_->undos_.back();
      --renamer_->in_scope_[undo.key];
      if (undo.state == renamer_->state_) continue;
      renamer_->state_ = undo.state;
      if (undo.previous.defined()) {
        renamer_->names_[undo.key] = std::move(undo.previous);
      } else {
        renamer_->names_.erase(undo.key);
      }
    }
  }

 private:
  BindingRenamer* renamer_;
  size_t size_;
};

bool BindingRenamer::IsFirst(const ffi::Object* key) {
  return bound_before_.insert(key).second && renaming_ == Renaming::kRepeated;
}

ffi::ObjectRef BindingRenamer::NameOf(const ffi::Object* key) const {
  const auto found = names_.find(key);
  return found == names_.end() ? ffi::ObjectRef() : found->second;
}

/*! \brief From here to the end of the scope put something else for a variable or a buffer. */
void BindingRenamer::Rename(const ffi::Object* key, ffi::ObjectRef by) {
  ++in_scope_[key];
  const int64_t state = state_;
  ffi::ObjectRef previous = NameOf(key);
  if (by.defined()) {
    names_[key] = std::move(by);
    state_ = ++num_states_;
  } else if (previous.defined()) {
    names_.erase(key);
    state_ = ++num_states_;
  }
  undos_.push_back({key, std::move(previous), state});
}

void BindingRenamer::Bind(const tir::Var& var) {
  if (IsFirst(var.get())) return Rename(var.get(), {});
  Rename(var.get(), CopyOf<tir::Var>(var.get()));
}

void BindingRenamer::BindIfFree(const ir::PrimExpr& expr) {
  const std::optional<tir::Var> var = expr.as<tir::Var>();
  if (var && in_scope_[var->get()] == 0) Bind(*var);
}

/*! \brief Bind the variables of a buffer whose memory somebody else determines. */
void BindingRenamer::BindPlacement(const tir::Buffer& buffer) {
  for (const ir::PrimExpr& extent : buffer->shape) BindIfFree(extent);
  for (const ir::PrimExpr& stride : buffer->strides) BindIfFree(stride);
  BindIfFree(buffer->elem_offset.value());
  BindIfFree(buffer->data);
}

tir::PrimFunc BindingRenamer::Run(tir::PrimFunc func) {
  const Scope scope(this);
  for (const tir::Var& param : func->params) Bind(param);
  for (const auto& [param, buffer] : func->buffer_map) BindPlacement(buffer);
  ffi::Array<tir::Var> params;
  bool is_changed = false;
  for (const tir::Var& param : func->params) {
    params.push_back(As<tir::Var>(VisitVar(param.get())));
    is_changed |= !params.back().same_as(param);
  }
  ffi::Map<tir::Var, tir::Buffer> buffer_map;
  for (const auto& [param, buffer] : func->buffer_map) {
    const tir::Buffer renamed = VisitBuffer(buffer.get());
    is_changed |= !renamed.same_as(buffer);
    buffer_map.Set(As<tir::Var>(VisitVar(param.get())), renamed);
  }
  tir::Stmt body = VisitStmt(func->body);
  if (!is_changed && body.same_as(func->body)) return func;
  const auto copy = CopyOf<tir::PrimFunc>(func.get());
  if (is_changed) {
    Write(copy)->params = std::move(params);
    Write(copy)->buffer_map = std::move(buffer_map);
  }
  Write(copy)->body = std::move(body);
  return copy;
}

ir::PrimExpr BindingRenamer::VisitPrimExpr(ir::PrimExpr expr) {
  if (expr.as<ir::IntImmNode>() != nullptr || expr.as<ir::FloatImmNode>() != nullptr) return expr;
  if (expr.unique() || expr.as<tir::VarNode>() != nullptr) {
    return StmtMutator::VisitPrimExpr(std::move(expr));
  }
  const auto found = seen_.find(expr.get());
  if (found != seen_.end() && found->second.state == state_) return found->second.result;
  const int64_t state = state_;
  ir::PrimExpr result = StmtMutator::VisitPrimExpr(expr);
  // Bindings in the expression are taken back behind it.
  const ffi::Object* key = expr.get();
  seen_.insert_or_assign(key, Seen{std::move(expr), result, state});
  return result;
}

ir::PrimExpr BindingRenamer::VisitVar(const tir::VarNode* op) {
  const ffi::ObjectRef name = NameOf(op);
  return name.defined() ? As<ir::PrimExpr>(name) : ffi::GetRef<ir::PrimExpr>(op);
}

ir::PrimExpr BindingRenamer::VisitLet(const tir::LetNode* op) {
  ir::PrimExpr value = VisitPrimExpr(op->value);
  const Scope scope(this);
  Bind(op->var);
  const auto var = As<tir::Var>(VisitVar(op->var.get()));
  ir::PrimExpr body = VisitPrimExpr(op->body);
  if (var.same_as(op->var) && value.same_as(op->value) && body.same_as(op->body)) {
    return ffi::GetRef<ir::PrimExpr>(op);
  }
  return tir::Let(var, std::move(value), std::move(body), op->span);
}

ir::PrimExpr BindingRenamer::VisitReduce(const tir::ReduceNode* op) {
  const Scope scope(this);
  for (const tir::Var& var : op->combiner->lhs) Bind(var);
  for (const tir::Var& var : op->combiner->rhs) Bind(var);
  for (const tir::IterVar& axis : op->axis) Bind(axis->var);
  return StmtMutator::VisitReduce(op);
}

tir::Buffer BindingRenamer::BufferOf(const tir::Buffer& buffer) const {
  const ffi::ObjectRef name = NameOf(buffer.get());
  return name.defined() ? As<tir::Buffer>(name) : buffer;
}

ir::PrimExpr BindingRenamer::VisitBufferLoad(const tir::BufferLoadNode* op) {
  ir::PrimExpr result = StmtMutator::VisitBufferLoad(op);
  const tir::Buffer buffer = BufferOf(op->buffer);
  if (buffer.same_as(op->buffer)) return result;
  const auto* load = result.as<tir::BufferLoadNode>();
  return tir::BufferLoad(buffer, load->indices, load->predicate, load->span);
}

tir::Stmt BindingRenamer::VisitBufferStore(const tir::BufferStoreNode* op) {
  tir::Stmt result = StmtMutator::VisitBufferStore(op);
  const tir::Buffer buffer = BufferOf(op->buffer);
  if (buffer.same_as(op->buffer)) return result;
  const auto* store = result.as<tir::BufferStoreNode>();
  return tir::BufferStore(buffer, store->value, store->indices, store->predicate, store->span);
}

tir::BufferRegion BindingRenamer::VisitBufferRegion(const tir::BufferRegionNode* op) {
  const tir::BufferRegion result = StmtMutator::VisitBufferRegion(op);
  const tir::Buffer buffer = BufferOf(op->buffer);
  return buffer.same_as(op->buffer) ? result : tir::BufferRegion(buffer, result->region);
}

/*! \brief Bind a buffer, whose variables are bound already. */
tir::Buffer BindingRenamer::VisitBuffer(const tir::BufferNode* op) {
  tir::Buffer result = StmtMutator::VisitBuffer(op);
  const bool is_first = IsFirst(op);
  if (is_first && result.get() == op) {
    Rename(op, {});
    return result;
  }
  if (result.get() == op) result = CopyOf<tir::Buffer>(op);
  kept_alive_.push_back(ffi::GetRef<tir::Buffer>(op));
  Rename(op, result);
  return result;
}

tir::MatchBufferRegion BindingRenamer::VisitMatchBufferRegion(
    const tir::MatchBufferRegionNode* op) {
  const tir::BufferRegion source = VisitBufferRegion(op->source.get());
  for (const ir::PrimExpr& stride : op->buffer->strides) BindIfFree(stride);
  BindIfFree(op->buffer->elem_offset.value());
  BindIfFree(op->buffer->data);
  const tir::Buffer buffer = VisitBuffer(op->buffer.get());
  if (source.same_as(op->source) && buffer.same_as(op->buffer)) {
    return ffi::GetRef<tir::MatchBufferRegion>(op);
  }
  return tir::MatchBufferRegion(buffer, source);
}

tir::Stmt BindingRenamer::VisitBind(const tir::BindNode* op) {
  ir::PrimExpr value = VisitPrimExpr(op->value);
  Bind(op->var);
  const auto var = As<tir::Var>(VisitVar(op->var.get()));
  if (var.same_as(op->var) && value.same_as(op->value)) return ffi::GetRef<tir::Stmt>(op);
  return tir::Bind(var, std::move(value), op->span);
}

tir::Stmt BindingRenamer::VisitAttrStmt(const tir::AttrStmtNode* op) {
  ir::PrimExpr value = VisitPrimExpr(op->value);
  const std::optional<ffi::ObjectRef> node = op->node.as<ffi::ObjectRef>();
  const ffi::ObjectRef name = node && node->defined() ? NameOf(node->get()) : ffi::ObjectRef();
  tir::Stmt body = VisitBody(op->body);
  if (!name.defined() && value.same_as(op->value) && body.same_as(op->body)) {
    return ffi::GetRef<tir::Stmt>(op);
  }
  return tir::AttrStmt(name.defined() ? ffi::Any(name) : op->node, op->attr_key, std::move(value),
                       std::move(body), op->span);
}

tir::Stmt BindingRenamer::VisitAllocBuffer(const tir::AllocBufferNode* op) {
  Bind(op->buffer->data);
  return StmtMutator::VisitAllocBuffer(op);
}

tir::Stmt BindingRenamer::VisitBody(const tir::Stmt& body) {
  const Scope scope(this);
  return VisitStmt(body);
}

tir::Stmt BindingRenamer::VisitSeqStmt(const tir::SeqStmtNode* op) {
  const Scope scope(this);
  return StmtMutator::VisitSeqStmt(op);
}

tir::Stmt BindingRenamer::VisitIfThenElse(const tir::IfThenElseNode* op) {
  ir::PrimExpr condition = VisitPrimExpr(op->condition);
  tir::Stmt then_case = VisitBody(op->then_case);
  ffi::Optional<tir::Stmt> else_case = op->else_case;
  if (else_case.has_value()) else_case = VisitBody(else_case.value());
  if (condition.same_as(op->condition) && then_case.same_as(op->then_case) &&
      else_case.same_as(op->else_case)) {
    return ffi::GetRef<tir::Stmt>(op);
  }
  return tir::IfThenElse(std::move(condition), std::move(then_case), std::move(else_case),
                         op->span);
}

tir::Stmt BindingRenamer::VisitFor(const tir::ForNode* op) {
  ir::PrimExpr min = VisitPrimExpr(op->min);
  ir::PrimExpr extent = VisitPrimExpr(op->extent);
  ffi::Optional<ir::PrimExpr> step = op->step;
  if (step.has_value()) step = VisitPrimExpr(step.value());
  const Scope scope(this);
  Bind(op->loop_var);
  const auto loop_var = As<tir::Var>(VisitVar(op->loop_var.get()));
  tir::Stmt body = VisitStmt(op->body);
  if (loop_var.same_as(op->loop_var) && min.same_as(op->min) && extent.same_as(op->extent) &&
      step.same_as(op->step) && body.same_as(op->body)) {
    return ffi::GetRef<tir::Stmt>(op);
  }
  return tir::For(loop_var, std::move(min), std::move(extent), op->kind, std::move(body),
                  op->thread_binding, op->annotations, std::move(step), op->span);
}

tir::Stmt BindingRenamer::VisitWhile(const tir::WhileNode* op) {
  ir::PrimExpr condition = VisitPrimExpr(op->condition);
  tir::Stmt body = VisitBody(op->body);
  if (condition.same_as(op->condition) && body.same_as(op->body)) return ffi::GetRef<tir::Stmt>(op);
  return tir::While(std::move(condition), std::move(body), op->span);
}

tir::Stmt BindingRenamer::VisitBlock(const tir::BlockNode* op) {
  const Scope scope(this);
  for (const tir::IterVar& axis : op->iter_vars) Bind(axis->var);
  for (const tir::Buffer& buffer : op->alloc_buffers) Bind(buffer->data);
  // Its fields are in the order in which they bind.
  return StmtMutator::VisitBlock(op);
}

}  // namespace uir::transform
