/*!
 * \file iter_map_check.h
 * \brief Checks whether sums of digits of iterators are independent, and use all of them.
 */
#ifndef UIR_ARITH_ITER_MAP_CHECK_H_
#define UIR_ARITH_ITER_MAP_CHECK_H_

#include <uir/arith/iter_map.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "./iter_map_rewriter.h"

namespace uir::arith {

/*! \brief The property that a map must have. */
enum class IterMapLevel { kNone, kSurjective, kBijective };

/*! \brief Collects the digits of each mark that are used, and checks that each combination is
 * taken. */
class IterMapCheck {
 public:
  IterMapCheck(IterMapRewriter* rewriter, IterMapLevel level)
      : rewriter_(rewriter), fusion_(&rewriter->fusion()), level_(level) {}

  /*! \brief Why the sums are not such a map; none if they are. */
  std::optional<std::string> Fault(const std::vector<IterSumExpr>& sums);

 private:
  void Collect(const std::vector<IterSumExpr>& sums);
  /*! \brief Whether the digits follow each other and are all of the mark's. */
  bool IsComplete(const IterMark& mark, std::vector<IterSplitExpr> digits);
  /*! \brief Whether the mark has a value for each combination of the digits. */
  bool IsIndependent(const IterMark& mark, std::vector<IterSplitExpr> digits);

  IterMapRewriter* rewriter_;
  IterFusion* fusion_;
  IterMapLevel level_;
  std::vector<IterMark> marks_;
  std::unordered_map<const IterMarkNode*, std::vector<IterSplitExpr>> used_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_ITER_MAP_CHECK_H_
