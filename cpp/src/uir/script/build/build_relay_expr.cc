// Values of relay: calls, tuples and their fields, slices, constants, types of tensors.
#include <tschema/stack_guard.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/function.h>
#include <uir/relay/infer.h>
#include <uir/script/forms.h>

#include <string>
#include <vector>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::RelayExpr;

bool IsNumberOrBool(const ffi::Any& value) {
  const int32_t index = value.type_index();
  return index == kTVMFFIInt || index == kTVMFFIFloat || index == kTVMFFIBool;
}

/*! \brief A value as an expression of relay. */
RelayExpr AsRelay(Builder* builder, const ffi::Any& value, const SyntaxNode* node) {
  if (std::optional<RelayExpr> expr = value.as<RelayExpr>()) return *std::move(expr);
  if (IsNumberOrBool(value)) {
    builder->Fail(node, "the data type of a number is not known here",
                  "say `relay.const(1.0, \"float32\")`");
  }
  builder->Fail(node, "expected a value of `relay`, found `" + value.GetTypeKey() + "`");
}

/*! \brief Whether a unary or binary expression is a plain negative number. */
bool IsNegativeNumber(const SyntaxNode* node) {
  if (node->kind != Syntax::kUnary || node->text != "-") return false;
  const Syntax kind = (*node)[0]->kind;
  return kind == Syntax::kInt || kind == Syntax::kFloat;
}

ffi::Any ReadItem(Builder* builder, const SyntaxNode* node) {
  if (IsMetadata(node)) return builder->Value(node);
  const RelayExpr tuple = ReadRelay(builder, (*node)[0]);
  const ffi::Optional<ir::Type>& type = tuple->checked_type;
  if (type.has_value() && type.value().as<ir::TensorTypeNode>() != nullptr) {
    return BuildTensorSlice(builder, tuple, node);
  }
  if (node->size != 2) builder->Fail(node, "expected the index of a field of a tuple");
  const int64_t index = builder->Int((*node)[1]);
  return builder->At(node, [&] { return relay::TupleGetItem(tuple, index); });
}

/*! \brief A call of a function of the module, or of a variable. */
ffi::Any ReadFunctionCall(Builder* builder, const SyntaxNode* node) {
  const RelayExpr callee = AsRelay(builder, builder->Value((*node)[0]), (*node)[0]);
  ffi::Array<RelayExpr> args;
  for (uint32_t i = 1; i < node->size; ++i) {
    const SyntaxNode* argument = (*node)[i];
    if (argument->kind == Syntax::kKeyword) {
      builder->Fail(argument, "a call of a function has arguments without names");
    }
    args.push_back(ReadRelay(builder, argument));
  }
  return builder->At(node, [&] { return relay::Call(callee, args); });
}

ffi::Any ReadNode(Builder* builder, const SyntaxNode* node) {
  switch (node->kind) {
    case Syntax::kBinary:
      return BuildOperatorSymbol(builder, node);
    case Syntax::kUnary:
      if (IsNegativeNumber(node)) return builder->Value(node);
      return BuildOperatorSymbol(builder, node);
    case Syntax::kTuple:
      return relay::Tuple(ReadRelayElements(builder, node));
    case Syntax::kSubscript:
      return ReadItem(builder, node);
    case Syntax::kCall:
      if (builder->Path((*node)[0]).empty()) return ReadFunctionCall(builder, node);
      return builder->Value(node);
    case Syntax::kLambda:
      builder->Fail(node, "`lambda` is not supported in a function of `relay`");
    case Syntax::kConditional:
      builder->Fail(node, "a conditional expression is not supported in a function of `relay`",
                    "write `if` and `else` that assign to the same name");
    default:
      return builder->Value(node);
  }
}

bool IsReference(const SyntaxNode* node) {
  return node->kind == Syntax::kName || node->kind == Syntax::kAttribute ||
         (node->kind == Syntax::kSubscript && IsMetadata(node));
}

// Forms.

ffi::Any ReadTensor(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"shape", "dtype"});
  const ffi::Array<ir::PrimExpr> shape = builder->Exprs(arguments.Required("shape"));
  const SyntaxNode* dtype = arguments["dtype"];
  return ir::TensorType(shape,
                        dtype == nullptr ? DLDataType{kDLFloat, 32, 1} : builder->DType(dtype));
}

/*! \brief The numbers of nested lists, and the extents that the first ones have. */
void ReadNumbers(Builder* builder, const SyntaxNode* node, size_t depth,
                 ffi::Array<ffi::Any>* numbers, std::vector<int64_t>* shape) {
  const bool is_list = node->kind == Syntax::kList;
  const bool is_first = depth == shape->size() && numbers->empty();
  if (is_list && is_first) shape->push_back(node->size);
  const bool is_expected =
      is_list ? depth < shape->size() && (*shape)[depth] == node->size : depth == shape->size();
  if (!is_expected) builder->Fail(node, "nested lists must have the same lengths");
  if (!is_list) return numbers->push_back(builder->Value(node));
  for (uint32_t i = 0; i < node->size; ++i) {
    ReadNumbers(builder, (*node)[i], depth + 1, numbers, shape);
  }
}

ffi::Any ReadRelayConst(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value", "dtype"});
  ffi::Array<ffi::Any> numbers;
  std::vector<int64_t> shape;
  ReadNumbers(builder, arguments.Required("value"), 0, &numbers, &shape);
  const DLDataType dtype = builder->DType(arguments.Required("dtype"));
  return relay::constant(numbers, ffi::Array<int64_t>(shape.begin(), shape.end()), dtype);
}

ffi::Any ReadDestinationPassing(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"callee", "args", "out_types"});
  const SyntaxNode* callee_node = arguments.Required("callee");
  const RelayExpr callee = AsRelay(builder, builder->Value(callee_node), callee_node);
  const ffi::Array<RelayExpr> args = ReadRelayElements(builder, arguments.Required("args"));
  const SyntaxNode* types = arguments.Required("out_types");
  ffi::Array<ir::Type> out_types;
  if (types->kind == Syntax::kList) {
    for (uint32_t i = 0; i < types->size; ++i) out_types.push_back(builder->Type((*types)[i]));
  } else {
    out_types.push_back(builder->Type(types));
  }
  return builder->Spanned(relay::call_destination_passing(callee, args, out_types), call);
}

ffi::Any ReadRequire(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"conditions"});
  const SyntaxNode* list = arguments.Required("conditions");
  if (list->kind != Syntax::kList) builder->Fail(list, "expected a list of conditions");
  ffi::Array<ir::PrimExpr> conditions;
  for (uint32_t i = 0; i < list->size; ++i) conditions.push_back(builder->Expr((*list)[i]));
  return builder->At(call, [&] { return builder->Spanned(relay::require(conditions), call); });
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterSyntax("relay.Tensor", &ReadTensor);
  RegisterSyntax("relay.const", &ReadRelayConst);
  RegisterSyntax("relay.call_destination_passing", &ReadDestinationPassing);
  RegisterSyntax("relay.require", &ReadRequire);
}

}  // namespace

ffi::Any ReadRelayOrNumber(Builder* builder, const SyntaxNode* node) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return ReadRelayOrNumber(builder, node); });
  }
  ffi::Any value = ReadNode(builder, node);
  if (IsNumberOrBool(value)) return value;
  RelayExpr expr = AsRelay(builder, value, node);
  if (!IsReference(node)) builder->SetSpan(expr.get(), node);
  return expr;
}

ir::RelayExpr ReadRelay(Builder* builder, const SyntaxNode* node) {
  return AsRelay(builder, ReadRelayOrNumber(builder, node), node);
}

/*! \brief Read the elements of a list or a tuple. */
ffi::Array<RelayExpr> ReadRelayElements(Builder* builder, const SyntaxNode* node) {
  if (node->kind != Syntax::kList && node->kind != Syntax::kTuple) {
    builder->Fail(node, "expected a list");
  }
  ffi::Array<RelayExpr> elements;
  for (uint32_t i = 0; i < node->size; ++i) elements.push_back(ReadRelay(builder, (*node)[i]));
  return elements;
}

}  // namespace uir::script
