// Side effects of expressions.
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/transform/effects.h>

#include <algorithm>
#include <unordered_set>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::CallEffectKind;

/*! \brief Visits an expression until the strongest effect is found. */
class EffectFinder : public tir::PrimExprVisitor {
 public:
  CallEffectKind worst = CallEffectKind::kExprAnnotation;

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (worst == CallEffectKind::kUpdateState) return;
    // What several nodes hold is looked at once.
    if (expr.use_count() > 1 && !seen_.insert(expr.get()).second) return;
    PrimExprVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    worst = std::max(worst, CallEffectKind::kReadState);
    PrimExprVisitor::VisitBufferLoad(op);
  }
  void VisitProducerLoad(const tir::ProducerLoadNode* op) override {
    worst = std::max(worst, CallEffectKind::kReadState);
    PrimExprVisitor::VisitProducerLoad(op);
  }
  void VisitCall(const tir::CallNode* op) override {
    const auto* callee = op->op.as<ir::OpNode>();
    worst = std::max(worst, callee == nullptr ? CallEffectKind::kUpdateState
                                              : tir::effect_kind(tvm::ffi::GetRef<ir::Op>(callee)));
    PrimExprVisitor::VisitCall(op);
  }

 private:
  std::unordered_set<const ir::PrimExprNode*> seen_;
};

}  // namespace

CallEffectKind EffectOf(const PrimExpr& expr) {
  EffectFinder finder;
  finder.VisitPrimExpr(expr);
  return finder.worst;
}

}  // namespace uir::transform
