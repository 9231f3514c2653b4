/*!
 * \file likely_bounds.h
 * \brief In which iterations of a loop the conditions that are noted as likely hold.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LIKELY_BOUNDS_H_
#define UIR_TRANSFORM_ANALYSIS_LIKELY_BOUNDS_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/stmt_functor.h>

#include <unordered_set>
#include <vector>

namespace uir::transform {

/*! \brief Iterations in which some conditions hold: from `lower`, and below `upper`. */
struct LikelyBounds {
  /*! \brief The loop's variable must be at least each of them. */
  std::vector<ir::PrimExpr> lower;
  /*! \brief The loop's variable must be below each of them. */
  std::vector<ir::PrimExpr> upper;
  /*! \brief The notes `tir.likely` whose conditions hold then. */
  std::unordered_set<const tir::CallNode*> notes;
};

/*! \brief Whether a call is the note that its condition mostly holds. */
bool IsLikely(const tir::CallNode* call);

/*!
 * \brief Find the iterations of a loop in which likely conditions hold.
 *
 * A condition counts if it is linear in the loop's variable, and if what else it is made of is the
 * same in all iterations or the variable of an inner loop of constant bounds.
 */
LikelyBounds FindLikelyBounds(const tir::ForNode* loop, const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LIKELY_BOUNDS_H_
