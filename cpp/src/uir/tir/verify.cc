// Checks the bindings of tensor-level functions and their scopes.
#include <tschema/tvm_ffi_compat.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>

#include <algorithm>
#include <utility>

#include "./verify_function.h"

namespace uir::tir {

namespace {

void CheckFunction(const ir::BaseFunc& func, ir::Verifier* verifier) {
  FunctionVerifier(verifier).Run(func.as<PrimFuncNode>());
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddFunctionChecker("uir.tir.PrimFunc", &CheckFunction); }

}  // namespace

/*! \brief Ends, when it is destroyed, the bindings made in it. */
class FunctionVerifier::Scope {
 public:
  explicit Scope(FunctionVerifier* verifier)
      : verifier_(verifier), num_bound_(verifier->order_.size()) {
    verifier->scopes_.push_back(++verifier->num_scopes_);
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    verifier_->scopes_.pop_back();
    while (verifier_->order_.size() > num_bound_) {
      verifier_->bound_.erase(verifier_->order_.back());
      verifier_->order_.pop_back();
    }
  }

 private:
  FunctionVerifier* verifier_;
  size_t num_bound_;
};

/*! \brief The body of a loop or block, whose jumps have other targets than those around it. */
class FunctionVerifier::JumpScope {
 public:
  JumpScope(FunctionVerifier* verifier, const char* error)
      : verifier_(verifier),
        error_(std::exchange(verifier->jump_error_, error)),
        has_jumps_(std::exchange(verifier->has_jumps_, false)) {}
  JumpScope(const JumpScope&) = delete;
  JumpScope& operator=(const JumpScope&) = delete;
  ~JumpScope() {
    verifier_->jump_error_ = error_;
    verifier_->has_jumps_ = has_jumps_;
  }

 private:
  FunctionVerifier* verifier_;
  const char* error_;
  bool has_jumps_;
};

void FunctionVerifier::CheckJump(const ffi::Object* jump, const char* name) {
  has_jumps_ = true;
  if (jump_error_ != nullptr) Report(jump, Quoted(name) + " " + jump_error_);
}

void FunctionVerifier::Run(const PrimFuncNode* func) {
  const Scope scope(this);
  BindParameters(func);
  VisitStmt(func->body);
}

void FunctionVerifier::BindParameters(const PrimFuncNode* func) {
  for (const Var& param : func->params) BindVar(param, func);
  for (const auto& [param, buffer] : func->buffer_map) {
    const Var& key = param;
    const bool is_param = std::any_of(func->params.begin(), func->params.end(),
                                      [&](const Var& var) { return var.same_as(key); });
    if (!is_param) {
      Report(func, "`buffer_map` names " + Quoted(param->name) + ", which is not a parameter");
    }
    if (!ir::IsHandle(param->dtype)) {
      Report(param.get(), "parameter " + Quoted(param->name) + " of a buffer must be a `handle`, " +
                              "got `" + std::string(ffi::DLDataTypeToString(param->dtype)) + "`");
    }
    BindPlacement(buffer, func);
    BindIfVar(buffer->data, func);
  }
  for (const auto& [param, buffer] : func->buffer_map) BindBuffer(buffer, func);
}

void FunctionVerifier::VisitPrimExpr(const ir::PrimExpr& expr) {
  // A shared statement is checked once for each scope that contains it.
  if (!expr.unique() && expr.as<VarNode>() == nullptr && expr.as<ir::IntImmNode>() == nullptr) {
    const auto [entry, added] = seen_.emplace(expr.get(), scopes_.back());
    if (!added) {
      if (IsOpen(entry->second)) return;
      entry->second = scopes_.back();
    }
  }
  StmtVisitor::VisitPrimExpr(expr);
}

void FunctionVerifier::VisitStmt(const Stmt& stmt) {
  if (stmt.use_count() <= 1) return StmtVisitor::VisitStmt(stmt);
  const auto [entry, is_new] = seen_stmts_.try_emplace(stmt.get());
  SharedStmt& shared = entry->second;
  if (is_new || !IsOpen(shared.scope)) {
    shared.scope = scopes_.back();
    shared.first_binding = shared_bindings_.size();
    ++num_shared_;
    const bool had_jumps = std::exchange(has_jumps_, false);
    StmtVisitor::VisitStmt(stmt);
    shared.has_jumps = has_jumps_;
    has_jumps_ |= had_jumps;
    --num_shared_;
    shared.last_binding = shared_bindings_.size();
    return;
  }
  if (shared.has_jumps) CheckJump(stmt.get(), "break");
  if (shared.first_binding < shared.last_binding) {
    const Binding& first = shared_bindings_[shared.first_binding];
    ReportTwice(first.name, first.binder, first.binder);
  }
}

void FunctionVerifier::ReportTwice(const ffi::String& name, const ffi::Object* binder,
                                   const ffi::Object* first) {
  verifier_->Report(binder, Quoted(name) + " is bound twice",
                    {{first, Quoted(name) + " is bound here first"}});
}

void FunctionVerifier::Bind(const ffi::Object* variable, const ffi::String& name,
                            const ffi::Object* binder) {
  const auto [first, added] = verifier_->bindings().emplace(variable, binder);
  // Passes may copy a shared expression with its bindings, whose variables are not visible outside.
  const bool is_again = !added && bound_.count(variable) == 0 &&
                        binder->IsInstance<ir::PrimExprNode>() &&
                        first->second->IsInstance<ir::PrimExprNode>();
  if (!added && !is_again) ReportTwice(name, binder, first->second);
  // Expressions may be shared with their bindings, and threads may be launched again.
  const bool is_only = num_shared_ > 0 && !binder->IsInstance<ir::PrimExprNode>() &&
                       !binder->IsInstance<AttrStmtNode>();
  if (is_only) shared_bindings_.push_back({name, binder});
  if (bound_.emplace(variable, scopes_.back()).second) order_.push_back(variable);
}

void FunctionVerifier::BindVar(const Var& var, const ffi::Object* binder) {
  Bind(var.get(), var->name, binder);
}

void FunctionVerifier::BindIfVar(const ir::PrimExpr& expr, const ffi::Object* binder) {
  const auto* var = expr.as<VarNode>();
  if (var != nullptr && bound_.count(var) == 0) Bind(var, var->name, binder);
}

/*! \brief Bind the variables of a buffer over existing memory. */
void FunctionVerifier::BindPlacement(const Buffer& buffer, const ffi::Object* binder) {
  for (const ir::PrimExpr& extent : buffer->shape) BindIfVar(extent, binder);
  for (const ir::PrimExpr& stride : buffer->strides) BindIfVar(stride, binder);
  BindIfVar(buffer->elem_offset.value(), binder);
}

void FunctionVerifier::BindBuffer(const Buffer& buffer, const ffi::Object* binder) {
  VisitParts(buffer->shape);
  VisitParts(buffer->strides);
  VisitPrimExpr(buffer->elem_offset.value());
  VisitPrimExpr(buffer->data);
  Bind(buffer.get(), buffer->name, binder);
}

void FunctionVerifier::BindMatch(const MatchBufferRegion& match) {
  VisitBufferRegion(match->source.get());
  for (const ir::PrimExpr& stride : match->buffer->strides) BindIfVar(stride, match.get());
  BindIfVar(match->buffer->elem_offset.value(), match.get());
  BindIfVar(match->buffer->data, match.get());
  BindBuffer(match->buffer, match.get());
}

void FunctionVerifier::VisitBody(const Stmt& body) {
  const Scope scope(this);
  VisitStmt(body);
}

void FunctionVerifier::VisitParts(const ffi::Array<ir::PrimExpr>& parts) {
  for (const ir::PrimExpr& part : parts) VisitPrimExpr(part);
}

void FunctionVerifier::VisitVar(const VarNode* op) {
  if (bound_.count(op) != 0) return;
  const auto binding = verifier_->bindings().find(op);
  if (binding == verifier_->bindings().end()) {
    return Report(op, "variable " + Quoted(op->name) + " is not bound");
  }
  verifier_->Report(op, "variable " + Quoted(op->name) + " is used outside of its scope",
                    {{binding->second, Quoted(op->name) + " is bound here"}});
}

void FunctionVerifier::VisitLet(const LetNode* op) {
  CheckSame(op, "var", op->var, "value", op->value);
  VisitPrimExpr(op->value);
  const Scope scope(this);
  BindVar(op->var, op);
  VisitPrimExpr(op->body);
}

void FunctionVerifier::VisitReduce(const ReduceNode* op) {
  VisitParts(op->combiner->identity_element);
  VisitParts(op->init);
  {
    const Scope scope(this);
    for (const Var& var : op->combiner->lhs) BindVar(var, op);
    for (const Var& var : op->combiner->rhs) BindVar(var, op);
    VisitParts(op->combiner->result);
  }
  for (const IterVar& axis : op->axis) {
    if (axis->dom.has_value()) VisitRange(axis->dom.value().get());
  }
  const Scope scope(this);
  for (const IterVar& axis : op->axis) BindVar(axis->var, op);
  VisitParts(op->source);
  VisitPrimExpr(op->condition);
}

void FunctionVerifier::VisitBind(const BindNode* op) {
  CheckSame(op, "var", op->var, "value", op->value);
  VisitPrimExpr(op->value);
  BindVar(op->var, op);
}

void FunctionVerifier::VisitAttrStmt(const AttrStmtNode* op) {
  VisitPrimExpr(op->value);
  const Scope scope(this);
  // An attribute that launches threads binds the thread's index; it may do so repeatedly.
  const std::optional<IterVar> axis = LaunchedAxis(op);
  if (axis && bound_.count((*axis)->var.get()) == 0) {
    verifier_->bindings().erase((*axis)->var.get());
    BindVar((*axis)->var, op);
  }
  VisitStmt(op->body);
}

void FunctionVerifier::VisitAllocBuffer(const AllocBufferNode* op) {
  BindVar(op->buffer->data, op);
  BindBuffer(op->buffer, op);
}

void FunctionVerifier::VisitDeclBuffer(const DeclBufferNode* op) { BindBuffer(op->buffer, op); }

void FunctionVerifier::VisitSeqStmt(const SeqStmtNode* op) {
  const Scope scope(this);
  for (const Stmt& stmt : op->seq) {
    // The iteration holds another reference to each statement.
    stmt.use_count() <= 2 ? StmtVisitor::VisitStmt(stmt) : VisitStmt(stmt);
  }
}

void FunctionVerifier::VisitIfThenElse(const IfThenElseNode* op) {
  VisitPrimExpr(op->condition);
  VisitBody(op->then_case);
  if (op->else_case.has_value()) VisitBody(op->else_case.value());
}

/*! \brief The reason why jumps cannot leave a loop of a kind, or null. */
static const char* JumpErrorOf(ForKind kind) {
  switch (kind) {
    case ForKind::kParallel:
      return "cannot leave a parallel loop";
    case ForKind::kVectorized:
      return "cannot leave a vectorized loop";
    case ForKind::kThreadBinding:
      return "cannot leave a loop that is bound to a thread";
    default:
      return nullptr;
  }
}

void FunctionVerifier::VisitFor(const ForNode* op) {
  CheckKind(op);
  VisitPrimExpr(op->min);
  VisitPrimExpr(op->extent);
  if (op->step.has_value()) VisitPrimExpr(op->step.value());
  const bool is_thread = op->kind == ForKind::kThreadBinding;
  if (is_thread) threads_.push_back(op);
  {
    const Scope scope(this);
    const JumpScope jumps(this, JumpErrorOf(op->kind));
    BindVar(op->loop_var, op);
    VisitStmt(op->body);
  }
  if (is_thread) threads_.pop_back();
}

void FunctionVerifier::VisitWhile(const WhileNode* op) {
  VisitPrimExpr(op->condition);
  const JumpScope jumps(this, nullptr);
  VisitBody(op->body);
}

void FunctionVerifier::VisitBlock(const BlockNode* op) {
  for (const IterVar& axis : op->iter_vars) {
    if (axis->dom.has_value()) VisitRange(axis->dom.value().get());
  }
  const Scope scope(this);
  for (const IterVar& axis : op->iter_vars) BindVar(axis->var, op);
  for (const Buffer& buffer : op->alloc_buffers) {
    BindVar(buffer->data, op);
    BindBuffer(buffer, op);
  }
  for (const BufferRegion& region : op->reads) VisitBufferRegion(region.get());
  for (const BufferRegion& region : op->writes) VisitBufferRegion(region.get());
  for (const MatchBufferRegion& match : op->match_buffers) BindMatch(match);
  const JumpScope jumps(this, "cannot leave a block");
  if (op->init.has_value()) VisitBody(op->init.value());
  VisitBody(op->body);
}

void FunctionVerifier::VisitBlockRealize(const BlockRealizeNode* op) {
  VisitParts(op->iter_values);
  VisitPrimExpr(op->predicate);
  const ffi::Array<IterVar>& axes = op->block->iter_vars;
  if (op->iter_values.size() != axes.size()) {
    Report(op, "`iter_values` must be as many as the iterations of block " +
                   Quoted(op->block->name_hint) + ", " + std::to_string(axes.size()) + ", got " +
                   std::to_string(op->iter_values.size()));
  }
  const size_t size = std::min(axes.size(), op->iter_values.size());
  for (size_t i = 0; i < size; ++i) {
    CheckSame(op, "iter_values", op->iter_values[i], "iter_vars", axes[i]->var);
  }
  VisitStmt(op->block);
}

}  // namespace uir::tir
