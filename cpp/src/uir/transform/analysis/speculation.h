/*!
 * \file speculation.h
 * \brief Whether an expression may be computed where the program does not compute it.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_SPECULATION_H_
#define UIR_TRANSFORM_ANALYSIS_SPECULATION_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::transform {

/*!
 * \brief Whether an expression has a value wherever its variables are known, the same at any time.
 *
 * It neither reads memory nor has an effect, no division in it may fail, and every sum of indices
 * is proved to fit. A large expression is refused.
 */
bool IsComputable(const arith::Analyzer& analyzer, const ir::PrimExpr& expr);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_SPECULATION_H_
