/*!
 * \file constant_element.h
 * \brief Constants of one element as expressions.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_CONSTANT_ELEMENT_H_
#define UIR_TRANSFORM_LOWER_OPS_CONSTANT_ELEMENT_H_

#include <uir/relay/expr.h>

namespace uir::transform {

/*! \brief The element of a constant tensor with one element. */
ir::PrimExpr ConstantElement(const relay::ConstantNode* constant);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_CONSTANT_ELEMENT_H_
