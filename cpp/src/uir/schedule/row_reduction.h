/*!
 * \file row_reduction.h
 * \brief Reductions whose terms may be combined in any order.
 */
#ifndef UIR_SCHEDULE_ROW_REDUCTION_H_
#define UIR_SCHEDULE_ROW_REDUCTION_H_

#include <optional>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief How two parts of a reduction are combined. */
enum class Combiner { kSum, kProduct, kMin, kMax, kMinOrNan, kMaxOrNan, kAll, kAny };

/*! \brief The terms that a nest reduces, and their combiner. */
struct RowReduction {
  Combiner combiner;
  /*! \brief The term of an iteration; of a type that vectors have, such as `float32` for a
   * `float16`. */
  ir::PrimExpr term;
  /*! \brief The identity of the combiner. */
  ir::PrimExpr identity;
  /*! \brief The value before the first term, of the result's type; none if that is `identity`. */
  std::optional<ir::PrimExpr> start;

  /*! \brief Two parts combined. The first one must be cheap, as it occurs twice in the result. */
  ir::PrimExpr Combine(const ir::PrimExpr& first, const ir::PrimExpr& second) const;
};

/*! \brief The reduction of a nest, if its terms may be combined in any order. */
std::optional<RowReduction> MatchRowReduction(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_ROW_REDUCTION_H_
