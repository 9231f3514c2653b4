// Names, scopes, mistakes and places of a builder.
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/relay/block.h>
#include <uir/script/forms.h>

#include <algorithm>
#include <utility>

#include "../print/type_fields.h"
#include "./builder_state.h"

namespace uir::script {

Builder::Builder(std::unique_ptr<BuilderState> state) : state_(std::move(state)) {}

Builder::~Builder() = default;

Builder::Scope::Scope(Builder* builder) : builder_(builder), mark_(builder->state_->undo.size()) {}

Builder::Scope::~Scope() {
  BuilderState& state = *builder_->state_;
  while (state.undo.size() > mark_) {
    auto& [name, meaning] = state.undo.back();
    state.names[name] = std::move(meaning);
    state.undo.pop_back();
  }
}

// Names.

namespace {

/*! \brief The equivalents of modules of TVM; a longer name comes before its prefixes. */
constexpr std::pair<std::string_view, std::string_view> kModulesOfTvm[] = {
    {"tvm.script.parser.ir", "script"},
    {"tvm.script.parser.tir", "tir"},
    {"tvm.script.parser.tirx", "tir"},
    {"tvm.script.parser.s_tir", "tir"},
    {"tvm.script.tirx", "tir"},
    {"tvm.script.s_tir", "tir"},
    {"tvm.script.tir", "tir"},
    {"tvm.script.ir", "script"},
    {"tvm.script.relax", "relay"},
    {"tvm.script", "script"},
    {"tvm.s_tir", "tir"},
    {"tvm.tirx", "tir"},
    {"tvm.tir", "tir"},
    {"tvm.ir", "ir"},
};

/*! \brief A dotted name without modules of TVM: `tvm.script.tir.For` is `tir.For`. */
std::string WithoutTvm(std::string path) {
  if (path.compare(0, 4, "tvm.") != 0) return path;
  for (const auto& [module, ours] : kModulesOfTvm) {
    const bool is_module = path.compare(0, module.size(), module) == 0 &&
                           (path.size() == module.size() || path[module.size()] == '.');
    if (is_module) return path.replace(0, module.size(), ours);
  }
  return path;
}

/*! \brief `uir.tir.For` and `uir.script.tir.For` are `tir.For`. */
std::string_view WithoutPackage(std::string_view path) {
  if (path.substr(0, 4) != "uir.") return path;
  path.remove_prefix(4);
  for (const std::string_view dialect : {"script.ir", "script.relay", "script.tir"}) {
    const bool is_dialect = path.substr(0, dialect.size()) == dialect;
    if (is_dialect && (path.size() == dialect.size() || path[dialect.size()] == '.')) {
      return path.substr(std::string_view("script.").size());
    }
  }
  return path;
}

void SetMeaning(BuilderState* state, std::string_view name, Meaning meaning) {
  if (const auto buffer = meaning.value.as<tir::Buffer>()) {
    state->buffers.Set((*buffer)->data, *buffer);
  }
  Meaning& place = state->names[name];
  state->undo.emplace_back(name, std::move(place));
  place = std::move(meaning);
}

}  // namespace

void BuilderState::AddAlias(std::string_view name, std::string_view path) {
  if (name != WithoutPackage(path)) aliases.insert_or_assign(std::string(name), std::string(path));
}

std::string BuilderState::WithoutAliases(std::string path) const {
  if (!aliases.empty()) {
    const size_t dot = path.find('.');
    const auto whole = aliases.find(path);
    const auto root = whole != aliases.end() ? whole : aliases.find(path.substr(0, dot));
    if (root != aliases.end()) path.replace(0, root->first.size(), root->second);
  }
  return WithoutTvm(std::string(WithoutPackage(path)));
}

void BuilderState::AddUsualAliases() {
  static constexpr std::pair<const char*, const char*> kUsual[] = {{"T", "uir.tir"},
                                                                   {"I", "uir.script"},
                                                                   {"R", "uir.relay"},
                                                                   {"tirx", "uir.tir"},
                                                                   {"Ts", "uir.tir"}};
  for (const auto& [name, path] : kUsual) aliases.emplace(name, path);
}

void BuilderState::ShowAlias(const SyntaxNode* node, std::string* message) const {
  while (node->kind == Syntax::kAttribute) node = (*node)[0];
  const auto alias = aliases.find(std::string(node->text));
  if (alias == aliases.end()) return;
  const std::string target = "`" + std::string(WithoutPackage(alias->second));
  for (size_t at = message->find(target); at != message->npos; at = message->find(target, at + 1)) {
    const size_t end = at + target.size();
    if ((*message)[end] == '.' || (*message)[end] == '`') {
      message->replace(at + 1, target.size() - 1, alias->first);
    }
  }
}

void Builder::Define(const SyntaxNode* name, ffi::Any value) {
  if (name->kind != Syntax::kName) Fail(name, "expected a name to bind");
  SetMeaning(state_.get(), name->text, {std::move(value), false, false, false});
}

void Builder::Declare(const SyntaxNode* name, ffi::Any value) {
  if (name->kind != Syntax::kName) Fail(name, "expected a name to bind");
  SetMeaning(state_.get(), name->text, {std::move(value), true, false, false});
}

void Builder::Poison(const SyntaxNode* target) {
  if (target == nullptr || target->kind != Syntax::kName) return;
  SetMeaning(state_.get(), target->text, {nullptr, false, true, false});
}

ffi::Any Builder::Declared(std::string_view name) {
  const Meaning* known = state_->Find(name);
  return known != nullptr && known->is_declared ? known->value : ffi::Any();
}

tir::Var Builder::BindVar(const SyntaxNode* name, DLDataType dtype) {
  if (name->kind != Syntax::kName) Fail(name, "expected a name to bind");
  if (const std::optional<tir::Var> declared = Declared(name->text).as<tir::Var>()) {
    return *declared;
  }
  const tir::Var var = Spanned(tir::Var(ffi::String(std::string(name->text)), dtype), name);
  Define(name, var);
  return var;
}

// Mistakes and places.

void Builder::Fail(const SyntaxNode* node, std::string message, std::string help) {
  throw Failure{node->begin, node->end, std::move(message), std::move(help)};
}

void Builder::FailUnknown(const SyntaxNode* node, std::string_view path) {
  const size_t dot = path.rfind('.');
  std::vector<std::string> candidates;
  if (dot == path.npos) {
    for (const auto& [name, meaning] : state_->names) {
      if (!meaning.is_empty) candidates.emplace_back(name);
    }
    candidates.insert(candidates.end(), {"tir", "relay", "ir", "range"});
  }
  ListSyntax(&candidates);
  ListStmtForms(&candidates);
  for (const ffi::String& name : ir::list_op_names()) candidates.emplace_back(name);
  for (const char* dtype : {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                            "uint64", "float16", "float32", "float64", "bool", "handle"}) {
    candidates.push_back(std::string("tir.") + dtype);
  }
  ListTypes(&candidates);
  ListDeclaredForms(&candidates);
  std::sort(candidates.begin(), candidates.end());
  std::string message = "unknown name `" + std::string(path.substr(dot + 1)) + "`";
  std::string help = Suggestion(path, candidates);
  if (dot != path.npos) message += " of `" + std::string(path.substr(0, dot)) + "`";
  state_->ShowAlias(node, &message);
  state_->ShowAlias(node, &help);
  Fail(node, std::move(message), std::move(help));
}

void Builder::SetSpan(const ffi::Object* object, const SyntaxNode* node) {
  const Place begin = state_->source->PlaceOf(node->begin);
  const Place end = state_->source->PlaceOf(node->end);
  ffi::Optional<ir::Span>* slot = nullptr;
  // The nodes are new: there is no other reference to them.
  auto* writable = const_cast<ffi::Object*>(object);
  if (object->IsInstance<ir::BaseExprNode>()) {
    slot = &static_cast<ir::BaseExprNode*>(writable)->span;
  } else if (object->IsInstance<tir::StmtNode>()) {
    slot = &static_cast<tir::StmtNode*>(writable)->span;
  } else if (object->IsInstance<tir::BufferNode>()) {
    slot = &static_cast<tir::BufferNode*>(writable)->span;
  }
  if (object->IsInstance<relay::BindingNode>()) {
    slot = &static_cast<relay::BindingNode*>(writable)->span;
  }
  if (slot == nullptr) return;
  *slot = ir::Span(state_->source_name, begin.line, begin.column, end.line, end.column);
}

// Arguments.

namespace {

/*! \brief Whether a name is one of the names of an argument: `begin|start` has two. */
bool IsOneOf(std::string_view names, std::string_view name) {
  while (true) {
    const size_t bar = names.find('|');
    if (names.substr(0, bar) == name) return true;
    if (bar == names.npos) return false;
    names.remove_prefix(bar + 1);
  }
}

size_t FindNamed(const std::vector<std::string_view>& arguments, std::string_view name) {
  return std::find_if(arguments.begin(), arguments.end(),
                      [&](std::string_view names) { return IsOneOf(names, name); }) -
         arguments.begin();
}

std::string FirstOf(std::string_view names) {
  return std::string(names.substr(0, names.find('|')));
}

/*! \brief `span=None`, which the functions of TVM take. */
bool IsEmptySpan(const SyntaxNode* argument) {
  return argument->kind == Syntax::kKeyword && argument->text == "span" &&
         (*argument)[0]->kind == Syntax::kNone;
}

}  // namespace

CallArguments::CallArguments(Builder* builder, const SyntaxNode* call,
                             std::vector<std::string_view> names)
    : builder_(builder), call_(call), names_(std::move(names)), values_(names_.size()) {
  size_t position = 0;
  for (size_t i = 1; i < call->size; ++i) {
    const SyntaxNode* argument = (*call)[i];
    size_t place = position++;
    if (IsEmptySpan(argument)) continue;
    if (argument->kind == Syntax::kKeyword) {
      place = FindNamed(names_, argument->text);
      if (place == names_.size()) {
        std::vector<std::string> known;
        for (const std::string_view names : names_) known.push_back(FirstOf(names));
        builder->Fail(argument, "unknown argument `" + std::string(argument->text) + "`",
                      Suggestion(argument->text, known));
      }
    }
    if (place >= names_.size()) {
      builder->Fail(argument, "too many arguments, at most " + std::to_string(names_.size()) +
                                  " are expected");
    }
    if (values_[place] != nullptr) {
      builder->Fail(argument, "argument `" + FirstOf(names_[place]) + "` is given twice");
    }
    values_[place] = argument->kind == Syntax::kKeyword ? (*argument)[0] : argument;
  }
}

const SyntaxNode* CallArguments::operator[](std::string_view name) const {
  const size_t place = FindNamed(names_, name);
  return place == names_.size() ? nullptr : values_[place];
}

const SyntaxNode* CallArguments::Required(std::string_view name) const {
  const SyntaxNode* value = (*this)[name];
  if (value == nullptr) builder_->Fail(call_, "missing argument `" + std::string(name) + "`");
  return value;
}

}  // namespace uir::script
