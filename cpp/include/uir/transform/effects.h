/*!
 * \file uir/transform/effects.h
 * \brief Side effects of expressions and of high-level values.
 */
#ifndef UIR_TRANSFORM_EFFECTS_H_
#define UIR_TRANSFORM_EFFECTS_H_

#include <uir/ir/expr.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

namespace uir::transform {

/*!
 * \brief The strongest side effect of an expression, from its loads and calls.
 *
 * A call of anything but an operator may have any effect.
 */
tir::CallEffectKind EffectOf(const ir::PrimExpr& expr);

/*! \brief Whether an expression reads memory or has a side effect. */
inline bool DependsOnMemory(const ir::PrimExpr& expr) {
  return EffectOf(expr) > tir::CallEffectKind::kPure;
}

/*! \brief Whether an expression has a side effect other than reading memory. */
inline bool HasEffect(const ir::PrimExpr& expr) {
  return EffectOf(expr) > tir::CallEffectKind::kReadState;
}

/*! \brief Whether an operation is an integer division whose divisor is not a nonzero constant. */
bool IsPartial(const tir::BinaryOpNode* op);

/*! \brief Whether a call fails for some operands: `tir.nonzero`. */
bool IsPartial(const tir::CallNode* op);

/*! \brief Whether a call has a pointer argument; string constants do not count. */
bool TakesAddress(const tir::CallNode* op);

/*! \brief Whether a value only computes, so that it may be dropped, moved or computed once. */
bool IsPure(const ir::RelayExpr& value);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_EFFECTS_H_
