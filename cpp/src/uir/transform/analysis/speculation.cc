// Decides whether an expression may be computed speculatively.
#include "./speculation.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/data.h>
#include <uir/tir/arith.h>
#include <uir/transform/effects.h>

namespace uir::transform {

namespace {

namespace ffi = ::tvm::ffi;
using ir::PrimExpr;

/*! \brief Whether an operation is a sum or product that must fit its type. */
bool IsSumOfIndices(const tir::BinaryOpNode* op) {
  const bool is_index = op->dtype.code == kDLInt && op->dtype.bits >= 32;
  return is_index && (op->IsInstance<tir::AddNode>() || op->IsInstance<tir::SubNode>() ||
                      op->IsInstance<tir::MulNode>());
}

}  // namespace

bool IsComputable(const arith::Analyzer& analyzer, const PrimExpr& expr) {
  constexpr int kMostNodes = 64;
  int num_nodes = 0;
  const bool is_accepted = tschema::Walk(expr, [&](const ir::PrimExprNode* node) {
    const auto* op = ffi::AnyView(node).as<tir::BinaryOpNode>();
    const bool may_overflow =
        op != nullptr && IsSumOfIndices(op) && !arith::Fits(analyzer, ffi::GetRef<PrimExpr>(op));
    const auto* call = ffi::AnyView(node).as<tir::CallNode>();
    const bool may_fail = op != nullptr ? IsPartial(op) : call != nullptr && IsPartial(call);
    const bool ends = may_overflow || may_fail || ++num_nodes > kMostNodes;
    return ends ? tschema::kInterrupt : tschema::kAdvance;
  });
  return is_accepted && !DependsOnMemory(expr);
}

}  // namespace uir::transform
