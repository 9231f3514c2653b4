// Side effects of expressions and of high-level values.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/relay/expr.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/transform/effects.h>
#include <uir/transform/linear_visitor.h>

#include <algorithm>
#include <optional>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::CallEffectKind;

/*! \brief Visits an expression until it finds the strongest effect. */
class EffectFinder : public LinearVisitor {
 public:
  CallEffectKind worst = CallEffectKind::kExprAnnotation;

  void VisitPrimExpr(const PrimExpr& expr) override {
    if (worst != CallEffectKind::kUpdateState) LinearVisitor::VisitPrimExpr(expr);
  }

 protected:
  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    worst = std::max(worst, CallEffectKind::kReadState);
    LinearVisitor::VisitBufferLoad(op);
  }
  void VisitProducerLoad(const tir::ProducerLoadNode* op) override {
    worst = std::max(worst, CallEffectKind::kReadState);
    LinearVisitor::VisitProducerLoad(op);
  }
  void VisitCall(const tir::CallNode* op) override {
    const auto* callee = op->op.as<ir::OpNode>();
    worst = std::max(worst, callee == nullptr ? CallEffectKind::kUpdateState
                                              : tir::effect_kind(tvm::ffi::GetRef<ir::Op>(callee)));
    LinearVisitor::VisitCall(op);
  }
};

}  // namespace

CallEffectKind EffectOf(const PrimExpr& expr) {
  using Case = tir::PrimExprCase;
  const auto kind = static_cast<Case>(tir::kPrimExprCases.CaseOf(expr.get()));
  const bool is_leaf = Case::kIntImm <= kind && kind <= Case::kSizeVar;
  if (is_leaf) return CallEffectKind::kExprAnnotation;
  EffectFinder finder;
  finder.VisitPrimExpr(expr);
  return finder.worst;
}

bool IsPartial(const tir::BinaryOpNode* op) {
  const auto kind = static_cast<tir::PrimExprCase>(tir::kPrimExprCases.CaseOf(op));
  const bool divides = tir::PrimExprCase::kDiv <= kind && kind <= tir::PrimExprCase::kFloorMod;
  if (!divides || !ir::IsInteger(op->dtype)) return false;
  const auto* divisor = op->b.as<ir::IntImmNode>();
  return divisor == nullptr || divisor->value == 0;
}

bool IsPartial(const tir::CallNode* op) {
  return tir::IsCheckedDivisor(ffi::GetRef<ir::PrimExpr>(op));
}

bool TakesAddress(const tir::CallNode* op) {
  return std::any_of(op->args.begin(), op->args.end(), [](const ir::PrimExpr& argument) {
    return ir::IsHandle(argument->dtype) && argument.as<ir::StringImmNode>() == nullptr;
  });
}

bool IsPure(const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  if (call == nullptr) return true;
  const auto op = call->op.as<ir::Op>();
  if (!op) return true;
  const std::optional<ffi::String> effect = ir::op_attr(*op, "effect").as<ffi::String>();
  return !effect || *effect == "pure";
}

}  // namespace uir::transform
