// Attributes of statements, and the threads that they launch.
#include <uir/ir/dtype.h>
#include <uir/ir/range.h>
#include <uir/tir/launch.h>
#include <uir/tir/op.h>
#include <uir/tir/reduce.h>

#include <algorithm>
#include <string>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

/*! \brief The arguments of `tir.attr(node, "key", value)`. */
Encloser ReadAttr(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"node", "attr_key", "value"});
  const ffi::Any node = builder->Value(arguments.Required("node"));
  const ffi::String key = builder->String(arguments.Required("attr_key"));
  const PrimExpr value = builder->Expr(arguments.Required("value"));
  return [=](const tir::Stmt& body) { return tir::AttrStmt(node, key, value, body); };
}

tir::Stmt WithAttr(Builder* builder, const SyntaxNode* node) {
  const Encloser encloser = ReadAttr(builder, (*node)[0]);
  const tir::Stmt body = builder->Suite((*node)[1]);
  return builder->At((*node)[0], [&] { return encloser(body); });
}

MaybeStmt StmtAttr(Builder* builder, const SyntaxNode* call) {
  EncloseRest(builder, call, ReadAttr(builder, call));
  return std::nullopt;
}

tir::IterVar MakeThread(Builder* builder, const SyntaxNode* name, const ffi::String& tag,
                        DLDataType dtype) {
  const tir::Var var = builder->BindVar(name, dtype);
  return tir::IterVar(var, std::nullopt, tir::IterVarType::kThreadIndex, tag);
}

/*! \brief The thread that a call launches: `"threadIdx.x"` binds `name`, a value has its own. */
tir::IterVar ReadLaunchedThread(Builder* builder, const SyntaxNode* node, const SyntaxNode* name,
                                DLDataType dtype) {
  const ffi::Any value = builder->Value(node);
  if (const auto thread = value.as<tir::IterVar>()) {
    if (name != nullptr) builder->Fail(name, "the thread has a name already");
    return *thread;
  }
  const auto tag = value.as<ffi::String>();
  if (!tag) builder->Fail(node, "expected a thread: `\"threadIdx.x\"`, or a `tir.env_thread`");
  if (name == nullptr) {
    std::string index = *tag;
    std::replace(index.begin(), index.end(), '.', '_');
    return builder->At(node, [&] {
      return tir::IterVar(tir::Var(index, dtype), std::nullopt, tir::IterVarType::kThreadIndex,
                          *tag);
    });
  }
  return builder->At(node, [&] { return MakeThread(builder, name, *tag, dtype); });
}

/*! \brief `tir.launch_thread(thread, extent)`. */
Encloser ReadLaunch(Builder* builder, const SyntaxNode* call, const SyntaxNode* name) {
  const CallArguments arguments(builder, call, {"thread", "extent"});
  const SyntaxNode* thread_node = arguments.Required("thread");
  const SyntaxNode* extent_node = arguments.Required("extent");
  PrimExpr extent = builder->Expr(extent_node);
  const tir::IterVar thread = ReadLaunchedThread(builder, thread_node, name, extent->dtype);
  // As TVM reads it: the thread's index has the type that `tir.env_thread` gave it.
  if (extent->IsInstance<ir::IntImmNode>()) extent = tir::cast(extent, thread->var->dtype);
  const ffi::String tag = thread->thread_tag;
  const char* key = tir::LaunchKey(tag);
  return builder->At(extent_node, [&]() -> Encloser {
    const ir::Range domain(MakeInt(0, extent->dtype), extent);
    const tir::IterVar launched(thread->var, domain, thread->iter_type, tag);
    return [=](const tir::Stmt& body) { return tir::AttrStmt(launched, key, extent, body); };
  });
}

tir::Stmt WithLaunch(Builder* builder, const SyntaxNode* node) {
  const Builder::Scope scope(builder);
  const Encloser encloser = ReadLaunch(builder, (*node)[0], (*node)[2]);
  const tir::Stmt body = builder->Suite((*node)[1]);
  return builder->At((*node)[0], [&] { return encloser(body); });
}

MaybeStmt StmtLaunch(Builder* builder, const SyntaxNode* call) {
  EncloseRest(builder, call, ReadLaunch(builder, call, nullptr));
  return std::nullopt;
}

MaybeStmt AssignLaunch(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  EncloseRest(builder, call, ReadLaunch(builder, call, name));
  return std::nullopt;
}

/*! \brief `tx = tir.env_thread("threadIdx.x")`: a thread that is launched below. */
MaybeStmt AssignEnvThread(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"thread_tag", "dtype"});
  const ffi::String tag = builder->String(arguments.Required("thread_tag"));
  const SyntaxNode* dtype_node = arguments["dtype"];
  const DLDataType dtype = dtype_node == nullptr ? ir::IntType(32) : builder->DType(dtype_node);
  const tir::IterVar thread =
      builder->At(call, [&] { return MakeThread(builder, name, tag, dtype); });
  builder->Define(name, thread);
  return std::nullopt;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterStmt("tir.attr", &StmtAttr);
  RegisterStmt("tir.launch_thread", &StmtLaunch);
  RegisterWith("tir.attr", &WithAttr);
  RegisterWith("tir.launch_thread", &WithLaunch);
  RegisterAssign("tir.launch_thread", &AssignLaunch);
  RegisterAssign("tir.env_thread", &AssignEnvThread);
}

}  // namespace

}  // namespace uir::script
