// Expressions that are safe to compute speculatively.
#include "./total_expr.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/transform/effects.h>

namespace uir::transform {

namespace {

using ir::PrimExpr;

bool DividesSafely(const PrimExpr& expr) {
  const auto is_total = [](const auto* op) {
    return IsPartial(op) ? tschema::kInterrupt : tschema::kAdvance;
  };
  return tschema::Walk(expr, [&](const tir::BinaryOpNode* op) { return is_total(op); }) &&
         tschema::Walk(expr, [&](const tir::CallNode* op) { return is_total(op); });
}

bool IsInBuffer(const tir::BufferLoadNode* load, const arith::Analyzer& analyzer) {
  const tvm::ffi::Array<PrimExpr>& shape = load->buffer->shape;
  if (load->indices.size() != shape.size() || load->predicate.has_value()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    const PrimExpr& index = load->indices[i];
    if (!ir::IsScalar(index->dtype) || analyzer->BoundOf(index).min < 0) return false;
    if (index->dtype != shape[i]->dtype || !analyzer->CanProveLess(index, shape[i])) return false;
  }
  return true;
}

}  // namespace

bool IsTotal(const PrimExpr& expr) { return DividesSafely(expr) && !DependsOnMemory(expr); }

bool IsTotalHere(const PrimExpr& expr, const arith::Analyzer& analyzer) {
  if (HasEffect(expr) || !DividesSafely(expr)) return false;
  return tschema::Walk(expr, [&](const tir::BufferLoadNode* load) {
    return IsInBuffer(load, analyzer) ? tschema::kAdvance : tschema::kInterrupt;
  });
}

}  // namespace uir::transform
