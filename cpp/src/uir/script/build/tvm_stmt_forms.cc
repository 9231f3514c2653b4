// Statements that users of TVM write: allocations by their address, views of buffers, and others.
#include <uir/ir/dtype.h>
#include <uir/script/forms.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <string>
#include <utility>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

/*! \brief `p = tir.allocate([16], "float32", "shared")`: the name stands for the address. */
tir::Buffer ReadAllocation(Builder* builder, const SyntaxNode* name, const SyntaxNode* call,
                           ffi::Map<ffi::String, ffi::Any>* annotations) {
  const CallArguments arguments(builder, call,
                                {"extents", "dtype", "scope", "condition", "annotations"});
  const ffi::Array<PrimExpr> shape = builder->Exprs(arguments.Required("extents"));
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  const SyntaxNode* scope_node = arguments["scope"];
  const ffi::String scope = scope_node == nullptr ? "global" : builder->String(scope_node);
  if (const SyntaxNode* condition = arguments["condition"]) {
    const auto* always = builder->Expr(condition).as<ir::IntImmNode>();
    const bool is_true = always != nullptr && always->value != 0;
    if (!is_true) builder->Fail(condition, "an allocation under a condition is not supported");
  }
  if (arguments["annotations"] != nullptr) *annotations = builder->Attrs(arguments["annotations"]);
  const ffi::String text{std::string(name->text)};
  const tir::Var data(text, ir::kHandle, ir::PointerType(ir::PrimType(dtype), scope));
  builder->Define(name, data);
  return builder->At(call, [&] { return tir::Buffer(data, dtype, shape, {}, std::nullopt, text); });
}

MaybeStmt AssignAllocation(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  ffi::Map<ffi::String, ffi::Any> annotations;
  const tir::Buffer buffer = ReadAllocation(builder, name, call, &annotations);
  return tir::AllocBuffer(buffer, annotations);
}

/*! \brief `with tir.allocate(...) as p:`. */
tir::Stmt WithAllocation(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  if ((*node)[2] == nullptr) builder->Fail(call, "expected `as` and the name to bind");
  const Builder::Scope scope(builder);
  ffi::Map<ffi::String, ffi::Any> annotations;
  const tir::Buffer buffer = ReadAllocation(builder, (*node)[2], call, &annotations);
  return PutInFront(builder, builder->Spanned(tir::AllocBuffer(buffer, annotations), call),
                    (*node)[1]);
}

/*! \brief `with tir.decl_buffer(...) as A:`, and `with tir.alloc_buffer(...) as A:`. */
template <typename Node>
tir::Stmt WithBuffer(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  const SyntaxNode* name = (*node)[2];
  if (name == nullptr) builder->Fail(call, "expected `as` and the name to bind");
  const Builder::Scope scope(builder);
  const CallArguments arguments(builder, call, BufferArguments({}));
  const tir::Buffer buffer = BuildBuffer(builder, arguments, name->text);
  builder->Define(name, buffer);
  return PutInFront(builder, builder->Spanned(Node(buffer), call), (*node)[1]);
}

/*! \brief `tir.buffer_store(A, value, [i])`. */
MaybeStmt ReadStoreCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"buffer", "value", "indices", "predicate"});
  const tir::Buffer buffer = builder->Buffer(arguments.Required("buffer"));
  const PrimExpr value = builder->Expr(arguments.Required("value"), buffer->dtype);
  const ffi::Array<PrimExpr> indices = builder->Exprs(arguments.Required("indices"));
  ffi::Optional<PrimExpr> predicate;
  if (arguments["predicate"] != nullptr) predicate = builder->Expr(arguments["predicate"]);
  return builder->At(call, [&] { return tir::BufferStore(buffer, value, indices, predicate); });
}

/*! \brief `tir.break_loop()` is `break`. */
template <typename Node>
MaybeStmt ReadJump(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {});
  return Node();
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterAssign("tir.allocate", &AssignAllocation);
  RegisterWith("tir.allocate", &WithAllocation);
  RegisterWith("tir.decl_buffer", &WithBuffer<tir::DeclBuffer>);
  RegisterWith("tir.alloc_buffer", &WithBuffer<tir::AllocBuffer>);
  RegisterStmt("tir.buffer_store", &ReadStoreCall);
  RegisterStmt("tir.break_loop", &ReadJump<tir::Break>);
  RegisterStmt("tir.continue_loop", &ReadJump<tir::Continue>);
}

}  // namespace

tir::Stmt BuildView(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const tir::Buffer source = builder->Buffer((*(*call)[0])[0]);
  DLDataType dtype = source->dtype;
  ffi::Array<PrimExpr> shape;
  for (uint32_t i = 1; i < call->size; ++i) {
    const SyntaxNode* argument = (*call)[i];
    if (argument->kind == Syntax::kKeyword) {
      builder->Fail(argument, "a view has a shape, or a data type, and no options");
    }
    if (argument->kind == Syntax::kString) {
      dtype = builder->DType(argument);
    } else {
      for (const PrimExpr& extent : builder->Exprs(argument)) shape.push_back(extent);
    }
  }
  if (shape.empty()) shape = source->shape;
  const ffi::String text{std::string(name->text)};
  const tir::Buffer view = builder->At(
      call, [&] { return tir::Buffer(source->data, dtype, shape, {}, source->elem_offset, text); });
  builder->Define(name, builder->Spanned(view, name));
  return tir::DeclBuffer(view);
}

}  // namespace uir::script
