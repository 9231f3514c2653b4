/*!
 * \file stated_condition.h
 * \brief The conditions of `tir.assume`.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_STATED_CONDITION_H_
#define UIR_TRANSFORM_ANALYSIS_STATED_CONDITION_H_

#include <uir/tir/stmt.h>

#include <optional>

namespace uir::transform {

/*! \brief The condition of a `tir.assume`; `nullopt` for any other statement. */
std::optional<ir::PrimExpr> StatedConditionOf(const tir::EvaluateNode* op);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_STATED_CONDITION_H_
