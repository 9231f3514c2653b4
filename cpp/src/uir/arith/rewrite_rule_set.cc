// The index of rewrite rules: the candidates for a node.
#include "./rewrite_rule.h"

namespace uir::arith {

const RuleBook& RuleBook::Global() {
  // Never destroyed: analyzers may be used while static objects are.
  static const RuleBook* const book = new RuleBook();
  return *book;
}

RuleBook::RuleBook() {
  for (const auto& list : {ArithmeticRules(), ComparisonRules(), LogicRules(), VectorRules()}) {
    for (const RuleText& text : list) AddText(text);
  }
}

void RuleBook::AddText(const RuleText& text) {
  const PatternNode* result = CompilePattern(text.result);
  const PatternNode* condition = *text.condition == '\0' ? nullptr : CompilePattern(text.condition);
  const int index = static_cast<int>(texts_.size());
  texts_.push_back(text);
  for (const PatternNode* pattern : Exchanged(CompilePattern(text.pattern))) {
    const PatternNode* second = pattern->children[1];
    AddRule({text.domain, pattern, result, condition, index,
             second == nullptr ? Case::kNone : second->op});
  }
}

void RuleBook::AddRule(const Rule& rule) {
  const Rule* kept = new Rule(rule);
  const PatternNode* first = rule.pattern->children[0];
  auto& by_first = rules_[static_cast<int>(rule.pattern->op)];
  if (first->kind == PatternNode::Kind::kOp) {
    by_first[static_cast<int>(first->op)].push_back(kept);
    // A sum with a constant may be written as a difference.
    if (first->op == Case::kAdd) by_first[static_cast<int>(Case::kSub)].push_back(kept);
    return;
  }
  const bool is_constant =
      first->kind == PatternNode::Kind::kConst || first->kind == PatternNode::Kind::kLiteral;
  for (int i = 0; i < kNumCases; ++i) {
    const auto first_case = static_cast<Case>(i);
    const bool can_match = !is_constant || first_case == Case::kIntImm ||
                           first_case == Case::kFloatImm || first_case == Case::kBroadcast;
    if (can_match) by_first[i].push_back(kept);
  }
}

}  // namespace uir::arith
