// `*values` among arguments, elements, indices and the names of a loop.
#include <string>
#include <utility>
#include <vector>

#include "./builder_state.h"

namespace uir::script {

namespace {

/*! \brief The most characters that one text may expand to. */
constexpr size_t kMaxExpanded = size_t{1} << 24;
/*! \brief The cost of a value, whose node takes the memory of about this many characters. */
constexpr size_t kCharactersOfValue = 16;

bool IsStarred(const SyntaxNode* node) { return node != nullptr && node->kind == Syntax::kStarred; }

bool HasStarred(const SyntaxNode* node) {
  for (uint32_t i = 0; i < node->size; ++i) {
    if (IsStarred((*node)[i])) return true;
  }
  return false;
}

const SyntaxNode* NewName(Builder* builder, const SyntaxNode* place, std::string name) {
  SpreadNodes& spread = builder->state().spread;
  spread.names.push_back(std::move(name));
  spread.nodes.push_back(
      {Syntax::kName, 0, place->begin, place->end, spread.names.back(), nullptr});
  return &spread.nodes.back();
}

}  // namespace

void CountExpanded(Builder* builder, const SyntaxNode* place, size_t n_characters) {
  size_t& n_expanded = builder->state().n_expanded;
  if (n_characters > kMaxExpanded - n_expanded) {
    builder->Fail(place, "macros, `*values` and formatted strings expand to more than " +
                             std::to_string(kMaxExpanded) + " characters");
  }
  n_expanded += n_characters;
}

const SyntaxNode* KnownNode(Builder* builder, const SyntaxNode* place, ffi::Any value) {
  SpreadNodes& spread = builder->state().spread;
  spread.nodes.push_back({Syntax::kKnown, 0, place->begin, place->end, {}, nullptr});
  spread.values.emplace(&spread.nodes.back(), std::move(value));
  return &spread.nodes.back();
}

const SyntaxNode* Spread(Builder* builder, const SyntaxNode* node) {
  if (!HasStarred(node)) return node;
  std::vector<const SyntaxNode*> children;
  for (uint32_t i = 0; i < node->size; ++i) {
    const SyntaxNode* child = (*node)[i];
    if (!IsStarred(child)) {
      children.push_back(child);
      continue;
    }
    const auto values = builder->Value((*child)[0]).as<ffi::Array<ffi::Any>>();
    if (!values) builder->Fail(child, "expected a list or a tuple after `*`");
    CountExpanded(builder, child, values->size() * kCharactersOfValue);
    for (const ffi::Any& value : *values) children.push_back(KnownNode(builder, child, value));
  }
  SpreadNodes& spread = builder->state().spread;
  spread.children.push_back(std::move(children));
  spread.nodes.push_back(*node);
  SyntaxNode& whole = spread.nodes.back();
  whole.size = static_cast<uint32_t>(spread.children.back().size());
  whole.children = spread.children.back().data();
  return &whole;
}

std::vector<const SyntaxNode*> LoopNames(Builder* builder, const SyntaxNode* target, size_t count) {
  std::vector<const SyntaxNode*> names;
  const bool is_tuple = target->kind == Syntax::kTuple;
  const uint32_t n_targets = is_tuple ? target->size : 1;
  for (uint32_t i = 0; i < n_targets; ++i) {
    const SyntaxNode* name = is_tuple ? (*target)[i] : target;
    const bool is_several = IsStarred(name) || (!is_tuple && count > 1);
    if (!is_several) {
      names.push_back(name);
      continue;
    }
    const SyntaxNode* stem = IsStarred(name) ? (*name)[0] : name;
    const size_t others = n_targets - 1;
    for (size_t k = 0; k + others < count; ++k) {
      names.push_back(NewName(builder, stem, std::string(stem->text) + "_" + std::to_string(k)));
    }
  }
  return names;
}

void DefineLoopNames(Builder* builder, const SyntaxNode* target,
                     const std::vector<const SyntaxNode*>& names) {
  const bool is_tuple = target->kind == Syntax::kTuple;
  const uint32_t n_targets = is_tuple ? target->size : 1;
  for (uint32_t i = 0; i < n_targets; ++i) {
    const SyntaxNode* name = is_tuple ? (*target)[i] : target;
    if (!IsStarred(name) && (is_tuple || names.size() == 1)) continue;
    const SyntaxNode* stem = IsStarred(name) ? (*name)[0] : name;
    ffi::Array<ffi::Any> vars;
    for (size_t k = i; k + (n_targets - 1 - i) < names.size(); ++k) {
      vars.push_back(builder->Value(names[k]));
    }
    builder->Define(stem, vars);
  }
}

}  // namespace uir::script
