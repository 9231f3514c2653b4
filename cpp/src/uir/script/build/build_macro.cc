// Calls of macros: the statements of a function of the text, with the values of its parameters.
#include <string>
#include <vector>

#include "./builder_state.h"

namespace uir::script {

namespace {

/*! \brief As many calls of macros may be open, so that one that calls itself ends. */
constexpr int kMaxDepth = 64;

/*! \brief Counts the open calls. */
class Expansion {
 public:
  Expansion(Builder* builder, const SyntaxNode* call) : depth_(&builder->state().macro_depth) {
    if (*depth_ == kMaxDepth) builder->Fail(call, "the macro calls itself without end");
    ++*depth_;
  }
  ~Expansion() { --*depth_; }
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

 private:
  int* depth_;
};

}  // namespace

std::optional<tir::Stmt> ExpandMacro(Builder* builder, const SyntaxNode* call) {
  const SyntaxNode* callee = (*call)[0];
  const auto& macros = builder->state().macros;
  const auto found = callee->kind == Syntax::kName ? macros.find(callee->text) : macros.end();
  if (found == macros.end()) return std::nullopt;
  const SyntaxNode* macro = found->second;
  const Expansion expansion(builder, call);
  // The function's children behind the first three are its parameters.
  std::vector<std::string_view> names;
  for (uint32_t i = 3; i < macro->size; ++i) names.push_back((*macro)[i]->text);
  const CallArguments arguments(builder, Spread(builder, call), names);
  std::vector<ffi::Any> values;
  for (const std::string_view name : names)
    values.push_back(builder->Value(arguments.Required(name)));
  const Builder::Scope scope(builder);
  for (size_t i = 0; i < names.size(); ++i) {
    const SyntaxNode name{Syntax::kName, 0, call->begin, call->end, names[i], nullptr};
    builder->Define(&name, values[i]);
  }
  return builder->Body((*macro)[1]);
}

}  // namespace uir::script
