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
  if (intrinsic < Intrinsic::kBitwiseAnd || !ir::IsInteger(dtype)) return std::nullopt;
  const auto* a = args[0].as<ir::IntImmNode>();
  const auto* b = args[1].as<ir::IntImmNode>();
  if (a == nullptr || b == nullptr || a->dtype != dtype) return std::nullopt;
  if (intrinsic == Intrinsic::kBitwiseAnd) return MakeInt(dtype, a->value & b->value);
  if (b->value < 0 || b->value >= dtype.bits || b->value > 62) return std::nullopt;
  if (intrinsic == Intrinsic::kShiftRight) return MakeInt(dtype, a->value >> b->value);
  const std::optional<int64_t> shifted =
      FoldInt(Case::kMul, dtype, a->value, int64_t{1} << b->value);
  if (!shifted) return std::nullopt;
  return MakeInt(dtype, *shifted);
}

}  // namespace uir::arith
