/*!
 * \file likely_bounds.h
 * \brief The iterations of a loop in which its likely conditions hold.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LIKELY_BOUNDS_H_
#define UIR_TRANSFORM_ANALYSIS_LIKELY_BOUNDS_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/stmt_functor.h>

#include <unordered_set>
#include <vector>

namespace uir::transform {

/*! \brief Half-open range of iterations in which conditions hold. */
struct LikelyBounds {
  /*! \brief The loop's variable must be at least each of them. */
  std::vector<ir::PrimExpr> lower;
  /*! \brief The loop's variable must be below each of them. */
  std::vector<ir::PrimExpr> upper;
  /*! \brief The notes `tir.likely` whose conditions hold then. */
  std::unordered_set<const tir::CallNode*> notes;
};

/*! \brief Whether a call is `tir.likely`. */
bool IsLikely(const tir::CallNode* call);

/*!
 * \brief Find the iterations of a loop in which likely conditions hold.
 *
 * A condition counts if it is linear in the loop's variable, and its other terms are loop-invariant
 * or variables of inner loops with constant bounds.
 */
LikelyBounds FindLikelyBounds(const tir::ForNode* loop, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LIKELY_BOUNDS_H_
