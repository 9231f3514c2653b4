/*!
 * \file uir/tir/atom.h
 * \brief Expressions that cost nothing to compute again.
 */
#ifndef UIR_TIR_ATOM_H_
#define UIR_TIR_ATOM_H_

#include <uir/tir/expr.h>

namespace uir::tir {

/*! \brief Whether an expression is a variable or a number. */
inline bool IsAtom(const ir::PrimExprNode* expr) {
  return expr->IsInstance<VarNode>() || expr->IsInstance<ir::IntImmNode>() ||
         expr->IsInstance<ir::FloatImmNode>();
}

}  // namespace uir::tir

#endif  // UIR_TIR_ATOM_H_
