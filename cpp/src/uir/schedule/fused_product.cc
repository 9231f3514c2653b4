// Sums of products, of which each step is one instruction.
#include "./fused_product.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/dot.h>
#include <uir/tir/expr.h>

#include <optional>

namespace uir::schedule {

namespace {

/*! \brief `dot4(sum, a, b)` for `sum + dot4(0, a, b)`; none for another sum. */
std::optional<ir::PrimExpr> WithFusedBytes(const tir::AddNode* add) {
  static const ir::Op dot4 = ir::get_op("tir.dot4");
  const auto* call = add->b.as<tir::CallNode>();
  if (call == nullptr || !call->op.same_as(dot4)) return std::nullopt;
  if (tir::IntConstOf(call->args[0]) != 0) return std::nullopt;
  return tir::dot4(add->a, call->args[1], call->args[2]);
}

}  // namespace

ir::PrimExpr WithFusedProduct(const ir::PrimExpr& sum) {
  const auto* add = sum.as<tir::AddNode>();
  if (add != nullptr) {
    if (const auto fused = WithFusedBytes(add)) return *fused;
  }
  if (add == nullptr || !ir::IsFloat(sum->dtype) || sum->dtype.bits < 32) return sum;
  const auto* product = add->b.as<tir::MulNode>();
  return product == nullptr ? sum : tir::multiply_add(product->a, product->b, add->a);
}

}  // namespace uir::schedule
