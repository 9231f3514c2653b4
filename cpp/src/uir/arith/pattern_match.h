/*!
 * \file pattern_match.h
 * \brief Pattern matching of expressions.
 */
#ifndef UIR_ARITH_PATTERN_MATCH_H_
#define UIR_ARITH_PATTERN_MATCH_H_

#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>

#include <cstdint>
#include <optional>

#include "./const_fold.h"
#include "./rewrite_rule.h"

namespace uir::arith {

/*! \brief An operation and its operands, without a node. */
struct Shape {
  Case op;
  int num_operands;
  const ir::PrimExpr* operands[3];
  /*! \brief The lanes of a vector that is made of scalars. */
  int lanes;
};

/*! \brief The operation at the root of an expression; none if no pattern has it. */
std::optional<Shape> ShapeOf(const ir::PrimExpr& expr);

/*! \brief The bindings of pattern variables to matched expressions. */
struct Match {
  static constexpr int kNumExprs = 8;

  const ir::PrimExpr* exprs[kNumExprs] = {};
  int64_t consts[4] = {};
  bool has_const[4] = {};
  int lanes = 0;
  /*! \brief The element type of all non-boolean parts; void while unknown. */
  DLDataType element = {kDLOpaqueHandle, 0, 0};
};

/*! \brief What of a node rules are chosen by: the operations of its operands, and of theirs. */
class NodeShape {
 public:
  explicit NodeShape(const Shape& shape);

  /*!
   * \brief Visit the rules that may match, in their order, until a visit returns true.
   *
   * Most rules that do not match are left out, by cheap tests.
   */
  template <typename Visit>
  void VisitRules(const Visit& visit) const {
    for (const RuleBlock* block = block_; block != nullptr; block = block->next.get()) {
      for (uint64_t left = RulesIn(*block); left != 0; left &= left - 1) {
        const RewriteRule& rule = *block->rules[__builtin_ctzll(left)];
        if (MayMatch(rule.shape) && visit(rule)) return;
      }
    }
  }

 private:
  void SetPlace(int place, const ir::PrimExpr& expr);
  /*! \brief The rules of a block that take the operands of the operands, a bit for each. */
  uint64_t RulesIn(const RuleBlock& block) const {
    if (block.num_rules == 0) return 0;
    uint64_t rules = ~uint64_t{0} >> (RuleBlock::kMostRules - block.num_rules);
    for (int place = 2; place < RuleShape::kNumPlaces; ++place) {
      if (places_[place] != nullptr)
        rules &= block.accepting[place - 2][static_cast<int>(cases_[place])];
    }
    return rules;
  }

  bool MayMatch(const RuleShape& shape) const {
    return MayBeSame(shape.same[0]) && MayBeSame(shape.same[1]) &&
           (!shape.literal || !second_ || *shape.literal == *second_);
  }

  /*! \brief Whether two places may have the same expression: not two variables, or operations. */
  bool MayBeSame(RuleShape::Pair places) const {
    return cases_[places.a] == cases_[places.b] &&
           (cases_[places.a] != Case::kVar || places_[places.a] == places_[places.b]);
  }

  /*! \brief The rules for the operations of the operands. */
  const RuleBlock* block_;
  /*! \brief The nodes at the places of `RuleShape`, with their operations; null for none. */
  const ir::PrimExprNode* places_[RuleShape::kNumPlaces] = {};
  Case cases_[RuleShape::kNumPlaces] = {};
  /*! \brief The second operand, if it is an integer. */
  std::optional<int64_t> second_;
};

/*! \brief Whether the expressions of a rule, other than its booleans, can be of a data type. */
inline bool IsInDomain(Domain domain, DLDataType element) {
  switch (domain) {
    case Domain::kAny:
      return ir::IsInteger(element);
    case Domain::kIndex:
      return IsIndex(element);
    case Domain::kFloat:
      return ir::IsFloat(element);
    default:
      return domain == Domain::kValue;
  }
}

/*! \brief The value of arithmetic on constants in a result; None if it does not fit. */
std::optional<int64_t> ConstOf(const PatternNode* node, const Match& match);

/*!
 * \brief Match an operation against the root of a rule's pattern.
 * \param[in,out] match New; the bindings, if it matches.
 */
bool MatchRule(const RewriteRule& rule, const Shape& shape, Match* match);

}  // namespace uir::arith

#endif  // UIR_ARITH_PATTERN_MATCH_H_
