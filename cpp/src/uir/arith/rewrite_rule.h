/*!
 * \file rewrite_rule.h
 * \brief Rewrite rules, as text and in compiled form.
 *
 * A rule is three texts in the syntax of Python, so that tests can evaluate them: a pattern, a
 * result, and a condition.  `x`, `y`, `z`, `w` match any expressions of one data type, `b` to `b4`
 * booleans, `c1` to `c4` integer constants, `n` the lanes of vectors.  Functions are `fdiv`,
 * `fmod`, `tdiv`, `tmod`, `min`, `max`, `select`, `ramp`, `bcast`.
 */
#ifndef UIR_ARITH_REWRITE_RULE_H_
#define UIR_ARITH_REWRITE_RULE_H_

#include <uir/tir/prim_expr_functor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace uir::arith {

namespace ffi = ::tvm::ffi;
using Case = tir::PrimExprCase;

constexpr int kNumPrimExprCases = static_cast<int>(Case::kNot) + 1;

/*! \brief The data types that a rule holds for. */
enum class Domain : uint8_t {
  /*! \brief Integers of every type, with arithmetic that wraps around. */
  kAny,
  /*! \brief `int32` and `int64`, of sums and products that fit their type. */
  kIndex,
  /*! \brief Only booleans. */
  kBool,
  /*! \brief Floating-point numbers, to the last bit. */
  kFloat,
  /*! \brief Values of every type. */
  kValue,
};

/*! \brief The kinds of data types that domains distinguish. */
enum class ValueType : uint8_t {
  /*! \brief `int32` and `int64`. */
  kIndex,
  kInteger,
  kFloat,
  kOther,
};

/*! \brief A rule as people write it; the condition may be empty. */
struct RuleText {
  Domain domain;
  const char* pattern;
  const char* result;
  const char* condition;
};

/*! \brief A part of a compiled pattern, result or condition. */
struct PatternNode {
  enum class Kind : uint8_t { kExpr, kBool, kConst, kLanes, kLiteral, kTruth, kOp };

  Kind kind;
  /*! \brief The index of its expression or constant in a match. */
  uint8_t slot = 0;
  /*! \brief The operation of `kOp`. */
  Case op = Case::kNone;
  uint8_t num_children = 0;
  /*! \brief Whether it is arithmetic on constants and literals. */
  bool is_number = false;
  /*! \brief The value of a literal. */
  int64_t value = 0;
  const PatternNode* children[3] = {};
};

/*!
 * \brief The operations that a node must have to match a pattern: of its operands and of theirs.
 *
 * It is a cheap test that rejects most rules before their patterns are matched.
 */
struct RuleShape {
  /*! \brief Places of a pattern that may hold a variable: both operands, then theirs. */
  static constexpr int kNumPlaces = 6;

  struct Pair {
    uint8_t a = 0;
    uint8_t b = 0;
  };

  /*! \brief The operations that the second operand may have, a bit for each. */
  uint64_t second;
  /*! \brief The operations of the operands of the first operand and of the second. */
  uint64_t inner[kNumPlaces - 2];
  /*! \brief The value of the second operand, if the pattern has a literal there. */
  std::optional<int64_t> literal;
  /*! \brief Pairs of places with the same variable; a place and itself if there are none. */
  Pair same[2];
  /*! \brief Whether the first operand has the type of the pattern's values. */
  bool has_type;
};

/*! \brief A compiled rule; one text has several, with the operands of sums exchanged. */
struct RewriteRule {
  Domain domain;
  const PatternNode* pattern;
  const PatternNode* result;
  /*! \brief Null if there is none. */
  const PatternNode* condition;
  /*! \brief The place of its text. */
  int index;
  RuleShape shape;
  /*! \brief Variables of the pattern that only occur in sums: they need not fit, a bit for each.
   */
  uint8_t in_sums;
  /*! \brief Whether operands change places that may guard each other, as in `i < n and a[i]`. */
  bool needs_total;
};

/*! \brief Whether a node of an operation may be a constant. */
inline bool MayBeConstant(Case op) {
  return op == Case::kIntImm || op == Case::kFloatImm || op == Case::kBroadcast;
}

/*! \brief Up to 64 rules for a node, and which of them take what operands its operands have. */
struct RuleBlock {
  static constexpr int kMostRules = 64;

  int num_rules = 0;
  /*! \brief Rules that come after these; null if there are none. */
  std::unique_ptr<RuleBlock> next;
  /*! \brief By the operation of an operand's operand, a bit for each rule that may match it. */
  uint64_t accepting[RuleShape::kNumPlaces - 2][kNumPrimExprCases] = {};
  const RewriteRule* rules[kMostRules] = {};
};

/*! \brief All rules, by the operation at the root of the pattern and those of its operands. */
class RewriteRuleSet {
 public:
  static const RewriteRuleSet& Global();

  /*! \brief The rules that a node may match whose operation, operands and type are given. */
  const RuleBlock& RulesOf(Case root, Case first, Case second, ValueType type) const;
  const std::vector<RuleText>& texts() const { return texts_; }
  /*! \brief Where people find a text: `rules/logic.cc, row 24`. */
  std::string SourceOf(int index) const;

 private:
  RewriteRuleSet();
  void AddText(const RuleText& text);
  void AddRule(const RewriteRule& rule);

  std::vector<RuleText> texts_;
  /*! \brief By the operations of the root and the first operand. */
  std::vector<const RewriteRule*> rules_[kNumPrimExprCases][kNumPrimExprCases];
  /*! \brief The files of the texts, each with the place of its first one. */
  std::vector<std::pair<const char*, int>> files_;
};

/*!
 * \brief Compile a text.
 * \throws ValueError if it is not a formula, InternalError for one that is not a pattern.
 */
const PatternNode* CompilePattern(const char* text);

/*! \brief All ways to exchange the operands of commutative operations, the given one first. */
std::vector<const PatternNode*> Exchanged(const PatternNode* pattern);

/*! \brief Rules of sums, products, quotients, minima and maxima. */
std::vector<RuleText> ArithmeticRules();
/*! \brief Rules of comparisons. */
std::vector<RuleText> ComparisonRules();
/*! \brief Rules of booleans and choices. */
std::vector<RuleText> LogicRules();
/*! \brief Rules of vectors. */
std::vector<RuleText> VectorRules();

}  // namespace uir::arith

#endif  // UIR_ARITH_REWRITE_RULE_H_
