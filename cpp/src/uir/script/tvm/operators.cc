// Operators that users of TVM call by functions: constants, chains of logic, addresses, powers.
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/script/forms.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <string>

#include "../build/builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

/*! \brief `tir.all(a, b, c)` is `a and b and c`; an operand may be a list of operands. */
template <PrimExpr (*kJoin)(PrimExpr, PrimExpr, ffi::Optional<ir::Span>)>
ffi::Any ReadChain(Builder* builder, const SyntaxNode* call) {
  call = Spread(builder, call);
  std::optional<PrimExpr> chain;
  for (uint32_t i = 1; i < call->size; ++i) {
    const PrimExpr operand = builder->Expr((*call)[i]);
    chain = chain ? kJoin(*chain, operand, std::nullopt) : operand;
  }
  if (!chain) builder->Fail(call, "expected a condition");
  return *chain;
}

/*! \brief `tir.add(a, b)` and the like. */
template <typename Node>
ffi::Any ReadInfix(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"a|lhs", "b|rhs", "dtype"});
  auto [a, b] = builder->Operands(arguments.Required("a"), arguments.Required("b"));
  return builder->Spanned(PrimExpr(Node(a, b)), call);
}

/*! \brief `tir.const(1, "int32")`; without a data type, that of the number. */
ffi::Any ReadTypedConst(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value", "dtype"});
  const SyntaxNode* value = arguments.Required("value");
  const SyntaxNode* dtype = arguments["dtype"];
  return builder->ToExpr(builder->Value(value), call,
                         dtype == nullptr ? kNoType : builder->DType(dtype));
}

/*! \brief `tir.IntImm("int32", 1)` and `tir.FloatImm("float32", 1.0)`. */
ffi::Any ReadImm(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"dtype", "value"});
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  return builder->ToExpr(builder->Value(arguments.Required("value")), call, dtype);
}

/*! \brief `tir.StringImm("text")`. */
ffi::Any ReadStringImm(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value"});
  return ir::StringImm(builder->String(arguments.Required("value")));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterSyntax("tir.all", &ReadChain<&tir::logical_and>);
  RegisterSyntax("tir.any", &ReadChain<&tir::logical_or>);
  RegisterSyntax("tir.add", &ReadInfix<tir::Add>);
  RegisterSyntax("tir.subtract", &ReadInfix<tir::Sub>);
  RegisterSyntax("tir.multiply", &ReadInfix<tir::Mul>);
  RegisterSyntax("tir.div", &ReadInfix<tir::Div>);
  RegisterSyntax("tir.indexdiv", &ReadInfix<tir::FloorDiv>);
  RegisterSyntax("tir.indexmod", &ReadInfix<tir::FloorMod>);
  RegisterSyntax("tir.const", &ReadTypedConst);
  RegisterSyntax("tir.IntImm", &ReadImm);
  RegisterSyntax("tir.FloatImm", &ReadImm);
  RegisterSyntax("tir.StringImm", &ReadStringImm);
}

}  // namespace

ir::PrimExpr BuildBufferAddress(Builder* builder, const SyntaxNode* call,
                                const tir::Buffer& buffer) {
  // TVM passes the type of the address, a string, and lanes before the offset; both are ignored.
  const bool has_type = call->size > 2 && (*call)[2]->kind == Syntax::kString;
  const CallArguments arguments =
      has_type ? CallArguments(builder, call,
                               {"access_mask", "ptr_type", "content_lanes", "offset", "extent"})
               : CallArguments(builder, call,
                               {"access_mask", "offset", "extent", "ptr_type", "content_lanes"});
  const SyntaxNode* mask_node = arguments.Required("access_mask");
  const ffi::Any mask_value = builder->Value(mask_node);
  int64_t mask = 0;
  if (mask_value.type_index() == kTVMFFIInt) {
    mask = mask_value.cast<int64_t>();
  } else {
    const std::string letters = builder->String(mask_node);
    for (const char letter : letters) {
      if (letter != 'r' && letter != 'w') builder->Fail(mask_node, "expected `r`, `w` or `rw`");
      mask |= letter == 'r' ? 1 : 2;
    }
  }
  const SyntaxNode* offset_node = arguments["offset"];
  const PrimExpr origin = buffer->elem_offset.value_or(MakeInt(0, ir::IntType(32)));
  const PrimExpr offset = offset_node == nullptr ? origin : builder->Expr(offset_node);
  PrimExpr extent = MakeInt(1, offset->dtype);
  if (const SyntaxNode* node = arguments["extent"];
      node != nullptr && node->kind != Syntax::kNone) {
    extent = builder->Expr(node);
  } else {
    for (const PrimExpr& size : buffer->shape) extent = tir::mul(extent, size);
  }
  return builder->Spanned(
      tir::access_ptr(buffer->data, offset, extent, MakeInt(mask, ir::IntType(32))), call);
}

}  // namespace uir::script
