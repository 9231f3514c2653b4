/*!
 * \file tensor_type_of.h
 * \brief The inferred types of expressions of relay.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_TENSOR_TYPE_OF_H_
#define UIR_TRANSFORM_ANALYSIS_TENSOR_TYPE_OF_H_

#include <tschema/structural_equal.h>
#include <uir/ir/expr.h>
#include <uir/ir/tensor_type.h>

namespace uir::transform {

/*! \brief The type of a tensor; null for another value, or without a known type. */
inline const ir::TensorTypeNode* TensorTypeOf(const ir::RelayExpr& expr) {
  return expr->checked_type.has_value() ? expr->checked_type.value().as<ir::TensorTypeNode>()
                                        : nullptr;
}

inline bool HaveSameType(const ir::RelayExpr& a, const ir::RelayExpr& b) {
  return tschema::StructuralEqual(a->checked_type, b->checked_type);
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_TENSOR_TYPE_OF_H_
