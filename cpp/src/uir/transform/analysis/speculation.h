/*!
 * \file speculation.h
 * \brief Decides whether an expression may be computed speculatively.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_SPECULATION_H_
#define UIR_TRANSFORM_ANALYSIS_SPECULATION_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::transform {

/*!
 * \brief Whether an expression has the same value wherever its variables are in scope.
 *
 * It neither reads memory nor has an effect, no division in it may fail, and every sum of indices
 * is proved to fit. The result is false for a large expression.
 */
bool IsComputable(const arith::Analyzer& analyzer, const ir::PrimExpr& expr);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_SPECULATION_H_
