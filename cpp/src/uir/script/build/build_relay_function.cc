// Functions of relay: parameters, bindings, branches.
#include <uir/ir/symbol.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/function.h>
#include <uir/relay/infer.h>
#include <uir/script/forms.h>

#include <deque>
#include <string>
#include <utility>

#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::RelayExpr;

/*! \brief `relay.func_attr({...})` as the first statement. */
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

/*! \brief Reads one function. */
class RelayFunctionBuilder {
 public:
  RelayFunctionBuilder(Builder* builder, const SyntaxNode* node, const SyntaxNode* decorator)
      : builder_(builder), node_(node), decorator_(decorator) {}

  ir::BaseFunc Build() {
    const Builder::Scope scope(builder_);
    ffi::Map<ffi::String, ffi::Any> attrs;
    if (!IsPrivate(builder_, decorator_)) {
      attrs.Set(ir::kGlobalSymbol, FunctionName(builder_, node_));
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

  /*! \brief The bindings and the returned value; nothing without a `return`. */
  ffi::Optional<relay::Block> ReadBody(const SyntaxNode* suite, size_t first) {
    ffi::Array<relay::Binding> bindings;
    ffi::Optional<RelayExpr> result;
    for (size_t i = first; i < suite->size && !builder_->state().log->is_full(); ++i) {
      const SyntaxNode* stmt = (*suite)[i];
      try {
        if (result.has_value()) builder_->Fail(stmt, "nothing may follow `return`");
        if (stmt->kind == Syntax::kReturn) {
          if ((*stmt)[0] == nullptr) builder_->Fail(stmt, "expected a value after `return`");
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
    if (stmt->kind != Syntax::kIf && stmt->kind != Syntax::kFor) return;
    const SyntaxNode* suite = (*stmt)[stmt->kind == Syntax::kIf ? 1 : 2];
    if (suite->size > 0) PoisonTarget((*suite)[suite->size - 1]);
  }

  void ReadStatement(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    switch (stmt->kind) {
      case Syntax::kAssign:
      case Syntax::kAnnotated:
        if (ValueOf(stmt) == nullptr) builder_->Fail(stmt, "expected `=` and a value");
        return ReadAssign(stmt, bindings);
      case Syntax::kAugmented:
        return ReadAugmented(stmt, bindings);
      case Syntax::kIf:
        return ReadIf(stmt, bindings);
      case Syntax::kFor:
        return ReadLoop(stmt, bindings);
      case Syntax::kPass:
        return;
      case Syntax::kExpression:
        if ((*stmt)[0]->kind == Syntax::kString) return;
        break;
      default:
        break;
    }
    builder_->Fail(stmt, "a function of `relay` has bindings, `if`, `for` and `return` only");
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

  /*! \brief `x += y`: binds the name to the sum from here on. */
  void ReadAugmented(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    const SyntaxNode sum = {Syntax::kBinary, 2, stmt->begin, stmt->end, stmt->text, stmt->children};
    const RelayExpr value = ReadRelay(builder_, &sum);
    const relay::Var var = BindVar((*stmt)[0], value->checked_type);
    bindings->push_back(builder_->Spanned(relay::Binding(var, value), stmt));
  }

  static const SyntaxNode* ValueOf(const SyntaxNode* stmt) {
    return (*stmt)[stmt->kind == Syntax::kAnnotated ? 2 : 1];
  }

  /*! \brief Bind the target of an assignment to a value, of the annotated or inferred type. */
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
    if (last->kind == Syntax::kIf || last->kind == Syntax::kFor) {
      ReadStatement(last, &bindings);
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
    if (last->kind == Syntax::kFor) return LastAssignment((*last)[2]);
    if (last->kind == Syntax::kAssign || last->kind == Syntax::kAnnotated) return last;
    builder_->Fail(last, "a branch or a loop must end with the assignment of its value");
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

  /*! \brief `for s, i in relay.loop(condition, [x, y]):` and a body that assigns a tuple. */
  void ReadLoop(const SyntaxNode* stmt, ffi::Array<relay::Binding>* bindings) {
    const SyntaxNode* call = (*stmt)[1];
    if (call->kind != Syntax::kCall || builder_->Path((*call)[0]) != "relay.loop") {
      builder_->Fail(call, "a loop of `relay` is `for x, y in relay.loop(condition, [a, b]):`");
    }
    const CallArguments arguments(builder_, call, {"condition", "initial"});
    const RelayExpr condition = ReadRelay(builder_, arguments.Required("condition"));
    const SyntaxNode* list = arguments.Required("initial");
    if (list->kind != Syntax::kList) builder_->Fail(list, "expected a list of initial values");
    ffi::Array<RelayExpr> initial;
    for (uint32_t i = 0; i < list->size; ++i) initial.push_back(ReadRelay(builder_, (*list)[i]));
    const SyntaxNode* target = LastAssignment((*stmt)[2]);
    RelayExpr value = ReadSteps(stmt, condition, initial);
    builder_->SetSpan(value.get(), stmt);
    bindings->push_back(Bind(target, std::move(value)));
  }

  RelayExpr ReadSteps(const SyntaxNode* stmt, const RelayExpr& condition,
                      const ffi::Array<RelayExpr>& initial) {
    const Builder::Scope scope(builder_);
    const SyntaxNode* names = (*stmt)[0];
    const bool is_one = names->kind == Syntax::kName;
    const size_t count = is_one ? 1 : names->size;
    if (count != initial.size()) {
      builder_->Fail(names, "expected a name for each of " + std::to_string(initial.size()) +
                                " initial values");
    }
    ffi::Array<relay::Var> params;
    for (size_t i = 0; i < count; ++i) {
      const SyntaxNode* name = is_one ? names : (*names)[static_cast<uint32_t>(i)];
      params.push_back(BindVar(name, initial[static_cast<int64_t>(i)]->checked_type));
    }
    const relay::Block body = ReadBranch((*stmt)[2]);
    return builder_->At(stmt, [&] { return relay::While(params, condition, initial, body); });
  }

  Builder* builder_;
  const SyntaxNode* node_;
  const SyntaxNode* decorator_;
  ffi::Array<relay::Var> params_;
  std::deque<SyntaxNode> names_;
};

ffi::Any ReadRelayFunction(Builder* builder, const SyntaxNode* node, const SyntaxNode* decorator) {
  return RelayFunctionBuilder(builder, node, decorator).Build();
}

TVM_FFI_STATIC_INIT_BLOCK() { RegisterDefinition("function", &ReadRelayFunction); }

}  // namespace

}  // namespace uir::script
