/*!
 * \file views.h
 * \brief Values that are the elements of another value, in order, in another shape.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_VIEWS_H_
#define UIR_TRANSFORM_ANALYSIS_VIEWS_H_

#include <uir/relay/expr.h>

namespace uir::transform {

/*!
 * \brief The call of an operator of the kind `view` that a value is; null for other values.
 *
 * Its first operand has the elements.
 */
const relay::CallNode* ViewCallOf(const ir::RelayExpr& value);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_VIEWS_H_
