// The value of a text, by its tokens, its syntax tree and the value of its last line.
#include <tvm/ffi/error.h>
#include <uir/ir/function.h>
#include <uir/script/forms.h>
#include <uir/script/script.h>

#include <memory>
#include <string>
#include <utility>

#include "./build/builder_state.h"
#include "./syntax/lexer.h"
#include "./syntax/syntax_parser.h"

namespace uir::script {

namespace {

/*! \brief Makes the value of a whole text. */
class RootBuilder {
 public:
  RootBuilder(Builder* builder, const SyntaxNode* text) : builder_(builder), text_(text) {}

  ffi::Any Build() {
    FindMetadata();
    const SyntaxNode* definition = nullptr;
    bool is_several = false;
    for (uint32_t i = 0; i < text_->size; ++i) {
      const SyntaxNode* item = (*text_)[i];
      const bool is_definition = item->kind == Syntax::kFunction || item->kind == Syntax::kClass;
      if (!is_definition || ReadMacro(builder_, item)) continue;
      is_several = is_several || definition != nullptr;
      const bool are_functions = definition == nullptr || (item->kind == Syntax::kFunction &&
                                                           definition->kind == item->kind);
      if (!are_functions) {
        builder_->Fail(item, "a text is functions or one module",
                       "put the functions into a class below `@uir.script.ir_module`");
      }
      definition = item;
    }
    if (is_several) return BuildFunctions(builder_, text_);
    return definition != nullptr ? BuildDefinition(definition) : BuildStatements();
  }

 private:
  static bool IsMetadataDefinition(const SyntaxNode* item) {
    return item->kind == Syntax::kAssign && (*item)[0]->kind == Syntax::kName &&
           (*item)[0]->text == "metadata";
  }

  void FindMetadata() {
    for (uint32_t i = 0; i < text_->size; ++i) {
      const SyntaxNode* item = (*text_)[i];
      if (!IsMetadataDefinition(item)) continue;
      const SyntaxNode* value = (*item)[1];
      if (value->kind != Syntax::kDict) builder_->Fail(value, "expected a dictionary of lists");
      auto& lists = builder_->state().metadata.emplace();
      for (uint32_t entry = 0; entry < value->size; entry += 2) {
        lists.try_emplace((*value)[entry]->text, (*value)[entry + 1]);
      }
    }
  }

  ffi::Any BuildDefinition(const SyntaxNode* definition) {
    for (uint32_t i = 0; i < text_->size; ++i) {
      const SyntaxNode* item = (*text_)[i];
      const bool is_macro = item->kind == Syntax::kFunction && item != definition;
      if (item == definition || is_macro || IsMetadataDefinition(item)) continue;
      if (builder_->Statement(item).has_value()) {
        builder_->Fail(item, "a statement cannot stand beside a function or a module");
      }
    }
    if (definition->kind == Syntax::kClass) return BuildModule(builder_, definition);
    return BuildFunction(builder_, definition);
  }

  /*! \brief Declarations, and then statements or one expression. */
  ffi::Any BuildStatements() {
    SyntaxNode rest = *text_;
    std::vector<const SyntaxNode*> items;
    for (uint32_t i = 0; i < text_->size; ++i) {
      if (!IsMetadataDefinition((*text_)[i])) items.push_back((*text_)[i]);
    }
    if (!items.empty() && IsValue(items.back())) {
      if (ffi::Any value; BuildValue(items, &value)) return value;
    }
    rest.children = items.data();
    rest.size = static_cast<uint32_t>(items.size());
    return builder_->Body(&rest);
  }

  /*! \brief Whether a line can be a value, and not a statement only. */
  bool IsValue(const SyntaxNode* item) {
    if (item->kind != Syntax::kExpression) return false;
    const SyntaxNode* value = (*item)[0];
    if (value->kind != Syntax::kCall) return true;
    const SyntaxNode* callee = (*value)[0];
    const bool is_store = callee->kind == Syntax::kAttribute && callee->text == "vstore";
    return !is_store && FindStmtForm(builder_->Path(callee)) == nullptr;
  }

  /*! \brief The value of the last line, if all before it are declarations. */
  bool BuildValue(const std::vector<const SyntaxNode*>& items, ffi::Any* value) {
    for (size_t i = 0; i + 1 < items.size(); ++i) {
      if (items[i]->kind != Syntax::kAssign) return false;
    }
    const Builder::Scope scope(builder_);
    for (size_t i = 0; i + 1 < items.size(); ++i) {
      if (builder_->Statement(items[i]).has_value()) return false;
    }
    const SyntaxNode* last = (*items.back())[0];
    *value = builder_->At(last, [&] { return builder_->Value(last); });
    return true;
  }

  Builder* builder_;
  const SyntaxNode* text_;
};

/*! \brief The value of a text; None, and errors in the log, if it is malformed. */
ffi::Any BuildText(const SourceText& source, ErrorLog* log,
                   const ffi::Optional<ffi::Function>& resolve,
                   const ffi::Map<ffi::String, ffi::String>& aliases) {
  SyntaxArena arena;
  StatementParser parser(Tokenize(source.text(), &arena, log), &arena, log);
  const SyntaxNode* text = parser.Parse();
  auto state = std::make_unique<BuilderState>(&source, log, resolve);
  for (const auto& [name, path] : aliases) state->AddAlias(Text(name), Text(path));
  for (const auto& [name, path] : parser.imports()) state->AddAlias(name, path);
  // For a decorated function, `resolve` looks up names in the surrounding Python instead.
  if (!resolve.has_value()) state->AddUsualAliases();
  state->text = text;
  Builder builder(std::move(state));
  ffi::Any value;
  try {
    if (text->size == 0 && log->empty()) builder.Fail(text, "the text is empty");
    value = RootBuilder(&builder, text).Build();
  } catch (const Failure& failure) {
    log->Add(failure);
  }
  return value;
}

void CheckSize(const ffi::String& text) {
  if (text.size() > UINT32_MAX / 2) {
    TVM_FFI_THROW(ValueError) << "parse: `text` must be below 2 GiB, got " << text.size()
                              << " bytes";
  }
}

}  // namespace

ffi::Any parse(ffi::String text, ffi::String file, int64_t line,
               ffi::Optional<ffi::Function> resolve,
               ffi::Optional<ffi::Map<ffi::String, ffi::String>> aliases) {
  CheckSize(text);
  const SourceText source(Text(text), std::string(file), line);
  ErrorLog log(&source);
  ffi::Any value = BuildText(source, &log, resolve, aliases.value_or({}));
  log.Check();
  return value;
}

ffi::Array<ir::Diagnostic> diagnose(ffi::String text, ffi::String file, int64_t line) {
  CheckSize(text);
  const SourceText source(Text(text), std::string(file), line);
  ErrorLog log(&source);
  BuildText(source, &log, std::nullopt, {});
  return log.Diagnostics();
}

void register_syntax(ffi::String name, ffi::Function parser) {
  RegisterSyntax(std::string(name), [parser](Builder* builder, const SyntaxNode* call) {
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
    ffi::Any value = parser(positional, named);
    return value;
  });
}

}  // namespace uir::script
