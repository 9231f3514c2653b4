// The intrinsics whose meaning the analyzer knows.
#include "./intrinsic.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>

#include <array>
#include <optional>

#include "./const_fold.h"

namespace uir::arith {

namespace {

struct Known {
  ir::Op op;
  Intrinsic intrinsic;
};

using KnownList = std::array<Known, 5>;

/*! \brief The registered operators, which calls are compared with by identity. */
const KnownList& KnownIntrinsics() {
  // Never destroyed: analyzers may be used while static objects are.
  static const KnownList* const known = new KnownList{{
      {ir::get_op("tir.if_then_else"), Intrinsic::kIfThenElse},
      {ir::get_op("tir.likely"), Intrinsic::kLikely},
      {ir::get_op("tir.bitwise_and"), Intrinsic::kBitwiseAnd},
      {ir::get_op("tir.shift_left"), Intrinsic::kShiftLeft},
      {ir::get_op("tir.shift_right"), Intrinsic::kShiftRight},
  }};
  return *known;
}

}  // namespace

Intrinsic IntrinsicOf(const tir::CallNode* call) {
  for (const Known& known : KnownIntrinsics()) {
    if (known.op.get() == call->op.get()) return known.intrinsic;
  }
  return Intrinsic::kOther;
}

ffi::Optional<ir::PrimExpr> FoldCall(Intrinsic intrinsic, DLDataType dtype,
                                     const ffi::Array<ir::PrimExpr>& args) {
  const bool is_known = intrinsic >= Intrinsic::kBitwiseAnd && ir::IsInteger(dtype);
  if (!is_known || args[0]->dtype != dtype) return std::nullopt;
  const tir::BitKind kind = intrinsic == Intrinsic::kBitwiseAnd  ? tir::BitKind::kAnd
                            : intrinsic == Intrinsic::kShiftLeft ? tir::BitKind::kShiftLeft
                                                                 : tir::BitKind::kShiftRight;
  return tir::FoldBits(kind, args[0], args[1]);
}

}  // namespace uir::arith
