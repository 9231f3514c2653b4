// Calls by name: expressions other than operators, and values without literals.
#include <tschema/release.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/range.h>
#include <uir/script/forms.h>
#include <uir/tir/arith.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/reduce.h>

#include <cmath>
#include <string>

#include "../print/print_parts.h"
#include "../syntax/device.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

template <typename Node>
ffi::Any ReadPair(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"a|lhs", "b|rhs", "dtype"});
  auto [a, b] = builder->Operands(arguments.Required("a"), arguments.Required("b"));
  return builder->Spanned(PrimExpr(Node(a, b)), call);
}

/*! \brief `tir.ceildiv(a, b)` is `(a + (b - 1)) // b`; of constants, a constant. */
ffi::Any ReadCeilDiv(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"a|lhs", "b|rhs", "dtype"});
  auto [a, b] = builder->Operands(arguments.Required("a"), arguments.Required("b"));
  return builder->Spanned(tir::ceildiv(a, b), call);
}

/*! \brief `tir.cast(x, "float16")`; a number is a constant of that data type. */
ffi::Any ReadCast(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value", "dtype"});
  const SyntaxNode* value = arguments.Required("value");
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  const ffi::Any operand = builder->Operand(value);
  const int32_t index = operand.type_index();
  if (index == kTVMFFIInt || (index == kTVMFFIFloat && ir::IsFloat(dtype))) {
    return builder->ToExpr(operand, value, dtype);
  }
  const PrimExpr expr = builder->ToExpr(operand, value);
  if (expr->dtype == dtype) return expr;
  return builder->Spanned(PrimExpr(tir::Cast(dtype, expr)), call);
}

/*! \brief The number of lanes of a vector, a constant. */
int32_t ReadLanes(Builder* builder, const SyntaxNode* node) {
  const ffi::Any value = builder->Operand(node);
  const auto* constant = value.as<ir::IntImmNode>();
  const bool is_int = value.type_index() == kTVMFFIInt;
  if (!is_int && constant == nullptr) {
    builder->Fail(node, "expected the number of lanes, a constant",
                  "vectors of a length that the target decides (`tir.vscale()`) are not supported");
  }
  const int64_t lanes = is_int ? value.cast<int64_t>() : constant->value;
  if (lanes < 0 || lanes > INT32_MAX) builder->Fail(node, "`lanes` is out of range");
  return static_cast<int32_t>(lanes);
}

ffi::Any ReadBroadcast(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value", "lanes"});
  const PrimExpr value = builder->Expr(arguments.Required("value"));
  const int32_t lanes = ReadLanes(builder, arguments.Required("lanes"));
  return builder->Spanned(PrimExpr(tir::Broadcast(value, lanes)), call);
}

ffi::Any ReadSelect(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"condition", "true_value", "false_value", "dtype"});
  const PrimExpr condition = builder->Expr(arguments.Required("condition"));
  auto [a, b] =
      builder->Operands(arguments.Required("true_value"), arguments.Required("false_value"));
  return builder->Spanned(PrimExpr(tir::Select(condition, a, b)), call);
}

ffi::Any ReadRamp(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"base", "stride", "lanes"});
  auto [base, stride] = builder->Operands(arguments.Required("base"), arguments.Required("stride"));
  const int32_t lanes = ReadLanes(builder, arguments.Required("lanes"));
  return builder->Spanned(PrimExpr(tir::Ramp(base, stride, lanes)), call);
}

/*! \brief `tir.Let(body, where={x: value})` of a variable that has been declared. */
ffi::Any ReadLetWhere(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"body", "where"});
  const SyntaxNode* where = arguments.Required("where");
  const bool is_one = where->kind == Syntax::kDict && where->size == 2;
  if (!is_one) builder->Fail(where, "expected one variable and its value: `{x: value}`");
  const auto var = builder->Expr((*where)[0]).as<tir::Var>();
  if (!var) builder->Fail((*where)[0], "expected a variable");
  const PrimExpr value = builder->Expr((*where)[1], (*var)->dtype);
  const PrimExpr body = builder->Expr(arguments.Required("body"));
  return builder->Spanned(PrimExpr(tir::Let(*var, value, body)), call);
}

ffi::Any ReadLet(Builder* builder, const SyntaxNode* call) {
  for (uint32_t i = 1; i < call->size; ++i) {
    const bool is_where = (*call)[i]->kind == Syntax::kKeyword && (*call)[i]->text == "where";
    if (is_where) return ReadLetWhere(builder, call);
  }
  const CallArguments arguments(builder, call, {"var", "value", "body"});
  const SyntaxNode* name = arguments.Required("var");
  const PrimExpr value = [&] {
    const ffi::Any declared = builder->Declared(name->text);
    const std::optional<tir::Var> var = declared.as<tir::Var>();
    return builder->Expr(arguments.Required("value"), var ? (*var)->dtype : kNoType);
  }();
  const Builder::Scope scope(builder);
  const tir::Var var = builder->BindVar(name, value->dtype);
  const PrimExpr body = builder->Expr(arguments.Required("body"));
  return builder->Spanned(PrimExpr(tir::Let(var, value, body)), call);
}

ffi::Any ReadIterVarCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"var", "dom", "iter_type", "thread_tag"});
  const SyntaxNode* var_node = arguments.Required("var");
  const std::optional<tir::Var> var = builder->Expr(var_node).as<tir::Var>();
  if (!var) builder->Fail(var_node, "expected a variable");
  const SyntaxNode* dom_node = arguments.Required("dom");
  const ffi::Any dom = builder->Value(dom_node);
  const std::optional<ir::Range> range = dom.as<ir::Range>();
  if (!range && dom != nullptr) builder->Fail(dom_node, "expected `ir.Range(min, extent)` or None");
  const SyntaxNode* type_node = arguments.Required("iter_type");
  const ffi::String name = builder->String(type_node);
  ffi::String tag;
  if (arguments["thread_tag"] != nullptr) tag = builder->String(arguments["thread_tag"]);
  const std::optional<tir::IterVarType> type = FindIterType(Text(name));
  if (!type) builder->Fail(type_node, "no kind of axis `" + std::string(name) + "`");
  return tir::IterVar(*var, range ? ffi::Optional<ir::Range>(*range) : std::nullopt, *type, tag);
}

/*! \brief `tir.comm_reducer(lambda x, y: x + y, [0.0])`. */
ffi::Any ReadReducer(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"combine|combiner", "identity"});
  const SyntaxNode* lambda = arguments.Required("combine");
  const ffi::Array<PrimExpr> identity = builder->Exprs(arguments.Required("identity"));
  if (lambda->kind != Syntax::kLambda) builder->Fail(lambda, "expected a lambda");
  const size_t size = identity.size();
  if (lambda->size != 2 * size + 1) {
    builder->Fail(lambda, "expected " + std::to_string(2 * size) +
                              " parameters, two for each element of the identity");
  }
  const Builder::Scope scope(builder);
  ffi::Array<tir::Var> sides[2];
  for (size_t i = 0; i < 2 * size; ++i) {
    sides[i / size].push_back(builder->BindVar((*lambda)[i], identity[i % size]->dtype));
  }
  const ffi::Array<PrimExpr> result = builder->Exprs((*lambda)[2 * size]);
  return tir::CommReducer(sides[0], sides[1], result, identity);
}

// Values without literals.

ffi::Any ReadOp(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"name"});
  return ir::get_op(builder->String(arguments.Required("name")));
}

ffi::Any ReadDType(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"dtype"});
  return builder->DType(arguments.Required("dtype"));
}

ffi::Any ReadDevice(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"device"});
  const ffi::String name = builder->String(arguments.Required("device"));
  if (const std::optional<DLDevice> device = DeviceOf({name.data(), name.size()})) return *device;
  builder->Fail(call, "no device `" + std::string(name) + "`");
}

ffi::Any ReadList(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"elements"});
  const auto elements = builder->Value(arguments.Required("elements")).cast<ffi::Array<ffi::Any>>();
  return tschema::DestroyedIteratively(ffi::List<ffi::Any>(elements.begin(), elements.end()));
}

ffi::Any ReadDict(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"entries"});
  const auto entries =
      builder->Value(arguments.Required("entries")).cast<ffi::Map<ffi::Any, ffi::Any>>();
  ffi::Dict<ffi::Any, ffi::Any> dict;
  for (const auto& [key, value] : entries) dict.Set(key, value);
  return tschema::DestroyedIteratively(std::move(dict));
}

ffi::Any ReadShapeCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"extents"});
  const SyntaxNode* list = arguments.Required("extents");
  std::vector<int64_t> extents;
  for (uint32_t i = 0; i < list->size; ++i) extents.push_back(builder->Int((*list)[i]));
  return ffi::Shape(extents);
}

ffi::Any ReadRawString(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"bytes"});
  const ffi::Any bytes = builder->Value(arguments.Required("bytes"));
  const auto known = bytes.cast<ffi::Bytes>();
  return ffi::String(known.data(), known.size());
}

ffi::Any ReadFloatCall(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"text"});
  const ffi::Any value = builder->Operand(arguments.Required("text"));
  if (value.type_index() == kTVMFFIFloat) return value;
  if (value.type_index() == kTVMFFIInt) return static_cast<double>(value.cast<int64_t>());
  const ffi::String text = builder->String(arguments.Required("text"));
  if (text == "inf") return static_cast<double>(INFINITY);
  if (text == "-inf") return -static_cast<double>(INFINITY);
  if (text == "nan") return static_cast<double>(NAN);
  builder->Fail(call, "expected \"inf\", \"-inf\" or \"nan\"");
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterSyntax("tir.min", &ReadPair<tir::Min>);
  RegisterSyntax("tir.max", &ReadPair<tir::Max>);
  RegisterSyntax("tir.truncdiv", &ReadPair<tir::Div>);
  RegisterSyntax("tir.truncmod", &ReadPair<tir::Mod>);
  RegisterSyntax("tir.floordiv", &ReadPair<tir::FloorDiv>);
  RegisterSyntax("tir.floormod", &ReadPair<tir::FloorMod>);
  RegisterSyntax("tir.ceildiv", &ReadCeilDiv);
  RegisterSyntax("tir.cast", &ReadCast);
  RegisterSyntax("tir.Select", &ReadSelect);
  RegisterSyntax("tir.Ramp", &ReadRamp);
  RegisterSyntax("tir.ramp", &ReadRamp);
  RegisterSyntax("tir.broadcast", &ReadBroadcast);
  RegisterSyntax("tir.Broadcast", &ReadBroadcast);
  RegisterSyntax("tir.Let", &ReadLet);
  RegisterSyntax("tir.IterVar", &ReadIterVarCall);
  RegisterSyntax("tir.comm_reducer", &ReadReducer);
  RegisterSyntax("ir.op", &ReadOp);
  RegisterSyntax("ir.dtype", &ReadDType);
  RegisterSyntax("ir.device", &ReadDevice);
  RegisterSyntax("ir.List", &ReadList);
  RegisterSyntax("ir.Dict", &ReadDict);
  RegisterSyntax("ir.Shape", &ReadShapeCall);
  RegisterSyntax("ir.String", &ReadRawString);
  RegisterSyntax("float", &ReadFloatCall);
}

}  // namespace

}  // namespace uir::script
