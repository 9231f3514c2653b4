/*!
 * \file iter_fusion.h
 * \brief Fuses sums of digits of iterators into one iterator.
 *
 * In: sums of digits. Out: sums of at most one term. It keeps one mark for each fused sum, so that
 * equal sums are one iterator.
 */
#ifndef UIR_ARITH_ITER_FUSION_H_
#define UIR_ARITH_ITER_FUSION_H_

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./iter_sum.h"

namespace uir::arith {

/*! \brief Fuses sums, within the conditions that restrict fused iterators. */
class IterFusion : public IterArithmetic {
 public:
  explicit IterFusion(const Analyzer& analyzer) : IterArithmetic(analyzer) {}

  /*! \brief The mark of a variable's iterator. */
  static IterSplitExpr Whole(const IterMark& mark, const ir::PrimExpr& scale);

  /*! \brief The sum with at most one term; none if the terms are not digits that follow each other.
   */
  std::optional<IterSum> Fuse(const IterSum& sum);
  /*! \brief Like `Fuse`; the values of the term begin at 0, also if digits have an offset. */
  std::optional<IterSum> FuseFromZero(const IterSum& sum);
  /*! \brief State that the sum of terms, without its base, is from `low` to `high`, where they are
   * known; false if that cannot be used. */
  bool Restrict(const IterSum& sum, const std::optional<ir::PrimExpr>& low,
                const std::optional<ir::PrimExpr>& high);
  /*! \brief The digits of a term plus an offset, as a whole iterator; its values begin there.
   *
   * An offset that is an expression is at least 0 and at most `most`, others are `most`. */
  IterSplitExpr Shifted(const IterSplitExpr& term, const ir::PrimExpr& offset, int64_t most);

  bool IsOverlapped(const IterMark& mark) const { return overlapped_.count(mark.get()) != 0; }
  /*! \brief The least value of a mark: its offset, or the most that it can be. */
  int64_t FirstOf(const IterMark& mark) const;
  /*! \brief The marks that conditions restrict. */
  std::vector<IterMark> RestrictedMarks() const;

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

  bool IsSameArgs(const std::vector<IterSplitExpr>& a, const std::vector<IterSplitExpr>& b);
  IterSum Restricted(IterSum sum);
  /*! \brief Replace terms by their restricted iterator; false if the sum does not contain them. */
  bool Apply(const Restriction& restriction, IterSum* sum);
  std::optional<IterSum> FuseNumbers(IterSum sum);
  std::optional<IterSum> FuseSymbols(const IterSum& sum);
  IterSum Close(std::vector<IterSplitExpr> chain, const ir::PrimExpr& base_scale,
                const ir::PrimExpr& extent, const ir::PrimExpr& base, bool is_overlapped);

  std::vector<Fused> fused_;
  std::vector<Restriction> restrictions_;
  std::unordered_set<const IterMarkNode*> overlapped_;
  std::unordered_map<const IterMarkNode*, int64_t> first_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_ITER_FUSION_H_
