// High-level functions: bindings, branches, calls of operators, infix operators.
// They stay in one file, because a value may hold any of them and they call each other.
#include <tschema/stack_guard.h>
#include <tschema/type_key.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/function.h>
#include <uir/relay/infer.h>
#include <uir/script/forms.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "../print/infix.h"
#include "../print/type_fields.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::RelayExpr;

bool IsNumber(const ffi::Any& value) {
  const int32_t index = value.type_index();
  return index == kTVMFFIInt || index == kTVMFFIFloat || index == kTVMFFIBool;
}

/*! \brief A value as an expression of relay. */
RelayExpr AsRelay(Builder* builder, const ffi::Any& value, const SyntaxNode* node) {
  if (std::optional<RelayExpr> expr = value.as<RelayExpr>()) return *std::move(expr);
  if (IsNumber(value)) {
    builder->Fail(node, "the data type of a number is not known here",
                  "say `relay.const(1.0, \"float32\")`");
  }
  builder->Fail(node, "expected a value of `relay`, found `" + value.GetTypeKey() + "`");
}

// Calls.

/*! \brief Read the elements of a list or a tuple. */
ffi::Array<RelayExpr> ReadElements(Builder* builder, const SyntaxNode* node) {
  if (node->kind != Syntax::kList && node->kind != Syntax::kTuple) {
    builder->Fail(node, "expected a list");
  }
  ffi::Array<RelayExpr> elements;
  for (uint32_t i = 0; i < node->size; ++i) elements.push_back(ReadRelay(builder, (*node)[i]));
  return elements;
}

ffi::Any ReadOperand(Builder* builder, const SyntaxNode* node, const ir::OperandRow& row) {
  if (row.is_variadic) return ReadElements(builder, node);
  if (row.is_optional && node->kind == Syntax::kNone) return nullptr;
  return ReadRelayOrNumber(builder, node);
}

bool IsList(const tschema::TypeExpr& type) {
  using Kind = tschema::TypeExpr::Kind;
  return type.kind == Kind::kArray || (type.kind == Kind::kOptional && IsList(type.arguments[0]));
}

ffi::Optional<ir::Attrs> ReadAttributes(Builder* builder, const CallArguments& arguments,
                                        const ir::OperatorRow& row) {
  if (row.attrs_key == nullptr) return std::nullopt;
  const TypeFields& type = TypeFields::Of(tschema::RequireTypeIndex(row.attrs_key));
  std::vector<ffi::Any> values(type.arguments.size());
  std::vector<bool> is_given(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const TypeFields::Argument& argument = type.arguments[i];
    const SyntaxNode* node = arguments[argument.field->name];
    is_given[i] = node != nullptr;
    if (node != nullptr) {
      const ffi::Any value = builder->Value(node, argument.field->type);
      values[i] = IsList(*argument.field->type) ? ir::ListOfOne(value) : value;
    } else if (!argument.has_default) {
      arguments.Required(argument.field->name);
    }
  }
  return builder->At(arguments.call(),
                     [&] { return ConstructObject(type, values, is_given).cast<ir::Attrs>(); });
}

/*! \brief The attributes of an operator that has a symbol, none of which is given. */
ffi::Optional<ir::Attrs> DefaultAttributes(const ir::OperatorRow& row) {
  if (row.attrs_key == nullptr) return std::nullopt;
  const TypeFields& type = TypeFields::Of(tschema::RequireTypeIndex(row.attrs_key));
  const std::vector<ffi::Any> values(type.arguments.size());
  return ConstructObject(type, values, std::vector<bool>(values.size())).cast<ir::Attrs>();
}

RelayExpr MakeOperatorCall(const ir::Op& op, const ir::OperatorRow& row,
                           std::vector<ffi::Any> operands, ffi::Optional<ir::Attrs> attrs) {
  ir::ConvertNumbers(row, &operands);
  return relay::make_call(op, ffi::Array<ffi::Any>(operands.begin(), operands.end()),
                          std::move(attrs));
}

/*! \brief `relay.func_attr({...})`, where it stands first. */
bool ReadFunctionAttrs(Builder* builder, const SyntaxNode* stmt,
                       ffi::Map<ffi::String, ffi::Any>* attrs) {
  if (stmt->kind != Syntax::kExpression || (*stmt)[0]->kind != Syntax::kCall) return false;
  const SyntaxNode* call = (*stmt)[0];
  if (builder->Path((*call)[0]) != "relay.func_attr") return false;
  const CallArguments arguments(builder, call, {"attrs"});
  for (const auto& [name, value] : builder->Attrs(arguments.Required("attrs"))) {
    attrs->Set(name, value);
  }
  return true;
}

// Expressions.

/*! \brief The operator that a symbol stands for; empty for another symbol. */
std::string_view OperatorOfSymbol(const SyntaxNode* node) {
  constexpr std::pair<std::string_view, std::string_view> kReadOnly[] = {
      {"%", "relay.mod"},         {"**", "relay.power"},        {"and", "relay.logical_and"},
      {"or", "relay.logical_or"}, {"not", "relay.logical_not"},
  };
  for (const auto& [symbol, name] : kReadOnly) {
    if (symbol == node->text) return name;
  }
  const Infix* infix = FindInfix(node->text, static_cast<int>(node->size));
  return infix == nullptr ? std::string_view() : infix->op;
}

ffi::Any ReadInfix(Builder* builder, const SyntaxNode* node) {
  const std::string name(OperatorOfSymbol(node));
  if (name.empty() || !ir::has_op(name)) {
    builder->Fail(node, "`" + std::string(node->text) + "` is not an operator of `relay`");
  }
  std::vector<ffi::Any> operands;
  for (uint32_t i = 0; i < node->size; ++i) {
    operands.push_back(ReadRelayOrNumber(builder, (*node)[i]));
  }
  const ir::Op op = ir::get_op(name);
  const ir::OperatorRow* row = ir::FindOperatorRow(op);
  if (row == nullptr) builder->Fail(node, "`" + name + "` has no row in the table of operators");
  return builder->At(node,
                     [&] { return MakeOperatorCall(op, *row, operands, DefaultAttributes(*row)); });
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
      return ReadInfix(builder, node);
    case Syntax::kUnary:
      if (IsNegativeNumber(node)) return builder->Value(node);
      return ReadInfix(builder, node);
    case Syntax::kTuple:
      return relay::Tuple(ReadElements(builder, node));
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

/*! \brief Reads one function. */
class RelayFunctionBuilder {
 public:
  RelayFunctionBuilder(Builder* builder, const SyntaxNode* node, const SyntaxNode* decorator)
      : builder_(builder), node_(node), decorator_(decorator) {}

  ir::BaseFunc Build() {
    const Builder::Scope scope(builder_);
    ffi::Map<ffi::String, ffi::Any> attrs;
    if (!IsPrivate(builder_, decorator_)) {
      attrs.Set("global_symbol", FunctionName(builder_, node_));
    }
    const SyntaxNode* suite = (*node_)[1];
    size_t first = DeclareShapes(builder_, suite);
    ReadParams();
    ffi::Optional<ir::Type> result;
    if ((*node_)[0] != nullptr) result = builder_->Type((*node_)[0]);
    if (first < suite->size && ReadFunctionAttrs(builder_, (*suite)[first], &attrs)) ++first;
    const ffi::Optional<relay::Block> body = ReadBody(suite, first);
    if (!body.has_value()) throw Failure{node_->begin, node_->end, "", "", true};
    return builder_->At(node_, [&] {
      return builder_->Spanned(relay::Function(params_, body.value(), result, ir::DictAttrs(attrs)),
                               node_);
    });
  }

 private:
  void ReadParams() {
    for (size_t i = 3; i < node_->size; ++i) {
      const SyntaxNode* param = (*node_)[i];
      names_.push_back({Syntax::kName, 0, param->begin,
                        param->begin + static_cast<uint32_t>(param->text.size()), param->text,
                        nullptr});
      try {
        ReadParam(&names_.back(), (*param)[0]);
      } catch (const Failure& failure) {
        builder_->state().log->Add(failure);
        builder_->Poison(&names_.back());
      }
    }
  }

  void ReadParam(const SyntaxNode* name, const SyntaxNode* annotation) {
    if (annotation == nullptr) {
      builder_->Fail(name, "a parameter of a function of `relay` must have a type",
                     "`x: relay.Tensor((n, 16), \"float32\")`");
    }
    params_.push_back(BindVar(name, builder_->Type(annotation)));
  }

  relay::Var BindVar(const SyntaxNode* name, ffi::Optional<ir::Type> type) {
    if (name->kind != Syntax::kName) builder_->Fail(name, "expected a name to bind");
    if (const auto declared = builder_->Declared(name->text).as<relay::Var>()) return *declared;
    relay::Var var =
        builder_->Spanned(relay::Var(ffi::String(std::string(name->text)), std::move(type)), name);
    builder_->Define(name, var);
    return var;
  }

  /*! \brief The bindings and the value behind `return`; nothing if that is missing. */
  ffi::Optional<relay::Block> ReadBody(const SyntaxNode* suite, size_t first) {
    ffi::Array<relay::Binding> bindings;
    ffi::Optional<RelayExpr> result;
    for (size_t i = first; i < suite->size && !builder_->state().log->is_full(); ++i) {
      const SyntaxNode* stmt = (*suite)[i];
      try {
        if (result.has_value()) builder_->Fail(stmt, "nothing may follow `return`");
        if (stmt->kind == Syntax::kReturn) {
          if ((*stmt)[0] == nullptr) builder_->Fail(stmt, "expected a value behind `return`");
          result = ReadRelay(builder_, (*stmt)[0]);
        } else {
          ReadStatement(stmt, &bindings);
        }
      } catch (const Failure& failure) {
        builder_->state().log->Add(failure);
        PoisonTarget(stmt);
        if (stmt->kind == Syntax::kReturn) return std::nullopt;
      }
    }
    if (!result.has_value()) {
      builder_->Fail(node_, "a function of `relay` must end with `return`");
    }
    return relay::Block(bindings, result.value());
  }

  void PoisonTarget(const SyntaxNode* stmt) {
    const bool binds = stmt->kind == Syntax::kAssign || stmt->kind == Syntax::kAnnotated ||
                       stmt->kind == Syntax::kAugmented;
    if (binds) builder_->Poison((*stmt)[0]);
    if (stmt->kind == Syntax::kIf && (*stmt)[1]->size > 0) {
      PoisonTarget((*(*stmt)[1])[(*stmt)[1]->size - 1]);
    }
  }

  void ReadStatement(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    switch (stmt->kind) {
      case Syntax::kAssign:
      case Syntax::kAnnotated:
        return ReadAssign(stmt, bindings);
      case Syntax::kAugmented:
        return ReadAugmented(stmt, bindings);
      case Syntax::kIf:
        return ReadIf(stmt, bindings);
      case Syntax::kPass:
        return;
      case Syntax::kExpression:
        if ((*stmt)[0]->kind == Syntax::kString) return;
        break;
      default:
        break;
    }
    builder_->Fail(stmt, "a function of `relay` has bindings, `if` and `return` only");
  }

  void ReadAssign(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    RelayExpr value = ReadRelay(builder_, ValueOf(stmt));
    if ((*stmt)[0]->kind == Syntax::kTuple) return BindFields((*stmt)[0], value, bindings);
    bindings->push_back(Bind(stmt, std::move(value)));
  }

  /*! \brief `x, y = value`: the fields of a tuple, which is bound first. */
  void BindFields(const SyntaxNode* names, const RelayExpr& value,
                  ffi::Array<relay::Binding>* bindings) {
    const auto type =
        value->checked_type.has_value() ? value->checked_type.value() : ffi::Optional<ir::Type>();
    const auto* fields = type.has_value() ? type.value().as<ir::TupleTypeNode>() : nullptr;
    if (fields == nullptr || fields->fields.size() != names->size) {
      builder_->Fail(names, "expected a tuple of " + std::to_string(names->size) +
                                " values to assign to so many names");
    }
    std::string joined((*names)[0]->text);
    for (uint32_t i = 1; i < names->size; ++i) joined += "_" + std::string((*names)[i]->text);
    const relay::Var tuple = builder_->Spanned(relay::Var(ffi::String(joined), type), names);
    bindings->push_back(builder_->Spanned(relay::Binding(tuple, value), names));
    for (uint32_t i = 0; i < names->size; ++i) {
      const SyntaxNode* name = (*names)[i];
      RelayExpr field = builder_->Spanned(relay::TupleGetItem(tuple, i), name);
      const relay::Var var = BindVar(name, field->checked_type);
      bindings->push_back(builder_->Spanned(relay::Binding(var, std::move(field)), name));
    }
  }

  /*! \brief `x += y`: the name stands for the sum from here on. */
  void ReadAugmented(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    const SyntaxNode sum = {Syntax::kBinary, 2, stmt->begin, stmt->end, stmt->text, stmt->children};
    const RelayExpr value = ReadRelay(builder_, &sum);
    const relay::Var var = BindVar((*stmt)[0], value->checked_type);
    bindings->push_back(builder_->Spanned(relay::Binding(var, value), stmt));
  }

  static const SyntaxNode* ValueOf(const SyntaxNode* stmt) {
    return (*stmt)[stmt->kind == Syntax::kAnnotated ? 2 : 1];
  }

  /*! \brief Bind the target of an assignment to a value, of the type that it says or infers. */
  relay::Binding Bind(const SyntaxNode* stmt, RelayExpr value) {
    ffi::Optional<ir::Type> type = value->checked_type;
    if (stmt->kind == Syntax::kAnnotated) {
      const SyntaxNode* annotation = (*stmt)[1];
      type = annotation->kind == Syntax::kNone
                 ? ffi::Optional<ir::Type>()
                 : ffi::Optional<ir::Type>(builder_->Type(annotation));
      CheckAnnotation(annotation, type, value->checked_type);
    }
    relay::Binding binding(BindVar((*stmt)[0], std::move(type)), std::move(value));
    builder_->SetSpan(binding.get(), stmt);
    return binding;
  }

  void CheckAnnotation(const SyntaxNode* annotation, const ffi::Optional<ir::Type>& type,
                       const ffi::Optional<ir::Type>& inferred) {
    if (!type.has_value() || !inferred.has_value()) return;
    builder_->At(annotation, [&] {
      relay::CheckArgument(type.value(), inferred.value(), "the value",
                           relay::CurrentTypeContext());
      return true;
    });
  }

  /*! \brief The block of a branch, whose last statement assigns its value. */
  relay::Block ReadBranch(const SyntaxNode* suite) {
    const Builder::Scope scope(builder_);
    const SyntaxNode* last = (*suite)[suite->size - 1];
    ffi::Array<relay::Binding> bindings;
    for (uint32_t i = 0; i + 1 < suite->size; ++i) ReadStatement((*suite)[i], &bindings);
    if (last->kind == Syntax::kIf) {
      ReadIf(last, &bindings);
      const RelayExpr result = bindings.back()->var;
      return relay::Block(bindings, result);
    }
    RelayExpr result = ReadRelay(builder_, ValueOf(last));
    return relay::Block(bindings, std::move(result));
  }

  /*! \brief The assignment that ends a branch. */
  const SyntaxNode* LastAssignment(const SyntaxNode* suite) {
    const SyntaxNode* last = suite->size == 0 ? suite : (*suite)[suite->size - 1];
    if (last->kind == Syntax::kIf) return LastAssignment((*last)[1]);
    if (last->kind == Syntax::kAssign || last->kind == Syntax::kAnnotated) return last;
    builder_->Fail(last, "a branch must end with the assignment of its value");
  }

  void ReadIf(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    const SyntaxNode* other = (*stmt)[2];
    if (other == nullptr || other->kind != Syntax::kSuite) {
      builder_->Fail(stmt, "`if` must have an `else` that assigns to the same name");
    }
    const SyntaxNode* target = LastAssignment((*stmt)[1]);
    const SyntaxNode* other_target = LastAssignment(other);
    if ((*target)[0]->text != (*other_target)[0]->text) {
      builder_->Fail((*other_target)[0], "both branches must assign to the same name at their end");
    }
    const RelayExpr condition = ReadRelay(builder_, (*stmt)[0]);
    const relay::Block true_branch = ReadBranch((*stmt)[1]);
    const relay::Block false_branch = ReadBranch(other);
    RelayExpr value =
        builder_->At(stmt, [&] { return relay::If(condition, true_branch, false_branch); });
    builder_->SetSpan(value.get(), stmt);
    bindings->push_back(Bind(target, std::move(value)));
  }

  Builder* builder_;
  const SyntaxNode* node_;
  const SyntaxNode* decorator_;
  ffi::Array<relay::Var> params_;
  std::deque<SyntaxNode> names_;
};

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

ffi::Any ReadConst(Builder* builder, const SyntaxNode* call) {
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
  const ffi::Array<RelayExpr> args = ReadElements(builder, arguments.Required("args"));
  const SyntaxNode* types = arguments.Required("out_types");
  ffi::Array<ir::Type> out_types;
  if (types->kind == Syntax::kList) {
    for (uint32_t i = 0; i < types->size; ++i) out_types.push_back(builder->Type((*types)[i]));
  } else {
    out_types.push_back(builder->Type(types));
  }
  return builder->Spanned(relay::call_destination_passing(callee, args, out_types), call);
}

ffi::Any ReadRelayFunction(Builder* builder, const SyntaxNode* node, const SyntaxNode* decorator) {
  return RelayFunctionBuilder(builder, node, decorator).Build();
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterSyntax("relay.Tensor", &ReadTensor);
  RegisterSyntax("relay.const", &ReadConst);
  RegisterSyntax("relay.call_destination_passing", &ReadDestinationPassing);
  RegisterDefinition("function", &ReadRelayFunction);
}

}  // namespace

ffi::Any ReadRelayOrNumber(Builder* builder, const SyntaxNode* node) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return ReadRelayOrNumber(builder, node); });
  }
  ffi::Any value = ReadNode(builder, node);
  if (IsNumber(value)) return value;
  RelayExpr expr = AsRelay(builder, value, node);
  if (!IsReference(node)) builder->SetSpan(expr.get(), node);
  return expr;
}

ir::RelayExpr ReadRelay(Builder* builder, const SyntaxNode* node) {
  return AsRelay(builder, ReadRelayOrNumber(builder, node), node);
}

ffi::Any BuildOperatorCall(Builder* builder, const SyntaxNode* call, const ir::Op& op,
                           const ir::OperatorRow& row) {
  const CallArguments arguments(builder, call, ir::ArgumentNamesOf(row));
  std::vector<ffi::Any> operands;
  for (const ir::OperandRow& operand : row.operands) {
    const SyntaxNode* node = arguments[operand.name];
    if (node == nullptr && !operand.is_optional) arguments.Required(operand.name);
    operands.push_back(node == nullptr ? ffi::Any() : ReadOperand(builder, node, operand));
  }
  const ffi::Optional<ir::Attrs> attrs = ReadAttributes(builder, arguments, row);
  return builder->At(call, [&] {
    return builder->Spanned(MakeOperatorCall(op, row, std::move(operands), attrs), call);
  });
}

}  // namespace uir::script
