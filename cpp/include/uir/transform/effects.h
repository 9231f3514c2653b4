/*!
 * \file uir/transform/effects.h
 * \brief What computing an expression may do.
 */
#ifndef UIR_TRANSFORM_EFFECTS_H_
#define UIR_TRANSFORM_EFFECTS_H_

#include <uir/ir/expr.h>
#include <uir/tir/op.h>

namespace uir::transform {

/*!
 * \brief The worst that computing an expression may do: reads of buffers count, and each call.
 *
 * A call of anything but an operator may have any effect.
 */
tir::CallEffectKind EffectOf(const ir::PrimExpr& expr);

/*! \brief Whether the value of an expression depends on memory, or computing it has an effect. */
inline bool DependsOnMemory(const ir::PrimExpr& expr) {
  return EffectOf(expr) > tir::CallEffectKind::kPure;
}

/*! \brief Whether computing an expression does something beyond reading memory. */
inline bool HasEffect(const ir::PrimExpr& expr) {
  return EffectOf(expr) > tir::CallEffectKind::kReadState;
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_EFFECTS_H_
