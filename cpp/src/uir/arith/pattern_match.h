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

/*!
 * \brief Match an operation against the root of a rule's pattern.
 * \param[in,out] match New; the bindings, if it matches.
 */
bool MatchRule(const RewriteRule& rule, const Shape& shape, Match* match);

}  // namespace uir::arith

#endif  // UIR_ARITH_PATTERN_MATCH_H_
