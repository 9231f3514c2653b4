/*!
 * \file iter_fusion.h
 * \brief Fuses sums of digits of iterators into one iterator.
 *
 * In: sums of digits. Out: sums of at most one term. It keeps one mark for each fused sum, so that
 * equal sums are one iterator.
 */
#ifndef UIR_ARITH_ITER_FUSION_H_
#define UIR_ARITH_ITER_FUSION_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/iter_map.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./const_fold.h"

namespace uir::arith {

/*! \brief `args[0] + args[1] + ... + base`, each argument with digits of its own. */
struct IterSum {
  std::vector<IterSplitExpr> args;
  ir::PrimExpr base;
};

/*! \brief Fuses sums, within the conditions that restrict fused iterators. */
class IterFusion {
 public:
  explicit IterFusion(const Analyzer& analyzer) : analyzer_(analyzer) {}

  /*! \brief The mark of a variable's iterator. */
  static IterSplitExpr Whole(const IterMark& mark, const ir::PrimExpr& scale);

  /*! \brief Add a term to a sum, to the one with the same digits if there is one. */
  void AddTerm(IterSum* sum, const IterSplitExpr& term);
  /*! \brief Join digits of one mark that follow each other. */
  void Join(std::vector<IterSplitExpr>* terms);
  /*! \brief The sum with at most one term; none if the terms are not digits that follow each other.
   */
  std::optional<IterSum> Fuse(const IterSum& sum);
  /*! \brief Like `Fuse`; the values of the term begin at 0, also if digits have an offset. */
  std::optional<IterSum> FuseFromZero(const IterSum& sum);
  /*! \brief State that the sum of terms, without its base, is from `low` to `high`, where they are
   * known; false if that cannot be used. */
  bool Restrict(const IterSum& sum, const std::optional<ir::PrimExpr>& low,
                const std::optional<ir::PrimExpr>& high);
  /*! \brief The digits of a term plus an offset, as a whole iterator, whose values begin there. */
  IterSplitExpr Shifted(const IterSplitExpr& term, int64_t offset);

  bool IsOverlapped(const IterMark& mark) const { return overlapped_.count(mark.get()) != 0; }
  /*! \brief The least value of a mark: that of its offset. */
  int64_t FirstOf(const IterMark& mark) const;
  /*! \brief The marks that conditions restrict. */
  std::vector<IterMark> RestrictedMarks() const;

  bool IsEqual(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief `a / b` if it is proved to have no remainder. */
  std::optional<ir::PrimExpr> ExactQuotient(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief An operation on two numbers or expressions, simplified. */
  ir::PrimExpr Compute(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);

 private:
  struct Fused {
    std::vector<IterSplitExpr> args;
    IterMark mark;
  };
  struct Restriction {
    std::vector<IterSplitExpr> args;
    IterMark mark;
    ir::PrimExpr low;
  };

  bool IsSameDigits(const IterSplitExpr& a, const IterSplitExpr& b);
  bool IsSameArgs(const std::vector<IterSplitExpr>& a, const std::vector<IterSplitExpr>& b);
  IterSum Restricted(IterSum sum);
  /*! \brief Put a restricted iterator in the place of its terms; false if they are not there. */
  bool Apply(const Restriction& restriction, IterSum* sum);
  std::optional<IterSum> FuseNumbers(IterSum sum);
  std::optional<IterSum> FuseSymbols(const IterSum& sum);
  /*! \brief Lower and upper digits as one; none if they do not follow each other. */
  std::optional<IterSplitExpr> Joined(const IterSplitExpr& lower, const IterSplitExpr& upper);
  IterSum Close(std::vector<IterSplitExpr> chain, const ir::PrimExpr& base_scale,
                const ir::PrimExpr& extent, const ir::PrimExpr& base, bool is_overlapped);

  Analyzer analyzer_;
  std::vector<Fused> fused_;
  std::vector<Restriction> restrictions_;
  std::unordered_set<const IterMarkNode*> overlapped_;
  std::unordered_map<const IterMarkNode*, int64_t> first_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_ITER_FUSION_H_
