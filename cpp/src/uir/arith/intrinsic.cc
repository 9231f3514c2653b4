// The intrinsics whose meaning the analyzer knows.
#include "./intrinsic.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>

#include <array>
#include <cmath>
#include <optional>

#include "./const_fold.h"

namespace uir::arith {

namespace {

struct Known {
  ir::Op op;
  Intrinsic intrinsic;
};

using KnownList = std::array<Known, 10>;

/*! \brief The registered operators, which calls are compared with by identity. */
const KnownList& KnownIntrinsics() {
  // Never destroyed: analyzers may be used while static objects are.
  static const KnownList* const known = new KnownList{{
      {ir::get_op("tir.if_then_else"), Intrinsic::kIfThenElse},
      {ir::get_op("tir.likely"), Intrinsic::kLikely},
      {ir::get_op("tir.bitwise_and"), Intrinsic::kBitwiseAnd},
      {ir::get_op("tir.bitwise_or"), Intrinsic::kBitwiseOr},
      {ir::get_op("tir.bitwise_xor"), Intrinsic::kBitwiseXor},
      {ir::get_op("tir.shift_left"), Intrinsic::kShiftLeft},
      {ir::get_op("tir.shift_right"), Intrinsic::kShiftRight},
      {ir::get_op("tir.abs"), Intrinsic::kAbs},
      {ir::get_op("tir.clz"), Intrinsic::kLeadingZeros},
      {ir::get_op("tir.popcount"), Intrinsic::kPopcount},
  }};
  return *known;
}

/*! \brief How many bits of a scalar constant lead with 0, or are set. */
std::optional<ir::PrimExpr> CountBits(Intrinsic intrinsic, DLDataType dtype,
                                      const ir::PrimExpr& arg) {
  const std::optional<int64_t> value = IntConstOf(arg);
  const int bits = arg->dtype.bits;
  if (!value || !ir::IsScalar(dtype) || !ir::IsInteger(dtype)) return std::nullopt;
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const uint64_t set = static_cast<uint64_t>(*value) & mask;
  if (intrinsic == Intrinsic::kPopcount) return MakeInt(dtype, __builtin_popcountll(set));
  return MakeInt(dtype, set == 0 ? bits : __builtin_clzll(set) - (64 - bits));
}

}  // namespace

Intrinsic IntrinsicOf(const tir::CallNode* call) {
  for (const Known& known : KnownIntrinsics()) {
    if (known.op.get() == call->op.get()) return known.intrinsic;
  }
  return Intrinsic::kOther;
}

std::optional<ir::PrimExpr> FoldCall(Intrinsic intrinsic, DLDataType dtype,
                                     const ffi::Array<ir::PrimExpr>& args) {
  if (intrinsic == Intrinsic::kLeadingZeros || intrinsic == Intrinsic::kPopcount) {
    return CountBits(intrinsic, dtype, args[0]);
  }
  const bool is_known = intrinsic >= Intrinsic::kBitwiseAnd && ir::IsInteger(dtype);
  if (!is_known || args[0]->dtype != dtype) return std::nullopt;
  const ir::ScalarOp op = intrinsic == Intrinsic::kBitwiseAnd   ? ir::ScalarOp::kBitAnd
                          : intrinsic == Intrinsic::kBitwiseOr  ? ir::ScalarOp::kBitOr
                          : intrinsic == Intrinsic::kBitwiseXor ? ir::ScalarOp::kBitXor
                          : intrinsic == Intrinsic::kShiftLeft  ? ir::ScalarOp::kShiftLeft
                                                                : ir::ScalarOp::kShiftRight;
  return tir::Fold(op, args[0], args[1]);
}

std::optional<int64_t> CeilOfLog2(const ir::PrimExpr& expr) {
  static const ir::Op& ceil = *new ir::Op(ir::get_op("tir.ceil"));
  static const ir::Op& log2 = *new ir::Op(ir::get_op("tir.log2"));
  const auto* outer = expr.as<tir::CallNode>();
  if (outer == nullptr || !outer->op.same_as(ceil)) return std::nullopt;
  const auto* inner = outer->args[0].as<tir::CallNode>();
  const bool is_exact_type = expr->dtype.code == kDLFloat && expr->dtype.bits >= 32;
  if (inner == nullptr || !inner->op.same_as(log2) || !is_exact_type) return std::nullopt;
  const auto* number = inner->args[0].as<ir::FloatImmNode>();
  if (number == nullptr || !(number->value > 0) || std::isinf(number->value)) return std::nullopt;
  int exponent = 0;
  if (std::frexp(number->value, &exponent) == 0.5) return exponent - 1;
  // Far more than a logarithm of `float32` is off by.
  constexpr double kLeastDistance = 1e-4;
  const double log = std::log2(number->value);
  if (std::abs(log - std::round(log)) < kLeastDistance) return std::nullopt;
  return static_cast<int64_t>(std::ceil(log));
}

}  // namespace uir::arith
