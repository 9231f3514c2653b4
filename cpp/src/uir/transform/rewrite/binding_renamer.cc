// Gives repeated bindings of variables and buffers new ones.
#include "./binding_renamer.h"

#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/reduce.h>
#include <uir/transform/node_copy.h>

#include <utility>

namespace uir::transform {

/*! \brief Undoes, at its end, the bindings made in it. */
class BindingRenamer::Scope {
 public:
  explicit Scope(BindingRenamer* renamer) : renamer_(renamer), size_(renamer->undos_.size()) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    for (; renamer_->undos_.size() > size_; renamer_->undos_.pop_back()) {
      Undo& undo = renamer_->undos_.back();
      --renamer_->in_scope_[undo.variable.get()];
      renamer_->LinearMutator::Replace(undo.variable, std::move(undo.previous));
      renamer_->RestoreState(undo.state);
    }
  }

 private:
  BindingRenamer* renamer_;
  size_t size_;
};

/*! \brief Whether a variable or buffer is not renamed, because this is its first binding. */
bool BindingRenamer::IsKept(const ffi::Object* variable) const {
  return renaming_ == Renaming::kRepeated && FindReplacement(variable) == nullptr;
}

void BindingRenamer::Replace(const ffi::ObjectRef& variable, ffi::ObjectRef by) {
  // After the scope, a variable is itself again, or its replacement in the outer scope.
  if (FindReplacement(variable.get()) == nullptr) LinearMutator::Replace(variable, variable);
  ++in_scope_[variable.get()];
  ++num_bindings_;
  undos_.push_back({variable, *FindReplacement(variable.get()), state()});
  LinearMutator::Replace(variable, std::move(by));
}

/*! \brief Bind a variable from here to the end of the scope, and return its replacement. */
tir::Var BindingRenamer::Bind(const tir::Var& var) {
  tir::Var result = IsKept(var.get()) ? var : CopyOf<tir::Var>(var.get());
  Replace(var, result);
  return result;
}

void BindingRenamer::BindIfFree(const ir::PrimExpr& expr) {
  const std::optional<tir::Var> var = expr.as<tir::Var>();
  if (var && in_scope_[var->get()] == 0) Bind(*var);
}

/*! \brief Bind the variables of a buffer over existing memory. */
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

ir::PrimExpr BindingRenamer::VisitLet(const tir::LetNode* op) {
  ir::PrimExpr value = VisitPrimExpr(op->value);
  const Scope scope(this);
  const tir::Var var = Bind(op->var);
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
  return LinearMutator::VisitReduce(op);
}

/*! \brief Make the replacement of a buffer at its binding. \pre Its variables are bound. */
tir::Buffer BindingRenamer::RewriteBuffer(const tir::BufferNode* op) {
  tir::Buffer result = LinearMutator::RewriteBuffer(op);
  return result.get() != op || IsKept(op) ? result : CopyOf<tir::Buffer>(op);
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
  const tir::Var var = Bind(op->var);
  if (var.same_as(op->var) && value.same_as(op->value)) return ffi::GetRef<tir::Stmt>(op);
  return tir::Bind(var, std::move(value), op->span);
}

tir::Stmt BindingRenamer::VisitAttrStmt(const tir::AttrStmtNode* op) {
  const Scope scope(this);
  return LinearMutator::VisitAttrStmt(op);
}

tir::Stmt BindingRenamer::VisitAllocBuffer(const tir::AllocBufferNode* op) {
  Bind(op->buffer->data);
  return LinearMutator::VisitAllocBuffer(op);
}

tir::Stmt BindingRenamer::VisitBody(const tir::Stmt& body) {
  const Scope scope(this);
  return VisitStmt(body);
}

tir::Stmt BindingRenamer::VisitSeqStmt(const tir::SeqStmtNode* op) {
  const Scope scope(this);
  return LinearMutator::VisitSeqStmt(op);
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
  const tir::Var loop_var = Bind(op->loop_var);
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
  return LinearMutator::VisitBlock(op);
}

}  // namespace uir::transform
