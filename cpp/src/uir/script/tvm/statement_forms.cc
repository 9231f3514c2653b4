// Statements that users of TVM write: allocations by their address, views of buffers, and others.
#include <uir/ir/dtype.h>
#include <uir/script/forms.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <string>
#include <utility>
#include <vector>

#include "../build/builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

/*! \brief `p = tir.allocate([16], "float32", "shared")`: the name is the address. */
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
  const tir::Buffer buffer =
      builder->At(call, [&] { return tir::Buffer(data, dtype, shape, {}, std::nullopt, text); });
  builder->state().buffers.Set(data, buffer);
  return buffer;
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
MaybeStmt ReadBufferStoreCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"buffer", "value", "indices", "predicate"});
  const tir::Buffer buffer = builder->Buffer(arguments.Required("buffer"));
  const ffi::Array<PrimExpr> indices = builder->Exprs(arguments.Required("indices"));
  const PrimExpr value = BuildStored(builder, arguments.Required("value"), buffer, indices);
  ffi::Optional<PrimExpr> predicate;
  if (arguments["predicate"] != nullptr) {
    predicate = BuildPredicate(builder, arguments["predicate"]);
  }
  return builder->At(call, [&] { return tir::BufferStore(buffer, value, indices, predicate); });
}

/*! \brief `tir.break_loop()` is `break`. */
template <typename Node>
MaybeStmt ReadJump(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {});
  return Node();
}

/*! \brief `tir.preflattened_buffer(A, (16, 16))`: the parameter has that shape, and `A` is another
 * buffer at its address. */
MaybeStmt ReadPreflattened(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({"buffer"}));
  const SyntaxNode* node = arguments.Required("buffer");
  const tir::Buffer flat = builder->Buffer(node);
  FunctionFrame* function = builder->state().function;
  std::optional<tir::Var> handle;
  if (function != nullptr) {
    for (const auto& [var, buffer] : function->buffer_map) {
      if (buffer.same_as(flat)) handle = var;
    }
  }
  if (!handle) builder->Fail(node, "expected the buffer of a parameter");
  const tir::Buffer whole = BuildBuffer(builder, arguments, std::string(flat->name));
  const DLDataType dtype = arguments["dtype"] == nullptr ? flat->dtype : whole->dtype;
  function->buffer_map.Set(*handle, builder->At(call, [&] {
    return tir::Buffer(flat->data, dtype, whole->shape, whole->strides, whole->elem_offset,
                       whole->name, whole->data_alignment, whole->offset_factor, whole->buffer_type,
                       whole->axis_separators);
  }));
  return tir::DeclBuffer(flat);
}

/*! \brief Add the numbers of a list, and of those in it. */
void CollectNumbers(Builder* builder, const SyntaxNode* node, const ffi::Any& value,
                    DLDataType dtype, std::vector<PrimExpr>* numbers) {
  if (const auto list = value.as<ffi::Array<ffi::Any>>()) {
    for (const ffi::Any& element : *list) CollectNumbers(builder, node, element, dtype, numbers);
  } else {
    numbers->push_back(builder->ToExpr(value, node, dtype));
  }
}

/*! \brief `p = tir.allocate_const([1, 2], "int32", [2])`: memory, and a store of each number. */
tir::SeqStmt ReadConstants(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  constexpr size_t kMostNumbers = 4096;
  const CallArguments arguments(builder, call, {"data", "dtype", "extents", "annotations"});
  const SyntaxNode* data_node = arguments.Required("data");
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  std::vector<PrimExpr> numbers;
  CollectNumbers(builder, data_node, builder->Value(data_node), dtype, &numbers);
  const SyntaxNode* extents_node = arguments.Required("extents");
  size_t size = 1;
  for (const PrimExpr& extent : builder->Exprs(extents_node)) {
    const auto* number = extent.as<ir::IntImmNode>();
    size *= number == nullptr || number->value > static_cast<int64_t>(kMostNumbers)
                ? 0
                : static_cast<size_t>(number->value);
  }
  if (size != numbers.size() || size > kMostNumbers) {
    builder->Fail(extents_node, "there are " + std::to_string(numbers.size()) +
                                    " numbers; expected as many as the extents say, at most " +
                                    std::to_string(kMostNumbers));
  }
  const ffi::String text{std::string(name->text)};
  const tir::Var data(text, ir::kHandle, ir::PointerType(ir::PrimType(dtype), "global"));
  builder->Define(name, data);
  return builder->At(call, [&] {
    const PrimExpr extent = MakeInt(static_cast<int64_t>(size), ir::IntType(32));
    const tir::Buffer buffer(data, dtype, {extent}, {}, std::nullopt, text);
    ffi::Array<tir::Stmt> stmts{tir::AllocBuffer(buffer)};
    for (size_t i = 0; i < size; ++i) {
      const PrimExpr index = MakeInt(static_cast<int64_t>(i), ir::IntType(32));
      stmts.push_back(tir::BufferStore(buffer, numbers[i], {index}));
    }
    return tir::SeqStmt(stmts);
  });
}

MaybeStmt AssignConstants(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  return ReadConstants(builder, name, call);
}

tir::Stmt WithConstants(Builder* builder, const SyntaxNode* node) {
  if ((*node)[2] == nullptr) builder->Fail((*node)[0], "expected `as` and the name to bind");
  const Builder::Scope scope(builder);
  return PutInFront(builder, ReadConstants(builder, (*node)[2], (*node)[0]), (*node)[1]);
}

/*! \brief `tir.realize(A[0:16], "")`, which is of a language below blocks that is not here. */
MaybeStmt RefuseRealize(Builder* builder, const SyntaxNode* call) {
  builder->Fail(call, "`tir.realize` is not supported",
                "allocate the buffer: `A = tir.alloc_buffer((16,), \"float32\")`");
}

tir::Stmt RefuseWithRealize(Builder* builder, const SyntaxNode* node) {
  return *RefuseRealize(builder, (*node)[0]);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterStmt("tir.preflattened_buffer", &ReadPreflattened);
  RegisterAssign("tir.allocate_const", &AssignConstants);
  RegisterWith("tir.allocate_const", &WithConstants);
  RegisterStmt("tir.realize", &RefuseRealize);
  RegisterWith("tir.realize", &RefuseWithRealize);
  RegisterAssign("tir.allocate", &AssignAllocation);
  RegisterWith("tir.allocate", &WithAllocation);
  RegisterWith("tir.decl_buffer", &WithBuffer<tir::DeclBuffer>);
  RegisterWith("tir.alloc_buffer", &WithBuffer<tir::AllocBuffer>);
  RegisterStmt("tir.buffer_store", &ReadBufferStoreCall);
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
