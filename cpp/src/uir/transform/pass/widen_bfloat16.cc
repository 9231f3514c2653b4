// Computes arithmetic on bfloat16 in float32.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/tir_passes.h>

#include <algorithm>
#include <utility>

#include "./body_pass.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

bool IsBFloat16(DLDataType dtype) { return dtype.code == kDLBfloat && dtype.bits == 16; }

DLDataType WideOf(DLDataType dtype) { return ir::FloatType(32, ir::LanesOf(dtype)); }

PrimExpr Widened(const PrimExpr& expr) { return tir::cast(expr, WideOf(expr->dtype)); }

class BFloat16Widener : public LinearMutator {
 public:
  /*! \brief Widen an operation on bfloat16, after its operands. */
  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    PrimExpr visited = LinearMutator::VisitPrimExpr(std::move(expr));
    if (const auto* cast = visited.as<tir::CastNode>()) return WidenCast(cast);
    if (const auto* binary = visited.as<tir::BinaryOpNode>()) return WidenBinary(binary);
    if (const auto* compare = visited.as<tir::CmpOpNode>()) return WidenComparison(compare);
    if (const auto* call = visited.as<tir::CallNode>()) return WidenCall(call);
    return visited;
  }

 private:
  /*! \brief A conversion between bfloat16 and any type but float32 takes two steps. */
  static PrimExpr WidenCast(const tir::CastNode* op) {
    const auto cast = ffi::GetRef<PrimExpr>(op);
    const DLDataType from = op->value->dtype;
    if (IsBFloat16(from) && op->dtype != WideOf(from)) {
      return tir::Cast(op->dtype, Widened(op->value), op->span);
    }
    if (IsBFloat16(op->dtype) && from != WideOf(from)) {
      return tir::Cast(op->dtype, tir::cast(op->value, WideOf(from)), op->span);
    }
    return cast;
  }

  template <typename Ref>
  static PrimExpr Made(const tir::BinaryOpNode* op) {
    return Ref(Widened(op->a), Widened(op->b), op->span);
  }

  static PrimExpr WidenBinary(const tir::BinaryOpNode* op) {
    const auto expr = ffi::GetRef<PrimExpr>(op);
    if (!IsBFloat16(op->dtype)) return expr;
    return tir::Cast(op->dtype, WideBinary(op), op->span);
  }

  static PrimExpr WideBinary(const tir::BinaryOpNode* op) {
    const auto expr = ffi::GetRef<PrimExpr>(op);
    if (expr.as<tir::AddNode>()) return Made<tir::Add>(op);
    if (expr.as<tir::SubNode>()) return Made<tir::Sub>(op);
    if (expr.as<tir::MulNode>()) return Made<tir::Mul>(op);
    if (expr.as<tir::DivNode>()) return Made<tir::Div>(op);
    if (expr.as<tir::ModNode>()) return Made<tir::Mod>(op);
    if (expr.as<tir::FloorDivNode>()) return Made<tir::FloorDiv>(op);
    if (expr.as<tir::FloorModNode>()) return Made<tir::FloorMod>(op);
    return expr.as<tir::MinNode>() ? Made<tir::Min>(op) : Made<tir::Max>(op);
  }

  static PrimExpr WidenComparison(const tir::CmpOpNode* op) {
    const auto expr = ffi::GetRef<PrimExpr>(op);
    if (!IsBFloat16(op->a->dtype)) return expr;
    const PrimExpr a = Widened(op->a);
    const PrimExpr b = Widened(op->b);
    if (expr.as<tir::EQNode>()) return tir::EQ(a, b, op->span);
    if (expr.as<tir::NENode>()) return tir::NE(a, b, op->span);
    if (expr.as<tir::LTNode>()) return tir::LT(a, b, op->span);
    if (expr.as<tir::LENode>()) return tir::LE(a, b, op->span);
    return expr.as<tir::GTNode>() ? PrimExpr(tir::GT(a, b, op->span))
                                  : PrimExpr(tir::GE(a, b, op->span));
  }

  /*! \brief Widen an intrinsic whose operands are all bfloat16, with a bfloat16 or bool result. */
  static PrimExpr WidenCall(const tir::CallNode* op) {
    const auto call = ffi::GetRef<PrimExpr>(op);
    const bool is_result = IsBFloat16(op->dtype) || ir::IsBool(op->dtype);
    const bool takes_narrow =
        !op->args.empty() && std::all_of(op->args.begin(), op->args.end(), [](const PrimExpr& arg) {
          return IsBFloat16(arg->dtype);
        });
    if (!is_result || !takes_narrow || !op->op->IsInstance<ir::OpNode>()) return call;
    ffi::Array<PrimExpr> args;
    for (const PrimExpr& arg : op->args) args.push_back(Widened(arg));
    if (!IsBFloat16(op->dtype)) return tir::Call(op->dtype, op->op, std::move(args), op->span);
    const PrimExpr wide = tir::Call(WideOf(op->dtype), op->op, std::move(args), op->span);
    return tir::Cast(op->dtype, wide, op->span);
  }
};

}  // namespace

Pass WidenBFloat16() {
  auto widen = [](tir::Stmt body, const PassContext&) { return BFloat16Widener().VisitStmt(body); };
  return MakeBodyPass(widen, "WidenBFloat16");
}

}  // namespace uir::transform
