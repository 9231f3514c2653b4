// Statements and calls that name a value: bindings, symbolic variables, names of expressions.
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>

#include <string>
#include <utility>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

/*! \brief Whether an annotation is `tir.let`, which leaves the type to the value. */
bool IsLet(Builder* builder, const SyntaxNode* annotation) {
  const Syntax kind = annotation->kind;
  const bool is_name = kind == Syntax::kName || kind == Syntax::kAttribute;
  return is_name && builder->Path(annotation) == "tir.let";
}

tir::Stmt BindNamedValue(Builder* builder, const SyntaxNode* node, const SyntaxNode* name,
                         const SyntaxNode* value) {
  const PrimExpr expr = builder->Expr(value);
  const tir::Var var = builder->BindVar(name, expr->dtype);
  return builder->At(node, [&] { return tir::Bind(var, expr); });
}

tir::Stmt BindTyped(Builder* builder, const SyntaxNode* node, const SyntaxNode* name,
                    const SyntaxNode* annotation, const SyntaxNode* value_node) {
  // The value is outside the variable's scope; its type is known from the annotation.
  const ffi::Any value = builder->Operand(value_node);
  const tir::Var var = builder->BindAnnotated(name, annotation);
  const PrimExpr expr = builder->ToExpr(value, value_node, var->dtype);
  return builder->At(node, [&] { return tir::Bind(var, expr); });
}

/*! \brief `x = tir.bind(value)`, or `x = tir.bind(value, tir.int32)`. */
MaybeStmt AssignBind(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value", "type_annotation"});
  const SyntaxNode* value = arguments.Required("value");
  const SyntaxNode* annotation = arguments["type_annotation"];
  if (annotation == nullptr) return BindNamedValue(builder, call, name, value);
  return BindTyped(builder, call, name, annotation, value);
}

/*! \brief `with tir.LetStmt(value) as x:`, or `with tir.LetStmt(value, var=x):`. */
tir::Stmt WithLetStmt(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  const CallArguments arguments(builder, call, {"value", "type_annotation", "var"});
  const SyntaxNode* name = (*node)[2] != nullptr ? (*node)[2] : arguments["var"];
  if (name == nullptr) builder->Fail(call, "expected `as` and the name to bind");
  const SyntaxNode* value = arguments.Required("value");
  const SyntaxNode* annotation = arguments["type_annotation"];
  const Builder::Scope scope(builder);
  const tir::Stmt bind = annotation == nullptr ? BindNamedValue(builder, call, name, value)
                                               : BindTyped(builder, call, name, annotation, value);
  return PutInFront(builder, builder->Spanned(bind, call), (*node)[1]);
}

/*! \brief `tir.Bind(value, var=x)` on a line; a binding by its fields is another call. */
MaybeStmt ReadBindStmt(Builder* builder, const SyntaxNode* call) {
  const bool is_positional = call->size > 1 && (*call)[1]->kind != Syntax::kKeyword;
  if (!is_positional) return builder->Value(call).as<tir::Stmt>();
  const CallArguments arguments(builder, call, {"value", "type_annotation", "var"});
  return BindNamedValue(builder, call, arguments.Required("var"), arguments.Required("value"));
}

/*! \brief `tir.let(x, value)` on a line. */
MaybeStmt ReadLetStmt(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"var", "value"});
  return BindNamedValue(builder, call, arguments.Required("var"), arguments.Required("value"));
}

/*! \brief `x = tir.Bind(value)`; a binding by its fields is a statement with a name. */
MaybeStmt AssignBindNode(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  if (call->size == 2 && (*call)[1]->kind != Syntax::kKeyword)
    return AssignBind(builder, name, call);
  builder->Declare(name, builder->Value(call));
  return std::nullopt;
}

/*! \brief `with tir.let(x, value):`. */
tir::Stmt WithLet(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  const CallArguments arguments(builder, call, {"var", "value"});
  const SyntaxNode* name = arguments.Required("var");
  const Builder::Scope scope(builder);
  const tir::Stmt bind = BindNamedValue(builder, call, name, arguments.Required("value"));
  return PutInFront(builder, builder->Spanned(bind, call), (*node)[1]);
}

/*! \brief `tir.Assert(condition, "message")`. */
MaybeStmt ReadAssertCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"condition", "message", "error_kind"});
  const PrimExpr condition = builder->Expr(arguments.Required("condition"));
  const SyntaxNode* message = arguments.Required("message");
  const SyntaxNode* kind_node = arguments["error_kind"];
  const ffi::String kind =
      kind_node == nullptr ? ffi::String("RuntimeError") : builder->String(kind_node);
  ffi::Array<PrimExpr> parts;
  if (message->kind == Syntax::kList) {
    for (uint32_t i = 0; i < message->size; ++i) {
      parts.push_back(ir::StringImm(builder->String((*message)[i])));
    }
  } else {
    parts.push_back(ir::StringImm(builder->String(message)));
  }
  return builder->At(call, [&] { return tir::AssertStmt(ir::StringImm(kind), condition, parts); });
}

/*! \brief `with tir.Assert(condition, "message"):`. */
tir::Stmt WithAssert(Builder* builder, const SyntaxNode* node) {
  const tir::Stmt check = *ReadAssertCall(builder, (*node)[0]);
  return PutInFront(builder, builder->Spanned(check, (*node)[0]), (*node)[1]);
}

/*! \brief `x = tir.meta_var(value)`: another name of the value, without a binding. */
MaybeStmt AssignMetaVar(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value"});
  builder->Define(name, builder->Value(arguments.Required("value")));
  return std::nullopt;
}

ffi::Any ReadMetaVar(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value"});
  return builder->Value(arguments.Required("value"));
}

/*! \brief `x = tir.var("int32")`. */
MaybeStmt AssignVar(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"dtype"});
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  const tir::Var var = tir::Var(ffi::String(std::string(name->text)), dtype);
  builder->Declare(name, builder->Spanned(var, name));
  return std::nullopt;
}

/*! \brief `n = tir.dynamic("n")`: a symbolic dimension, of `int64` by default. */
MaybeStmt AssignDynamic(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"name", "dtype"});
  const ffi::String text = builder->String(arguments.Required("name"));
  const SyntaxNode* dtype = arguments["dtype"];
  const DLDataType type = dtype == nullptr ? ir::IntType(64) : builder->DType(dtype);
  builder->Declare(name, builder->Spanned(tir::Var(text, type), name));
  return std::nullopt;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterAssign("tir.dynamic", &AssignDynamic);
  RegisterAssign("script.dynamic", &AssignDynamic);
  RegisterAssign("ir.dynamic", &AssignDynamic);
  RegisterAssign("TypeVar", &AssignDynamic);
  RegisterAssign("typing.TypeVar", &AssignDynamic);
  RegisterAssign("tir.bind", &AssignBind);
  RegisterAssign("tir.let", &AssignBind);
  RegisterAssign("tir.Bind", &AssignBindNode);
  RegisterStmt("tir.Bind", &ReadBindStmt);
  RegisterStmt("tir.LetStmt", &ReadBindStmt);
  RegisterStmt("tir.let", &ReadLetStmt);
  RegisterWith("tir.Bind", &WithLetStmt);
  RegisterAssign("tir.meta_var", &AssignMetaVar);
  RegisterAssign("script.meta_var", &AssignMetaVar);
  RegisterAssign("tir.var", &AssignVar);
  RegisterWith("tir.LetStmt", &WithLetStmt);
  RegisterWith("tir.let", &WithLet);
  RegisterWith("tir.Assert", &WithAssert);
  RegisterStmt("tir.Assert", &ReadAssertCall);
  RegisterSyntax("tir.meta_var", &ReadMetaVar);
  RegisterSyntax("script.meta_var", &ReadMetaVar);
  RegisterSyntax("tir.constexpr", &ReadMetaVar);
}

}  // namespace

tir::Stmt PutInFront(Builder* builder, const tir::Stmt& first, const SyntaxNode* suite) {
  const tir::Stmt body = builder->Suite(suite);
  ffi::Array<tir::Stmt> stmts;
  if (const auto* seq = first.as<tir::SeqStmtNode>()) {
    stmts = seq->seq;
  } else {
    stmts.push_back(first);
  }
  if (const auto* seq = body.as<tir::SeqStmtNode>()) {
    for (const tir::Stmt& stmt : seq->seq) stmts.push_back(stmt);
  } else {
    stmts.push_back(body);
  }
  return builder->At(suite, [&] { return tir::SeqStmt(stmts); });
}

tir::Stmt BuildAnnotated(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* target = (*node)[0];
  const SyntaxNode* annotation = (*node)[1];
  const SyntaxNode* value = (*node)[2];
  if (target->kind != Syntax::kName) builder->Fail(target, "expected a name to bind");
  if (value == nullptr) return DeclareMemory(builder, target, annotation);
  // `p: tir.handle = tir.allocate(...)` states the type twice.
  const std::string_view form =
      value->kind == Syntax::kCall ? builder->Path((*value)[0]) : std::string_view();
  if (form == "tir.allocate" || form == "tir.allocate_const") {
    return *FindAssignForm(form)(builder, target, value);
  }
  if (IsChangedBelow(builder, node)) {
    const PrimExpr initial = builder->Expr(value, builder->DType(annotation));
    const tir::Stmt memory = DeclareMemory(builder, target, annotation);
    return tir::SeqStmt(
        {memory, StoreElement(builder, target, KnownNode(builder, value, initial))});
  }
  if (IsLet(builder, annotation)) return BindNamedValue(builder, node, target, value);
  const bool is_typed_let =
      annotation->kind == Syntax::kSubscript && IsLet(builder, (*annotation)[0]);
  if (!is_typed_let) return BindTyped(builder, node, target, annotation, value);
  if (annotation->size != 2) builder->Fail(annotation, "expected one type: `tir.let[tir.int32]`");
  return BindTyped(builder, node, target, (*annotation)[1], value);
}

}  // namespace uir::script
