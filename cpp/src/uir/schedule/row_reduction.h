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

/*! \brief What a nest reduces, and how. */
struct RowReduction {
  Combiner combiner;
  /*! \brief The term of an iteration; of a type that vectors have, such as `float32` for a
   * `float16`. */
  ir::PrimExpr term;
  /*! \brief What changes no term that it is combined with. */
  ir::PrimExpr identity;
  /*! \brief The value before the first term, of the result's type; none if that is `identity`. */
  std::optional<ir::PrimExpr> start;

  /*! \brief Two parts combined. The first one, which stands twice in the result, must be cheap. */
  ir::PrimExpr Combine(const ir::PrimExpr& first, const ir::PrimExpr& second) const;
};

/*! \brief The reduction of a nest, if its terms may be combined in any order. */
std::optional<RowReduction> MatchRowReduction(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_ROW_REDUCTION_H_
