/*!
 * \file pattern_match.h
 * \brief Whether an expression has the form of a pattern, and what its variables then are.
 */
#ifndef UIR_ARITH_PATTERN_MATCH_H_
#define UIR_ARITH_PATTERN_MATCH_H_

#include <uir/ir/expr.h>

#include <cstdint>

#include "./rewrite_rule.h"

namespace uir::arith {

/*! \brief An operation and its operands, of which no node need exist. */
struct Shape {
  Case op;
  int num_operands;
  const ir::PrimExpr* operands[3];
  /*! \brief The lanes of a vector that is made of scalars. */
  int lanes;
};

/*! \brief What the variables of a pattern stand for; it refers to the matched expressions. */
struct Match {
  static constexpr int kNumExprs = 8;

  const ir::PrimExpr* exprs[kNumExprs] = {};
  int64_t consts[4] = {};
  bool has_const[4] = {};
  int lanes = 0;
  /*! \brief The element type of all non-boolean parts; void while unknown. */
  DLDataType element = {kDLOpaqueHandle, 0, 0};
};

/*!
 * \brief Match an operation against the root of a rule's pattern.
 * \param[out] match What the variables stand for, if it matches.
 */
bool MatchRule(const Rule& rule, const Shape& shape, Match* match);

}  // namespace uir::arith

#endif  // UIR_ARITH_PATTERN_MATCH_H_
