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

  /*! \brief The rules that `MayMatch` is asked about; no other one matches. */
  const RewriteRules& Rules() const {
    return RewriteRuleSet::Global().RulesOf(op_, operands_[0], operands_[1], type_);
  }

  /*! \brief Whether a rule may match: a cheap test, which most rules fail that do not match. */
  bool MayMatch(const RewriteRule& rule) const {
    const RuleShape& shape = rule.shape;
    const bool has_operands =
        (shape.inner[0][0] & inner_[0][0]) != 0 && (shape.inner[0][1] & inner_[0][1]) != 0 &&
        (shape.inner[1][0] & inner_[1][0]) != 0 && (shape.inner[1][1] & inner_[1][1]) != 0;
    return has_operands && (!shape.literal || !second_ || *shape.literal == *second_);
  }

 private:
  Case op_;
  Case operands_[2] = {Case::kNone, Case::kNone};
  /*! \brief The operations of the operands of the operands, a bit for each; all if unknown. */
  uint64_t inner_[2][2] = {{~uint64_t{0}, ~uint64_t{0}}, {~uint64_t{0}, ~uint64_t{0}}};
  /*! \brief The second operand, if it is an integer. */
  std::optional<int64_t> second_;
  ValueType type_;
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

/*! \brief Whether a part of a result has constants alone. */
bool IsConstant(const PatternNode* node);

/*! \brief The value of a part of a result that has constants alone; None if it does not fit. */
std::optional<int64_t> ConstOf(const PatternNode* node, const Match& match);

/*!
 * \brief Match an operation against the root of a rule's pattern.
 * \param[in,out] match New; the bindings, if it matches.
 */
bool MatchRule(const RewriteRule& rule, const Shape& shape, Match* match);

}  // namespace uir::arith

#endif  // UIR_ARITH_PATTERN_MATCH_H_
