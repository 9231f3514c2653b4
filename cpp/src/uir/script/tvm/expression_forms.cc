// Expressions that users of TVM write: other names and argument orders of forms and operators.
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/range.h>
#include <uir/script/forms.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/limits.h>
#include <uir/tir/op.h>
#include <uir/tir/reduce.h>

#include <string>
#include <utility>

#include "../build/builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

/*! \brief An operator of TVM by its name here: `tirx.exp` and `tir.exp` are `tir.exp`. */
std::string OperatorName(std::string name) {
  if (name.substr(0, 5) == "tirx.") name.erase(3, 1);
  if (name == "tir.tvm_storage_sync") return "tir.storage_sync";
  if (name == "tir.fabs") return "tir.abs";
  return name;
}

/*! \brief `tir.call_intrin("float32", "tir.exp", x)`. */
ffi::Any ReadCallIntrin(Builder* builder, const SyntaxNode* call) {
  if (call->size < 3) builder->Fail(call, "expected a data type, an operator and its arguments");
  const DLDataType dtype = builder->DType((*call)[1]);
  const std::string name = OperatorName(builder->String((*call)[2]));
  const ir::Op op = builder->At((*call)[2], [&] { return ir::get_op(name); });
  ffi::Array<PrimExpr> args;
  for (uint32_t i = 3; i < call->size; ++i) args.push_back(BuildArgument(builder, (*call)[i]));
  return builder->Spanned(PrimExpr(tir::Call(dtype, op, args)), call);
}

/*! \brief `tir.fabs(x)` and the like are calls of the operator of another name. */
template <const char* kName>
ffi::Any ReadRenamed(Builder* builder, const SyntaxNode* call) {
  ffi::Array<PrimExpr> args;
  for (uint32_t i = 1; i < call->size; ++i) {
    const SyntaxNode* argument = (*call)[i];
    // The data type is that of the operand.
    const bool is_dtype = argument->kind == Syntax::kKeyword && argument->text == "dtype";
    if (!is_dtype) args.push_back(BuildArgument(builder, argument));
  }
  return builder->Spanned(tir::call_intrin(args.empty() ? ir::kVoid : args[0]->dtype, kName, args),
                          call);
}

constexpr char kAbs[] = "tir.abs";
constexpr char kPow[] = "tir.pow";

/*! \brief `len(A.shape)`. */
ffi::Any ReadLength(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"values"});
  const SyntaxNode* node = arguments.Required("values");
  const auto values = builder->Value(node).as<ffi::Array<ffi::Any>>();
  if (!values) builder->Fail(node, "expected a list or a tuple");
  return static_cast<int64_t>(values->size());
}

ffi::Any ReadStorageSync(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"scope", "dtype"});
  return builder->Spanned(tir::storage_sync(builder->String(arguments.Required("scope"))), call);
}

/*! \brief `tir.tvm_access_ptr(tir.type_annotation("float32"), A.data, offset, extent, mask)`. */
ffi::Any ReadAccessPtr(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call,
                                {"type", "data", "offset", "extent", "mask", "dtype"});
  // The variable `data` states the type of the elements.
  const auto read = [&](std::string_view name) {
    return BuildArgument(builder, arguments.Required(name));
  };
  return builder->Spanned(
      tir::access_ptr(read("data"), read("offset"), read("extent"), read("mask")), call);
}

/*! \brief `tir.min_value("float32")`, and the like. */
template <PrimExpr (*kLimit)(DLDataType, ffi::Optional<ir::Span>)>
ffi::Any ReadLimit(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"dtype"});
  return builder->Spanned(kLimit(builder->DType(arguments.Required("dtype")), std::nullopt), call);
}

/*! \brief `tir.target("llvm")`, also of a dictionary: the plain value, as in attributes. */
ffi::Any ReadTarget(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"target", "host"});
  const SyntaxNode* node = arguments.Required("target");
  const auto check = [&](const SyntaxNode* place) {
    ffi::Any value = builder->Value(place);
    const bool is_target = value.as<ffi::String>() || value.as<ffi::Map<ffi::Any, ffi::Any>>();
    if (!is_target) builder->Fail(place, "expected a target: a string or a dictionary");
    return value;
  };
  const ffi::Any target = check(node);
  if (arguments["host"] == nullptr) return target;
  ffi::Map<ffi::Any, ffi::Any> with_host;
  if (const auto options = target.as<ffi::Map<ffi::Any, ffi::Any>>()) {
    with_host = *options;
  } else {
    with_host.Set(ffi::String("kind"), target);
  }
  with_host.Set(ffi::String("host"), check(arguments["host"]));
  return with_host;
}

/*! \brief `tir.Range(begin, end)`, whose second argument is the end. */
ffi::Any ReadRange(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"begin", "end"});
  const auto [begin, end] = builder->Pair(arguments.Required("begin"), arguments.Required("end"));
  return ir::Range(begin, builder->Extent(begin, end));
}

tir::IterVarType IterTypeOf(Builder* builder, const SyntaxNode* node) {
  static constexpr std::pair<std::string_view, tir::IterVarType> kTypes[] = {
      {"DataPar", tir::IterVarType::kDataPar},
      {"ThreadIndex", tir::IterVarType::kThreadIndex},
      {"CommReduce", tir::IterVarType::kCommReduce},
      {"Ordered", tir::IterVarType::kOrdered},
      {"Opaque", tir::IterVarType::kOpaque},
      {"Unrolled", tir::IterVarType::kUnrolled},
      {"Vectorized", tir::IterVarType::kVectorized},
      {"Parallelized", tir::IterVarType::kParallelized},
      {"Tensorized", tir::IterVarType::kTensorized},
  };
  const std::string name = builder->String(node);
  for (const auto& [known, type] : kTypes) {
    if (known == name) return type;
  }
  builder->Fail(node, "no kind of axis `" + name + "`");
}

/*! \brief `tir.iter_var(x, tir.Range(0, n), "ThreadIndex", "threadIdx.x")`. */
ffi::Any ReadTVMIterVar(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"var|v", "dom", "iter_type", "thread_tag"});
  const SyntaxNode* var_node = arguments.Required("var");
  // An axis of a `pragma` has no variable in TVM.
  const auto var = var_node->kind == Syntax::kNone
                       ? std::optional<tir::Var>(tir::Var("v", ir::IntType(32)))
                       : builder->Expr(var_node).as<tir::Var>();
  if (!var) builder->Fail(var_node, "expected a variable");
  const ffi::Optional<ir::Range> domain = BuildDomain(builder, arguments.Required("dom"));
  const tir::IterVarType type = IterTypeOf(builder, arguments.Required("iter_type"));
  ffi::String tag;
  if (arguments["thread_tag"] != nullptr) tag = builder->String(arguments["thread_tag"]);
  return tir::IterVar(*var, domain, type, tag);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterSyntax("tir.call_intrin", &ReadCallIntrin);
  RegisterSyntax("len", &ReadLength);
  RegisterSyntax("tir.fabs", &ReadRenamed<kAbs>);
  RegisterSyntax("tir.power", &ReadRenamed<kPow>);
  RegisterSyntax("tir.tvm_storage_sync", &ReadStorageSync);
  RegisterSyntax("tir.tvm_access_ptr", &ReadAccessPtr);
  RegisterSyntax("tir.min_value", &ReadLimit<&tir::min_value>);
  RegisterSyntax("tir.max_value", &ReadLimit<&tir::max_value>);
  RegisterSyntax("tir.infinity", &ReadLimit<&tir::infinity>);
  RegisterSyntax("tir.target", &ReadTarget);
  RegisterSyntax("tir.Target", &ReadTarget);
  RegisterSyntax("tvm.target.Target", &ReadTarget);
  RegisterSyntax("tir.Range", &ReadRange);
  RegisterSyntax("script.Range", &ReadRange);
  RegisterSyntax("tir.iter_var", &ReadTVMIterVar);
}

}  // namespace

}  // namespace uir::script
