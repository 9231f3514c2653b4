// Calls of macros: the statements of a function of the text, with the values of its parameters.
#include <optional>
#include <string>
#include <string_view>
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

/*! \brief The values of a macro's parameters, by their places. */
class MacroArguments {
 public:
  MacroArguments(Builder* builder, const SyntaxNode* macro, const SyntaxNode* call)
      : builder_(builder), macro_(macro), values_(macro->size) {
    call = Spread(builder, call);
    size_t next = kFirst;
    for (uint32_t i = 1; i < call->size; ++i) {
      const SyntaxNode* argument = (*call)[i];
      if (argument->kind == Syntax::kKeyword) {
        TakeNamed(argument);
      } else if (next < macro->size && !IsMarked(next)) {
        values_[next++] = builder->Value(argument);
      } else {
        if (next == macro->size || MarkOf(next) == "**" || (*macro)[next]->text.empty()) {
          builder->Fail(argument, "too many arguments for the macro");
        }
        rest_.push_back(builder->Value(argument));
      }
    }
    for (size_t i = kFirst; i < macro->size; ++i) Complete(i, call);
  }

  /*! \brief Define the parameters as the values in the open scope. */
  void Define(const SyntaxNode* call) {
    for (size_t i = kFirst; i < macro_->size; ++i) {
      const std::string_view text = (*macro_)[i]->text;
      if (text.empty()) continue;
      const SyntaxNode name{Syntax::kName, 0, call->begin, call->end, text, nullptr};
      builder_->Define(&name, *values_[i]);
    }
  }

 private:
  /*! \brief The first of the function's children that is a parameter. */
  static constexpr size_t kFirst = 3;

  bool IsMarked(size_t i) const { return (*(*macro_)[i])[2] != nullptr; }
  std::string_view MarkOf(size_t i) const {
    return IsMarked(i) ? (*(*macro_)[i])[2]->text : std::string_view();
  }

  void TakeNamed(const SyntaxNode* argument) {
    bool takes_others = false;
    for (size_t i = kFirst; i < macro_->size; ++i) {
      takes_others = takes_others || MarkOf(i) == "**";
      if (IsMarked(i) || (*macro_)[i]->text != argument->text) continue;
      if (values_[i].has_value()) {
        builder_->Fail(argument, "argument `" + std::string(argument->text) + "` is given twice");
      }
      values_[i] = builder_->Value((*argument)[0]);
      return;
    }
    if (!takes_others) {
      builder_->Fail(argument, "unknown argument `" + std::string(argument->text) + "`");
    }
    named_.Set(ffi::String(std::string(argument->text)), builder_->Value((*argument)[0]));
  }

  void Complete(size_t i, const SyntaxNode* call) {
    const SyntaxNode* param = (*macro_)[i];
    if (IsMarked(i)) {
      values_[i] = MarkOf(i) == "*" ? ffi::Any(rest_) : ffi::Any(named_);
    } else if (!values_[i].has_value() && (*param)[1] != nullptr) {
      values_[i] = builder_->Value((*param)[1]);
    } else if (!values_[i].has_value()) {
      builder_->Fail(call, "missing argument `" + std::string(param->text) + "`");
    }
  }

  Builder* builder_;
  const SyntaxNode* macro_;
  std::vector<std::optional<ffi::Any>> values_;
  ffi::Array<ffi::Any> rest_;
  ffi::Map<ffi::Any, ffi::Any> named_;
};

}  // namespace

std::optional<tir::Stmt> ExpandMacro(Builder* builder, const SyntaxNode* call) {
  const SyntaxNode* callee = (*call)[0];
  BuilderState& state = builder->state();
  const auto found =
      callee->kind == Syntax::kName ? state.macros.find(callee->text) : state.macros.end();
  if (found == state.macros.end()) return std::nullopt;
  const SyntaxNode* macro = found->second;
  CountExpanded(builder, call, (*macro)[1]->end - macro->begin);
  const Expansion expansion(builder, call);
  MacroArguments arguments(builder, macro, call);
  const Builder::Scope scope(builder);
  arguments.Define(call);
  return builder->Body((*macro)[1]);
}

}  // namespace uir::script
