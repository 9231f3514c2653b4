// Sums of products, of which each step is one instruction.
#include "./fused_product.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>

namespace uir::schedule {

ir::PrimExpr WithFusedProduct(const ir::PrimExpr& sum) {
  const auto* add = sum.as<tir::AddNode>();
  if (add == nullptr || !ir::IsFloat(sum->dtype) || sum->dtype.bits < 32) return sum;
  const auto* product = add->b.as<tir::MulNode>();
  return product == nullptr ? sum : tir::multiply_add(product->a, product->b, add->a);
}

}  // namespace uir::schedule
