// Builds statements and functions step by step, in nested scopes.
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/tir/block.h>
#include <uir/tir/builder.h>
#include <uir/tir/op.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace uir::tir {

namespace {

using Annotations = ffi::Map<ffi::String, ffi::Any>;

/*! \brief A scope in messages: its name, and the source location of its start. */
std::string Shown(const BuilderScope& scope) {
  std::string text = "`" + std::string(scope->name) + "`";
  if (scope->span.has_value()) {
    const ir::Span span = scope->span.value();
    text += " (entered at " + std::string(span->source_name->name) + ":" +
            std::to_string(span->line) + ")";
  }
  return text;
}

/*! \brief Return the mutable node: methods of a builder are declared const, but change it. */
BuilderNode* Writable(const BuilderNode* builder) { return const_cast<BuilderNode*>(builder); }

BuilderScopeNode* Writable(const BuilderScope& scope) {
  return const_cast<BuilderScopeNode*>(scope.get());
}

/*! \brief The innermost scope in messages. */
std::string ShownInnermost(const BuilderNode* builder) {
  return builder->scopes.empty() ? "none" : Shown(builder->scopes.back());
}

bool IsInnermost(const BuilderNode* builder, const BuilderScope& scope) {
  return !builder->scopes.empty() && builder->scopes.back().same_as(scope);
}

/*! \brief The list to which statements are added. */
ffi::Array<Stmt>& Statements(const BuilderNode* builder) {
  if (builder->scopes.empty()) return Writable(builder)->stmts;
  return Writable(builder->scopes.back())->stmts;
}

/*! \brief Open a scope; `close` makes its statement. */
template <typename Close>
BuilderScope Enter(const BuilderNode* builder, std::string name, ffi::Optional<ir::Span> span,
                   Close close) {
  BuilderScope scope(std::move(name), ffi::Function::FromTyped(std::move(close)), std::move(span));
  Writable(builder)->scopes.push_back(scope);
  return scope;
}

/*! \brief Open a scope that becomes the body of a statement. */
template <typename Ref, typename Body>
BuilderScope EnterBody(const BuilderNode* builder, std::string name, Ref stmt,
                       Body Ref::ContainerType::* body) {
  ffi::Optional<ir::Span> span = stmt->span;
  return Enter(builder, std::move(name), std::move(span),
               [stmt = std::move(stmt), body](const BuilderScope&, Stmt made) -> Stmt {
                 auto copy = ffi::make_object<typename Ref::ContainerType>(*stmt.get());
                 copy.get()->*body = std::move(made);
                 return ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<Ref>(std::move(copy));
               });
}

void CheckOpen(const BuilderNode* builder, const BuilderScope& scope) {
  for (const BuilderScope& open : builder->scopes) {
    if (open.same_as(scope)) return;
  }
  TVM_FFI_THROW(ValueError) << "Builder: scope " << Shown(scope) << " is not open";
}

std::vector<Builder>& CurrentBuilders() {
  thread_local std::vector<Builder> builders;
  return builders;
}

}  // namespace

void BuilderNode::Emit(Stmt stmt) const {
  ffi::Array<Stmt>& stmts = Statements(this);
  if (const auto* sequence = stmt.as<SeqStmtNode>()) {
    for (const Stmt& part : sequence->seq) stmts.push_back(part);
  } else {
    stmts.push_back(std::move(stmt));
  }
}

void BuilderNode::Store(Buffer buffer, ffi::Array<ir::PrimExpr> indices, ir::PrimExpr value,
                        ffi::Optional<ir::PrimExpr> predicate, ffi::Optional<ir::Span> span) const {
  const int lanes = indices.empty() ? 1 : ir::LanesOf(indices.back()->dtype);
  value = cast(std::move(value), ir::WithLanes(buffer->dtype, ir::LanesOf(buffer->dtype) * lanes));
  Emit(BufferStore(std::move(buffer), std::move(value), std::move(indices), std::move(predicate),
                   std::move(span)));
}

BuilderScope BuilderNode::EnterFor(Var loop_var, ir::PrimExpr min, ir::PrimExpr extent,
                                   ForKind kind, ffi::Optional<IterVar> thread_binding,
                                   ffi::Optional<Annotations> annotations,
                                   ffi::Optional<ir::PrimExpr> step,
                                   ffi::Optional<ir::Span> span) const {
  const For loop(loop_var, std::move(min), std::move(extent), kind, SeqStmt(ffi::Array<Stmt>()),
                 std::move(thread_binding), annotations.value_or(Annotations()), std::move(step),
                 std::move(span));
  return EnterBody(this, "for " + std::string(loop_var->name), loop, &ForNode::body);
}

BuilderScope BuilderNode::EnterWhile(ir::PrimExpr condition, ffi::Optional<ir::Span> span) const {
  const While loop(std::move(condition), SeqStmt(ffi::Array<Stmt>()), std::move(span));
  return EnterBody(this, "while", loop, &WhileNode::body);
}

BuilderScope BuilderNode::EnterIf(ir::PrimExpr condition, ffi::Optional<ir::Span> span) const {
  const IfThenElse branch(std::move(condition), SeqStmt(ffi::Array<Stmt>()), std::nullopt,
                          std::move(span));
  return EnterBody(this, "if", branch, &IfThenElseNode::then_case);
}

BuilderScope BuilderNode::EnterElse(ffi::Optional<ir::Span> span) const {
  const ffi::Array<Stmt>& stmts = Statements(this);
  const std::optional<IfThenElse> last =
      stmts.empty() ? std::nullopt : stmts.back().as<IfThenElse>();
  if (!last || (*last)->else_case.has_value()) {
    TVM_FFI_THROW(ValueError) << "Builder: `else` must follow an `if` without one, the innermost "
                              << "scope is " << ShownInnermost(this);
  }
  const IfThenElse branch = *last;
  BuilderScope scope =
      Enter(this, "else", std::move(span), [branch](const BuilderScope&, Stmt body) -> Stmt {
        return IfThenElse(branch->condition, branch->then_case, std::move(body), branch->span);
      });
  Writable(scope)->replaces = branch;
  return scope;
}

BuilderScope BuilderNode::EnterAttr(ffi::Any node, ffi::String attr_key, ir::PrimExpr value,
                                    ffi::Optional<ir::Span> span) const {
  const AttrStmt note(std::move(node), attr_key, std::move(value), SeqStmt(ffi::Array<Stmt>()),
                      span);
  return EnterBody(this, "attr " + std::string(attr_key), note, &AttrStmtNode::body);
}

BuilderScope BuilderNode::EnterBlock(ffi::String name_hint, ffi::Array<IterVar> iter_vars,
                                     ffi::Array<ir::PrimExpr> iter_values,
                                     ffi::Array<BufferRegion> reads,
                                     ffi::Array<BufferRegion> writes,
                                     ffi::Optional<ir::PrimExpr> predicate,
                                     ffi::Optional<Annotations> annotations,
                                     ffi::Optional<ir::Span> span) const {
  const Block block(iter_vars, reads, writes, name_hint, SeqStmt(ffi::Array<Stmt>()), {}, {},
                    annotations.value_or(Annotations()), std::nullopt, span);
  const BlockRealize realize(std::move(iter_values),
                             predicate.value_or(ir::IntImm(ir::BoolType(), 1)), block, span);
  auto close = [realize](const BuilderScope& scope, Stmt body) -> Stmt {
    const Block& made = realize->block;
    const Block block(made->iter_vars, made->reads, made->writes, made->name_hint, std::move(body),
                      {}, {}, made->annotations, scope->init, made->span);
    return BlockRealize(realize->iter_values, realize->predicate, block, realize->span);
  };
  return Enter(this, "block " + std::string(name_hint), std::move(span), std::move(close));
}

BuilderScope BuilderNode::EnterInit(ffi::Optional<ir::Span> span) const {
  const bool is_block = !scopes.empty() && std::string(scopes.back()->name).rfind("block ", 0) == 0;
  if (!is_block || scopes.back()->init.has_value()) {
    TVM_FFI_THROW(ValueError) << "Builder: `init` must be in a block, once; the innermost scope is "
                              << ShownInnermost(this);
  }
  const BuilderScope block = scopes.back();
  return Enter(this, "init", std::move(span), [block](const BuilderScope&, Stmt body) -> Stmt {
    Writable(block)->init = std::move(body);
    return SeqStmt(ffi::Array<Stmt>());
  });
}

void BuilderNode::Leave(BuilderScope scope) const {
  CheckOpen(this, scope);
  if (!IsInnermost(this, scope)) {
    TVM_FFI_THROW(ValueError) << "Builder: scope " << Shown(scope) << " must not be left before "
                              << ShownInnermost(this);
  }
  Writable(this)->scopes.pop_back();
  Stmt stmt = scope->close(scope, flatten_seq(scope->stmts)).cast<Stmt>();
  if (scope->replaces.has_value()) Statements(this).pop_back();
  Emit(std::move(stmt));
}

void BuilderNode::Abandon(BuilderScope scope) const {
  CheckOpen(this, scope);
  for (bool is_left = false; !is_left; Writable(this)->scopes.pop_back()) {
    is_left = IsInnermost(this, scope);
  }
}

Var BuilderNode::AddParam(Var param) const {
  Writable(this)->params.push_back(param);
  return param;
}

Var BuilderNode::AddBuffer(Buffer buffer) const {
  const Var param(buffer->name + "_handle", ir::kHandle, std::nullopt, buffer->span);
  Writable(this)->buffer_map.Set(param, std::move(buffer));
  return AddParam(param);
}

Stmt BuilderNode::Body() const {
  if (!scopes.empty()) {
    TVM_FFI_THROW(ValueError) << "Builder: scope " << ShownInnermost(this) << " is still open";
  }
  return flatten_seq(stmts);
}

PrimFunc BuilderNode::MakeFunc(ffi::Optional<ir::DictAttrs> attrs, ffi::Optional<ir::Type> ret_type,
                               ffi::Optional<ir::Span> span) const {
  return PrimFunc(params, Body(), buffer_map, std::move(ret_type), std::move(attrs),
                  std::move(span));
}

void push_builder(Builder builder) { CurrentBuilders().push_back(std::move(builder)); }

void pop_builder(Builder builder) {
  std::vector<Builder>& builders = CurrentBuilders();
  if (builders.empty() || !builders.back().same_as(builder)) {
    TVM_FFI_THROW(ValueError) << "Builder: only the current builder of the thread can be popped";
  }
  builders.pop_back();
}

ffi::Optional<Builder> current_builder() {
  const std::vector<Builder>& builders = CurrentBuilders();
  return builders.empty() ? ffi::Optional<Builder>() : builders.back();
}

}  // namespace uir::tir
