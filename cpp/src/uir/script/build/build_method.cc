// Methods of buffers and expressions: `A.vload([i])`, `A.access_ptr("r")`, `x.astype("float32")`.
#include <uir/ir/dtype.h>
#include <uir/ir/types.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include <string>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

/*! \brief Make the last index that of a vector of a data type: `A.vload([i], "float32x4")`. */
void WidenIndex(Builder* builder, const SyntaxNode* node, const tir::Buffer& buffer,
                ffi::Array<PrimExpr>* indices) {
  const DLDataType dtype = builder->DType(node);
  const int lanes = ir::LanesOf(dtype);
  const int n_elements = lanes / ir::LanesOf(buffer->dtype);
  if (ir::ElementOf(dtype) != ir::ElementOf(buffer->dtype) || indices->empty() ||
      n_elements * ir::LanesOf(buffer->dtype) != lanes) {
    builder->Fail(node, "expected a vector of elements of `" + std::string(buffer->name) + "`");
  }
  const PrimExpr last = indices->back();
  if (n_elements == 1 || !ir::IsScalar(last->dtype)) return;
  indices->Set(indices->size() - 1, builder->At(node, [&] {
    return tir::Ramp(last, MakeInt(1, last->dtype), n_elements);
  }));
}

ffi::Any CallLoad(Builder* builder, const SyntaxNode* call, const tir::Buffer& buffer) {
  const CallArguments arguments(builder, call, {"indices", "dtype", "predicate"});
  ffi::Array<PrimExpr> indices = builder->Exprs(arguments.Required("indices"));
  if (arguments["dtype"] != nullptr) WidenIndex(builder, arguments["dtype"], buffer, &indices);
  ffi::Optional<PrimExpr> predicate;
  if (arguments["predicate"] != nullptr) {
    predicate = BuildPredicate(builder, arguments["predicate"]);
  }
  return builder->At(call, [&] {
    return builder->Spanned(PrimExpr(tir::BufferLoad(buffer, indices, predicate)), call);
  });
}

/*! \brief `A.ptr_to([i])`: the address of an element. */
ffi::Any CallPointer(Builder* builder, const SyntaxNode* call, const tir::Buffer& buffer) {
  const CallArguments arguments(builder, call, {"indices"});
  const ffi::Array<PrimExpr> indices = builder->Exprs(arguments.Required("indices"));
  return builder->At(call, [&] {
    const PrimExpr element = tir::BufferLoad(buffer, indices);
    return builder->Spanned(tir::call_intrin(ir::kHandle, "tir.address_of", {element}), call);
  });
}

/*! \brief `A.scope()`. */
ffi::Any CallScope(Builder* builder, const SyntaxNode* call, const tir::Buffer& buffer) {
  const CallArguments arguments(builder, call, {});
  const auto* pointer = buffer->data->type_annotation.as<ir::PointerTypeNode>();
  return pointer == nullptr ? ffi::String("global") : pointer->storage_scope;
}

/*! \brief `x.astype("float32")`. */
ffi::Any CallAsType(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"dtype"});
  const PrimExpr value = builder->Expr((*(*call)[0])[0]);
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  return builder->At(call, [&] { return builder->Spanned(tir::cast(value, dtype), call); });
}

}  // namespace

std::optional<ffi::Any> BuildMethod(Builder* builder, const SyntaxNode* call) {
  const SyntaxNode* callee = (*call)[0];
  if (callee->kind != Syntax::kAttribute) return std::nullopt;
  const auto owner = [&] { return builder->Buffer((*callee)[0]); };
  if (callee->text == "vload") return CallLoad(builder, call, owner());
  if (callee->text == "access_ptr") return BuildBufferAddress(builder, call, owner());
  if (callee->text == "ptr_to") return CallPointer(builder, call, owner());
  if (callee->text == "scope") return CallScope(builder, call, owner());
  if (callee->text == "astype") return CallAsType(builder, call);
  return std::nullopt;
}

}  // namespace uir::script
