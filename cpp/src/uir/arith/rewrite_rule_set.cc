// The index of rewrite rules: the candidates for a node.
#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>

#include "./const_fold.h"
#include "./rewrite_rule.h"

namespace uir::arith {

namespace {

/*!
 * \brief Find the variables of a pattern whose values fit their type, as those of sums need not.
 * \param node A part of the pattern.
 * \param fits Whether its value fits.
 * \param[out] fitting A bit for each variable that fits.
 * \param[out] all A bit for each variable.
 */
void FindFitting(const PatternNode* node, bool fits, uint8_t* fitting, uint8_t* all) {
  if (node->kind == PatternNode::Kind::kExpr) {
    const auto bit = static_cast<uint8_t>(1 << node->slot);
    *all |= bit;
    if (fits) *fitting |= bit;
  }
  for (int i = 0; i < node->num_children; ++i) {
    // The first lane of a vector is its base; the others are sums.
    const bool is_first = i == 0 && (node->op == Case::kRamp || node->op == Case::kBroadcast);
    const bool is_sum = IsRing(node->op) || node->op == Case::kRamp;
    FindFitting(node->children[i], is_first ? fits : !is_sum, fitting, all);
  }
}

/*! \brief Whether a part of a pattern contains a variable. */
bool Contains(const PatternNode* node, const PatternNode* variable) {
  if (node->kind == PatternNode::Kind::kExpr) return node->slot == variable->slot;
  const auto contains = [&](const PatternNode* child) { return Contains(child, variable); };
  return std::any_of(node->children, node->children + node->num_children, contains);
}

bool IsNumberLeaf(const PatternNode* node) {
  return node->kind == PatternNode::Kind::kConst || node->kind == PatternNode::Kind::kLiteral;
}

constexpr uint64_t kAnyCase = ~uint64_t{0};

uint64_t Bit(Case op) { return uint64_t{1} << static_cast<int>(op); }

/*! \brief The operations that a match of a pattern may have, a bit for each. */
uint64_t CasesOf(const PatternNode* pattern) {
  static_assert(kNumPrimExprCases <= 64, "a bit for each operation");
  if (pattern == nullptr) return kAnyCase;
  // A sum with a constant may be written as a difference.
  if (pattern->op == Case::kAdd) return Bit(Case::kAdd) | Bit(Case::kSub);
  if (pattern->op != Case::kNone) return Bit(pattern->op);
  if (!IsNumberLeaf(pattern)) return kAnyCase;
  return Bit(Case::kIntImm) | Bit(Case::kFloatImm) | Bit(Case::kBroadcast);
}

/*! \brief The operations that the second operand of a match may have. */
uint64_t SecondsOf(const PatternNode* pattern) {
  const PatternNode* second = pattern->children[1];
  // Division of sums by constants does not use rules that contain the divisor twice.
  const bool is_twice = second != nullptr && second->kind == PatternNode::Kind::kExpr &&
                        IsDivision(pattern->op) && IsRing(pattern->children[0]->op) &&
                        Contains(pattern->children[0], second);
  return is_twice ? ~Bit(Case::kIntImm) : CasesOf(second);
}

/*! \brief Find the pairs of places with the same variable. */
void FindSame(const PatternNode* pattern, RuleShape* shape) {
  const PatternNode* places[RuleShape::kNumPlaces] = {pattern->children[0], pattern->children[1]};
  for (int i = 0; i < 2; ++i) {
    if (places[i] == nullptr || !IsBinary(places[i]->op)) continue;
    places[2 + i * 2] = places[i]->children[0];
    places[3 + i * 2] = places[i]->children[1];
  }
  const auto is_variable = [](const PatternNode* node) {
    return node != nullptr &&
           (node->kind == PatternNode::Kind::kExpr || node->kind == PatternNode::Kind::kBool);
  };
  size_t num_found = 0;
  for (uint8_t b = 1; b < RuleShape::kNumPlaces; ++b) {
    for (uint8_t a = 0; a < b && num_found < std::size(shape->same); ++a) {
      if (!is_variable(places[a]) || !is_variable(places[b])) continue;
      if (places[a]->slot == places[b]->slot) shape->same[num_found++] = {a, b};
    }
  }
}

RuleShape ShapeOfPattern(const PatternNode* pattern) {
  const PatternNode* first = pattern->children[0];
  const PatternNode* second = pattern->children[1];
  RuleShape shape = {SecondsOf(pattern), {}, std::nullopt, {}, false};
  for (int i = 0; i < 2; ++i) {
    const PatternNode* operand = pattern->children[i];
    const bool is_binary = operand != nullptr && IsBinary(operand->op);
    for (int k = 0; k < 2; ++k) {
      shape.inner[i * 2 + k] = is_binary ? CasesOf(operand->children[k]) : kAnyCase;
    }
  }
  if (second != nullptr && second->kind == PatternNode::Kind::kLiteral) {
    shape.literal = second->value;
  }
  FindSame(pattern, &shape);
  shape.has_type =
      first->kind == PatternNode::Kind::kExpr || IsNumberLeaf(first) || IsArithmetic(first->op);
  return shape;
}

using RulesOfOperands = std::atomic<const RuleBlock*>;

constexpr int kNumCases = kNumPrimExprCases;
constexpr int kNumTypes = static_cast<int>(ValueType::kOther) + 1;

/*!
 * \brief The rules for an operation, those of its operands, and a type; null until they are asked
 * for.
 */
RulesOfOperands rules_of_operands[kNumCases][kNumCases][kNumCases][kNumTypes];

/*! \brief Whether the expressions of a rule can be of a type, as `IsInDomain` has it. */
bool MayBeOf(Domain domain, ValueType type) {
  switch (domain) {
    case Domain::kAny:
      return type == ValueType::kIndex || type == ValueType::kInteger;
    case Domain::kIndex:
      return type == ValueType::kIndex;
    case Domain::kFloat:
      return type == ValueType::kFloat;
    default:
      return domain == Domain::kValue;
  }
}

/*! \brief Put a rule into a block that has room. */
void AddToBlock(const RewriteRule* rule, RuleBlock* block) {
  const uint64_t bit = uint64_t{1} << block->num_rules;
  block->rules[block->num_rules++] = rule;
  for (size_t place = 0; place < std::size(block->accepting); ++place) {
    for (int op = 0; op < kNumCases; ++op) {
      if ((rule->shape.inner[place] >> op & 1) != 0) block->accepting[place][op] |= bit;
    }
  }
}

}  // namespace

const RewriteRuleSet& RewriteRuleSet::Global() {
  // Never destroyed: analyzers may be used while static objects are.
  static const RewriteRuleSet* const book = new RewriteRuleSet();
  return *book;
}

RewriteRuleSet::RewriteRuleSet() {
  const auto add = [this](const char* file, const std::vector<RuleText>& list) {
    files_.emplace_back(file, static_cast<int>(texts_.size()));
    for (const RuleText& text : list) AddText(text);
  };
  add("rules/arithmetic.cc", ArithmeticRules());
  add("rules/comparison.cc", ComparisonRules());
  add("rules/logic.cc", LogicRules());
  add("rules/vector.cc", VectorRules());
}

std::string RewriteRuleSet::SourceOf(int index) const {
  auto file = files_.end() - 1;
  while (file->second > index) --file;
  return std::string(file->first) + ", row " + std::to_string(index - file->second + 1);
}

void RewriteRuleSet::AddText(const RuleText& text) {
  const PatternNode* result = CompilePattern(text.result);
  const PatternNode* condition = *text.condition == '\0' ? nullptr : CompilePattern(text.condition);
  const int index = static_cast<int>(texts_.size());
  texts_.push_back(text);
  const PatternNode* written = CompilePattern(text.pattern);
  uint8_t fitting = 0;
  uint8_t all = 0;
  FindFitting(written, true, &fitting, &all);
  const auto in_sums = static_cast<uint8_t>(all & ~fitting);
  // The minimum of floating-point numbers is not commutative.
  const bool exchanges = text.domain != Domain::kFloat && text.domain != Domain::kValue;
  for (const PatternNode* pattern :
       exchanges ? Exchanged(written) : std::vector<const PatternNode*>{written}) {
    const bool needs_total = pattern != written && IsLogical(result->op);
    AddRule({text.domain, pattern, result, condition, index, ShapeOfPattern(pattern), in_sums,
             needs_total});
  }
}

void RewriteRuleSet::AddRule(const RewriteRule& rule) {
  const auto* kept = new RewriteRule(rule);
  const PatternNode* first = rule.pattern->children[0];
  auto& by_first = rules_[static_cast<int>(rule.pattern->op)];
  if (first->kind == PatternNode::Kind::kOp) {
    by_first[static_cast<int>(first->op)].push_back(kept);
    // A sum with a constant may be written as a difference.
    if (first->op == Case::kAdd) by_first[static_cast<int>(Case::kSub)].push_back(kept);
    return;
  }
  for (int i = 0; i < kNumCases; ++i) {
    if (!IsNumberLeaf(first) || MayBeConstant(static_cast<Case>(i))) by_first[i].push_back(kept);
  }
}

const RuleBlock& RewriteRuleSet::RulesOf(Case root, Case first, Case second, ValueType type) const {
  RulesOfOperands& place = rules_of_operands[static_cast<int>(root)][static_cast<int>(first)]
                                            [static_cast<int>(second)][static_cast<int>(type)];
  const RuleBlock* known = place.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto made = std::make_unique<RuleBlock>();
  RuleBlock* last = made.get();
  for (const RewriteRule* rule : rules_[static_cast<int>(root)][static_cast<int>(first)]) {
    const bool may_match = (rule->shape.second & Bit(second)) != 0 &&
                           (!rule->shape.has_type || MayBeOf(rule->domain, type));
    if (!may_match) continue;
    if (last->num_rules == RuleBlock::kMostRules) {
      last->next = std::make_unique<RuleBlock>();
      last = last->next.get();
    }
    AddToBlock(rule, last);
  }
  // Never destroyed, as the rules; another thread may have been faster.
  if (place.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *known;
}

}  // namespace uir::arith
