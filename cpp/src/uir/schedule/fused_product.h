/*!
 * \file fused_product.h
 * \brief Sums of products, of which each step is one instruction.
 */
#ifndef UIR_SCHEDULE_FUSED_PRODUCT_H_
#define UIR_SCHEDULE_FUSED_PRODUCT_H_

#include <uir/ir/expr.h>

namespace uir::schedule {

/*!
 * \brief `tir.multiply_add` for a sum `c + a * b` of float32 or float64, `tir.dot4` for a sum with
 * one of four products; else the same value.
 *
 * The C compiler does not fuse products by itself: docs/compiler/semantics.md.
 */
ir::PrimExpr WithFusedProduct(const ir::PrimExpr& sum);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_FUSED_PRODUCT_H_
