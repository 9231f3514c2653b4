// Calls: of forms, data types, types, operators, and functions of the module.
#include <tschema/callable.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/script/forms.h>
#include <uir/tir/expr.h>
#include <uir/tir/opaque_intrinsic.h>

#include <cmath>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../print/call_types.h"
#include "../print/metadata.h"
#include "../print/type_fields.h"
#include "./builder_state.h"
#include "./operand_list.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

/*! \brief Whether an argument is the name of a data type. */
bool IsDTypeName(const SyntaxNode* argument) {
  return argument->kind == Syntax::kString && ParseDType(argument->text).has_value();
}

/*! \brief Whether an argument is `tir.int32`, or `tir.handle("float32").ty`. */
bool IsTypeNode(Builder* builder, const SyntaxNode* argument) {
  if (argument->kind != Syntax::kAttribute) return false;
  const std::string_view path = builder->Path(argument);
  if (path.substr(0, 4) == "tir.") return ParseDType(path.substr(4)).has_value();
  return argument->text == "ty" && (*argument)[0]->kind == Syntax::kCall;
}

/*! \brief The place of an argument that states the data type, `tir.call_extern("int32", "f", x)`.
 */
uint32_t FindDType(Builder* builder, const SyntaxNode* call, const ir::RelayExpr& callee) {
  const auto* op = callee.as<ir::OpNode>();
  if (op == nullptr || call->size < 3) return 0;
  for (uint32_t i = 1; i < call->size; ++i) {
    const bool is_named = (*call)[i]->kind == Syntax::kKeyword && (*call)[i]->text == "dtype";
    if (is_named) return 0;
  }
  const std::string_view name(op->name.data(), op->name.size());
  if (name == "tir.tvm_struct_get")
    return IsDTypeName((*call)[call->size - 1]) ? call->size - 1 : 0;
  const bool is_string = (*call)[1]->kind == Syntax::kString;
  const bool is_extern = name == "tir.call_extern" || name == "tir.call_pure_extern";
  if (is_extern) return is_string && (*call)[2]->kind == Syntax::kString ? 1 : 0;
  if (name == "tir.reinterpret") return is_string || IsTypeNode(builder, (*call)[1]) ? 1 : 0;
  return tir::IsOpaqueIntrinsic(name) && IsDTypeName((*call)[1]) ? 1 : 0;
}

bool IsOpaque(const ir::RelayExpr& callee) {
  const auto* op = callee.as<ir::OpNode>();
  return op != nullptr &&
         tir::IsOpaqueIntrinsic(std::string_view(op->name.data(), op->name.size()));
}

/*! \brief A call of an operator or of a global variable. */
ffi::Any MakeCall(Builder* builder, const SyntaxNode* call, const ir::RelayExpr& callee) {
  OperandList operands(builder, call, callee);
  std::optional<DLDataType> dtype;
  call = Spread(builder, call);
  const uint32_t dtype_at = FindDType(builder, call, callee);
  for (uint32_t i = 1; i < call->size; ++i) {
    const SyntaxNode* argument = (*call)[i];
    if (i == dtype_at) {
      dtype = builder->DType(argument);
    } else if (argument->kind != Syntax::kKeyword) {
      operands.Add(argument);
    } else if (argument->text == "dtype") {
      dtype = builder->DType((*argument)[0]);
    } else if (IsOpaque(callee)) {
      // TVM names them; their order is that of the text.
      operands.Add((*argument)[0]);
    } else {
      operands.AddNamed(argument);
    }
  }
  const ffi::Array<PrimExpr> args = operands.Take();
  const auto& results = builder->state().result_types;
  const auto result = results.find(callee.get());
  const bool is_operand = call != builder->state().statement_call;
  if (!dtype && is_operand && result != results.end()) dtype = result->second;
  if (!dtype) dtype = DefaultCallType(callee, args);
  if (!dtype && is_operand) {
    builder->Fail(call, "the call needs `dtype=`, the data type of its result");
  }
  return builder->At(call, [&] {
    return builder->Spanned(PrimExpr(tir::Call(dtype.value_or(ir::kVoid), callee, args)), call);
  });
}

/*! \brief `tir.int64(1)`, `tir.float32("inf")`, `tir.float32(x)`. */
ffi::Any MakeTyped(Builder* builder, const SyntaxNode* call, DLDataType dtype) {
  const CallArguments arguments(builder, call, {"value"});
  const SyntaxNode* node = arguments["value"];
  if (node == nullptr) return builder->At(call, [&] { return tir::Var("v", dtype); });
  const ffi::Any value = builder->Operand(node);
  return builder->At(call, [&]() -> ffi::Any {
    if (const std::optional<ffi::String> text = value.as<ffi::String>()) {
      const bool is_known = *text == "inf" || *text == "-inf" || *text == "nan";
      if (!is_known) builder->Fail(node, "expected a number, \"inf\", \"-inf\" or \"nan\"");
      const double number = *text == "nan" ? NAN : *text == "inf" ? INFINITY : -INFINITY;
      return builder->Spanned(PrimExpr(ir::FloatImm(dtype, number)), call);
    }
    if (value.type_index() == kTVMFFIBool) {
      return builder->Spanned(PrimExpr(ir::IntImm(dtype, value.cast<bool>())), call);
    }
    const bool is_number = value.type_index() == kTVMFFIInt || value.type_index() == kTVMFFIFloat;
    if (is_number) {
      const bool is_bool = ir::IsBool(dtype) && value.type_index() == kTVMFFIInt;
      if (is_bool) return ir::IntImm(dtype, value.cast<int64_t>());
      if (value.type_index() == kTVMFFIFloat && !ir::IsFloat(dtype)) {
        builder->Fail(node, "expected an integer");
      }
      return builder->ToExpr(value, call, dtype);
    }
    const PrimExpr expr = builder->ToExpr(value, node);
    return builder->Spanned(PrimExpr(tir::Cast(dtype, expr)), call);
  });
}

/*! \brief The row of an operator whose operands are tensors, which has a relation; else null. */
const ir::OperatorRow* RelayRowOf(const ffi::Optional<ir::RelayExpr>& callee) {
  const auto op = callee.has_value() ? callee.value().as<ir::Op>() : std::nullopt;
  if (!op || ir::op_attr(*op, "relation") == nullptr) return nullptr;
  return ir::FindOperatorRow(*op);
}

/*! \brief Look for a declared form of expressions, or for the type of a name. */
void FindTypeForm(std::string_view path, Callee* callee) {
  callee->type = FindDeclaredForm(path);
  if (callee->type != nullptr) {
    const bool is_call = callee->type->form->kind == DeclaredForm::Kind::kCall;
    callee->type_form = is_call ? &*callee->type->form : nullptr;
    return;
  }
  const int32_t type_index = FindType(path);
  if (type_index < 0) return;
  callee->type = &TypeFields::Of(type_index);
  callee->type_form = &callee->type->by_fields;
}

/*! \brief The meaning of a dotted name; looked up once for each text. */
const Callee& FindCallee(BuilderState* state, std::string_view path) {
  const auto [place, is_new] = state->callees.try_emplace(std::string(path));
  Callee& callee = place->second;
  if (!is_new) return callee;
  callee.form = FindSyntax(path);
  if (callee.form != nullptr || path.find('.') == path.npos) return callee;
  if (path.substr(0, 4) == "tir.") callee.dtype = ParseDType(path.substr(4));
  if (callee.dtype) return callee;
  FindTypeForm(path, &callee);
  if (callee.type != nullptr) return callee;
  const ffi::String name{std::string(path)};
  for (const ffi::String& known : ir::list_op_names()) {
    if (known == name) callee.op = ir::get_op(name);
  }
  callee.row = RelayRowOf(callee.op);
  return callee;
}

/*! \brief Call a function of the surrounding Python, whose result replaces the call. */
ffi::Any CallHelper(Builder* builder, const SyntaxNode* call, const ffi::Function& helper) {
  call = Spread(builder, call);
  ffi::Array<ffi::Any> positional;
  ffi::Map<ffi::String, ffi::Any> named;
  for (uint32_t i = 1; i < call->size; ++i) {
    const SyntaxNode* argument = (*call)[i];
    if (argument->kind == Syntax::kKeyword) {
      named.Set(ffi::String(std::string(argument->text)), builder->Value((*argument)[0]));
    } else {
      positional.push_back(builder->Value(argument));
    }
  }
  return builder->At(call, [&] { return helper(positional, named); });
}

/*! \brief A function of the surrounding Python. */
std::optional<ffi::Function> FindHelper(Builder* builder, std::string_view path) {
  const BuilderState& state = builder->state();
  if (!state.resolve.has_value()) return std::nullopt;
  const ffi::Any helper = state.resolve.value()(ffi::String(std::string(path)));
  // None is a function, too.
  if (helper.type_index() != kTVMFFIFunction) return std::nullopt;
  return helper.cast<ffi::Function>();
}

ffi::Any CallPath(Builder* builder, const SyntaxNode* call, std::string_view path) {
  const Callee& known = FindCallee(&builder->state(), path);
  if (known.form != nullptr && path.find('.') == path.npos) {
    // A function of the text's surroundings hides one of Python's own.
    if (const auto helper = FindHelper(builder, path)) return CallHelper(builder, call, *helper);
  }
  if (known.form != nullptr) {
    return builder->At(call, [&] { return (*known.form)(builder, call); });
  }
  if (known.dtype) return MakeTyped(builder, call, *known.dtype);
  if (known.row != nullptr) {
    return BuildOperatorCall(builder, call, known.op.value().as<ir::Op>().value(), *known.row);
  }
  if (known.op.has_value()) return MakeCall(builder, call, known.op.value());
  if (known.type_form != nullptr) return BuildObject(builder, call, *known.type, *known.type_form);
  if (known.type != nullptr) FailMisplaced(builder, call, *known.type);
  if (FindStmtForm(path) != nullptr || FindWithForm(path) != nullptr ||
      FindAssignForm(path) != nullptr) {
    builder->Fail(call, "`" + std::string(path) + "` cannot stand here");
  }
  BuilderState& state = builder->state();
  if (state.resolve.has_value()) {
    const ffi::Any callee = state.resolve.value()(ffi::String(std::string(path)));
    if (const std::optional<ir::GlobalVar> var = callee.as<ir::GlobalVar>()) {
      return MakeCall(builder, call, *var);
    }
    if (callee.type_index() == kTVMFFIFunction) {
      return CallHelper(builder, call, callee.cast<ffi::Function>());
    }
    if (callee != nullptr) {
      builder->Fail((*call)[0], "`" + callee.GetTypeKey() + "` cannot be called");
    }
  }
  builder->FailUnknown((*call)[0], path);
}

/*! \brief Names of TVM's data types that are not those of tvm-ffi. */
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"boolean", "bool"},
    {"e4m3_float8", "float8_e4m3fn"},
    {"e5m2_float8", "float8_e5m2"},
    {"bf16", "bfloat16"},
    {"f16", "float16"},
    {"f32", "float32"},
    {"f64", "float64"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
    {"u64", "uint64"},
};

bool IsDTypeText(std::string_view text) {
  for (const std::string_view prefix :
       {"int", "uint", "float", "bfloat", "bool", "handle", "void"}) {
    if (text.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

/*! \brief Set the fields of an object whose type has no constructor. */
ffi::Any CreateObject(const TypeFields& type, const std::vector<ffi::Any>& values,
                      const std::vector<bool>& is_given) {
  const ffi::ObjectPtr<ffi::Object> object = type.info->Create();
  for (size_t i = 0; i < values.size(); ++i) {
    const TypeFields::Argument& argument = type.arguments[i];
    argument.field->Write(object.get(), is_given[i] ? values[i] : argument.field->MakeDefault());
  }
  for (const tschema::FieldInfo& field : type.info->fields) {
    const bool is_set = type.Find(field.name) != nullptr || !field.has_default();
    if (!is_set) field.Write(object.get(), field.MakeDefault());
  }
  if (type.info->hooks.post_init != nullptr) type.info->hooks.post_init(object.get());
  return ffi::ObjectRef(object);
}

/*! \brief Whether there is a data type of these bits, as a declaration may name one: no `int33`. */
bool HasKnownBits(DLDataType dtype) {
  const bool is_power = dtype.bits != 0 && (dtype.bits & (dtype.bits - 1)) == 0;
  switch (static_cast<int>(dtype.code)) {
    case kDLInt:
    case kDLUInt:
      return is_power && dtype.bits <= 128;
    case kDLFloat:
      return dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case kDLBfloat:
      return dtype.bits == 16;
    default:
      return true;
  }
}

}  // namespace

const TypeFields* FindDeclaringType(Builder* builder, const SyntaxNode* call) {
  if (call->kind != Syntax::kCall) return nullptr;
  const std::string_view path = builder->Path((*call)[0]);
  if (path.empty()) return nullptr;
  const Callee* callee = builder->At(call, [&] { return &FindCallee(&builder->state(), path); });
  const bool is_declared = callee->type != nullptr && callee->type_form != &callee->type->by_fields;
  return is_declared ? callee->type : nullptr;
}

ffi::Any ConstructObject(const TypeFields& type, const std::vector<ffi::Any>& values,
                         const std::vector<bool>& is_given) {
  if (type.info->constructor == nullptr) return CreateObject(type, values, is_given);
  const tschema::Callable& constructor = *type.info->constructor;
  std::vector<ffi::Any> arguments;
  size_t next = 0;
  for (const tschema::Parameter& parameter : constructor.parameters) {
    const bool is_field =
        next < values.size() && type.arguments[next].field->name == parameter.name;
    if (is_field && is_given[next]) {
      arguments.push_back(values[next]);
    } else {
      arguments.push_back(parameter.make_default == nullptr ? ffi::Any()
                                                            : parameter.make_default());
    }
    if (is_field) ++next;
  }
  std::vector<TVMFFIAny> raw;
  for (const ffi::Any& argument : arguments)
    raw.push_back(ffi::AnyView(argument).CopyToTVMFFIAny());
  return constructor.call(tschema::Arguments(constructor, raw.data()));
}

ir::PrimExpr BuildArgument(Builder* builder, const SyntaxNode* node) {
  if (node->kind != Syntax::kName) return builder->Expr(node);
  const ffi::Any value = builder->Value(node);
  if (const auto buffer = value.as<tir::Buffer>()) return (*buffer)->data;
  return builder->ToExpr(value, node);
}

std::optional<DLDataType> ParseDType(std::string_view text) {
  for (const auto& [short_name, name] : kOtherNames) {
    if (text == short_name) text = name;
  }
  if (!IsDTypeText(text)) return std::nullopt;
  static std::mutex mutex;
  static auto* const known = new std::unordered_map<std::string, std::optional<DLDataType>>();
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [place, is_new] = known->try_emplace(std::string(text));
  if (is_new) {
    try {
      const DLDataType dtype = ffi::StringToDLDataType(ffi::String(place->first));
      if (HasKnownBits(dtype)) place->second = dtype;
    } catch (const ffi::Error&) {
      // Not the name of a data type.
    }
  }
  return place->second;
}

ffi::Any BuildCall(Builder* builder, const SyntaxNode* call, const tschema::TypeExpr*) {
  const SyntaxNode* callee = (*call)[0];
  const std::string_view path = builder->Path(callee);
  if (!path.empty()) return CallPath(builder, call, path);
  if (std::optional<ffi::Any> result = BuildMethod(builder, call)) return *std::move(result);
  const ffi::Any value = builder->Value(callee);
  if (const std::optional<ir::RelayExpr> called = value.as<ir::RelayExpr>()) {
    return MakeCall(builder, call, *called);
  }
  builder->Fail(callee, "`" + value.GetTypeKey() + "` cannot be called");
}

ffi::Any BuildMetadata(Builder* builder, const SyntaxNode* node) {
  BuilderState& state = builder->state();
  if (!state.metadata) {
    builder->Fail(node, "`metadata` is not defined",
                  "print with `meta=True`, which defines it at the end of the text");
  }
  const bool is_entry = node->size == 2 && (*node)[0]->kind == Syntax::kSubscript &&
                        (*node)[0]->size == 2 && (*(*node)[0])[1]->kind == Syntax::kString;
  if (!is_entry) builder->Fail(node, "expected `metadata[\"key\"][index]`");
  const std::string_view key = (*(*node)[0])[1]->text;
  const int64_t index = builder->Int((*node)[1]);
  const auto found = state.metadata->find(key);
  const bool is_there = found != state.metadata->end() && found->second->kind == Syntax::kList &&
                        0 <= index && index < found->second->size;
  if (!is_there) builder->Fail(node, "`metadata` has no such entry");
  const SyntaxNode* entry = (*found->second)[index];
  if (entry->kind != Syntax::kString) {
    builder->Fail(node, "a `" + std::string(key) + "` has no form as text");
  }
  const auto [place, is_new] = state.metadata_values.try_emplace(entry);
  if (is_new) {
    const ffi::String text(entry->text.data(), entry->text.size());
    place->second = builder->At(entry, [&] { return LoadMetadata(key, text); });
  }
  return place->second;
}

}  // namespace uir::script
