/*!
 * \file iter_sum.h
 * \brief Sums of digits of iterators, and proofs about their scales and extents.
 *
 * In: digits of iterators, or sums of them. Out: a sum, each of whose arguments has digits of its
 * own. Knows nothing of the expressions that take the values.
 */
#ifndef UIR_ARITH_ITER_SUM_H_
#define UIR_ARITH_ITER_SUM_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/iter_map.h>

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "./const_fold.h"

namespace uir::arith {

/*! \brief `args[0] + args[1] + ... + base`, each argument with digits of its own. */
struct IterSum {
  std::vector<IterSplitExpr> args;
  ir::PrimExpr base;
};

/*! \brief Digits of an iterator by two of their numbers; 0 and 0 if one is an expression. */
struct DigitsKey {
  struct Hash {
    size_t operator()(const DigitsKey& key) const;
  };

  const IterMarkNode* mark;
  int64_t first;
  int64_t second;

  static DigitsKey Of(const IterMark& mark, const ir::PrimExpr& first, const ir::PrimExpr& second);

  bool operator==(const DigitsKey& other) const {
    return mark == other.mark && first == other.first && second == other.second;
  }
};

using PlacesByKey = std::unordered_map<DigitsKey, std::deque<size_t>, DigitsKey::Hash>;

/*! \brief Arithmetic on scales, factors and extents, which are numbers or expressions. */
class IterArithmetic {
 public:
  explicit IterArithmetic(const Analyzer& analyzer) : analyzer_(analyzer) {}

  bool IsEqual(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief `a / b` if it is proved to have no remainder. */
  std::optional<ir::PrimExpr> ExactQuotient(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief An operation on two numbers or expressions, simplified. */
  ir::PrimExpr Compute(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  ir::PrimExpr Simplified(const ir::PrimExpr& expr) { return analyzer_->Simplify(expr); }
  /*! \brief Whether two terms are equal up to their scales. */
  bool IsSameDigits(const IterSplitExpr& a, const IterSplitExpr& b);
  /*! \brief Join digits of one iterator that follow each other. */
  void Join(std::vector<IterSplitExpr>* terms);

 private:
  /*! \brief Lower and upper digits as one; none if they do not follow each other. */
  std::optional<IterSplitExpr> Joined(const IterSplitExpr& lower, const IterSplitExpr& upper);

  Analyzer analyzer_;
};

/*! \brief Adds many terms up, in time linear in their number. */
class IterSumBuilder {
 public:
  IterSumBuilder(IterArithmetic* arithmetic, DLDataType dtype)
      : arithmetic_(arithmetic), base_(MakeInt(dtype, 0)) {}

  /*! \brief Add `sign * sum`, for a sign of 1 or -1. */
  void Add(const IterSum& sum, int64_t sign);
  /*! \brief Add `sign * expr` to the base. */
  void AddToBase(const ir::PrimExpr& expr, int64_t sign);
  /*! \brief The sum of all added terms. */
  IterSum Build();

 private:
  void AddTerm(const IterSplitExpr& term, int64_t sign);

  IterArithmetic* arithmetic_;
  std::vector<IterSplitExpr> args_;
  /*! \brief The places of terms by their lower factor and extent. */
  PlacesByKey places_;
  ir::PrimExpr base_;
};

/*! \brief The same digits with another scale. */
IterSplitExpr WithScale(const IterSplitExpr& term, const ir::PrimExpr& scale);

}  // namespace uir::arith

#endif  // UIR_ARITH_ITER_SUM_H_
