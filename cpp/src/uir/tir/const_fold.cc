// Folds operations on constants.
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>

#include <cmath>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;
using ir::ScalarOp;

/*! \brief Whether C++ arithmetic in a floating-point type equals that of the machine. */
bool IsNativeFloat(DLDataType dtype) {
  return dtype.code == kDLFloat && (dtype.bits == 32 || dtype.bits == 64);
}

double RoundTo(DLDataType dtype, double value) {
  return dtype.bits == 32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/*! \brief The result before rounding; `nullopt` for a division by 0 or another undefined result. */
std::optional<double> ComputeFloat(ScalarOp op, double a, double b) {
  const bool is_undefined = ir::IsDivision(op) && (op != ScalarOp::kDiv || b == 0);
  return is_undefined ? std::nullopt : std::optional(ir::Evaluate(op, a, b));
}

PrimExpr BroadcastToType(PrimExpr value, DLDataType dtype) {
  if (ir::IsScalar(dtype)) return value;
  return Broadcast(std::move(value), ir::LanesOf(dtype));
}

std::optional<PrimExpr> Zero(DLDataType dtype) {
  if (ir::LanesOf(dtype) < 1) return std::nullopt;
  return BroadcastToType(ir::IntImm(ir::ElementOf(dtype), 0), dtype);
}

/*! \brief Simplify an integer operation with a neutral or an absorbing constant operand. */
std::optional<PrimExpr> DropNeutralInt(ScalarOp op, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> left = IntConstOf(a);
  const std::optional<int64_t> right = IntConstOf(b);
  switch (op) {
    case ScalarOp::kAdd:
      if (left == 0) return b;
      return right == 0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kSub:
      return right == 0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kMul:
      if (left == 0 || right == 1) return a;
      return left == 1 || right == 0 ? std::optional<PrimExpr>(b) : std::nullopt;
    case ScalarOp::kDiv:
    case ScalarOp::kFloorDiv:
      if (left == 0 && IsCheckedDivisor(b)) return std::nullopt;
      return left == 0 || right == 1 ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kMod:
    case ScalarOp::kFloorMod:
      if (left == 0) return IsCheckedDivisor(b) ? std::nullopt : std::optional<PrimExpr>(a);
      return right == 1 ? Zero(a->dtype) : std::nullopt;
    case ScalarOp::kMin:
    case ScalarOp::kMax:
      return a.same_as(b) ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kShiftLeft:
    case ScalarOp::kShiftRight:
      return right == 0 ? std::optional<PrimExpr>(a) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/*! \brief The value of a floating-point constant of any format, before rounding. */
std::optional<double> WrittenFloat(const PrimExpr& expr) {
  const auto* broadcast = expr.as<BroadcastNode>();
  const auto* constant = (broadcast ? broadcast->value : expr).as<ir::FloatImmNode>();
  return constant == nullptr ? std::nullopt : std::optional<double>(constant->value);
}

bool IsZero(std::optional<double> value, bool is_negative) {
  return value == 0.0 && std::signbit(*value) == is_negative;
}

/*! \brief Simplify a floating-point operation by identities that also hold for NaN, infinities and
 * -0.0. */
std::optional<PrimExpr> DropNeutralFloat(ScalarOp op, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<double> left = WrittenFloat(a);
  const std::optional<double> right = WrittenFloat(b);
  switch (op) {
    case ScalarOp::kAdd:
      // -0.0 + 0.0 is 0.0.
      if (IsZero(left, true)) return b;
      return IsZero(right, true) ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kSub:
      return IsZero(right, false) ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kMul:
      if (left == 1.0) return b;
      return right == 1.0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kDiv:
      return right == 1.0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case ScalarOp::kMin:
    case ScalarOp::kMax:
      return a.same_as(b) ? std::optional<PrimExpr>(a) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

int64_t WrapInt(int64_t value, DLDataType dtype) {
  const int unused = 64 - dtype.bits;
  if (unused <= 0) return value;
  const uint64_t shifted = static_cast<uint64_t>(value) << unused;
  return dtype.code == kDLInt ? static_cast<int64_t>(shifted) >> unused
                              : static_cast<int64_t>(shifted >> unused);
}

std::optional<PrimExpr> WrappedConst(int64_t value, DLDataType dtype) {
  const int64_t wrapped = WrapInt(value, dtype);
  // Unsigned 64-bit constants end at 2^63-1; larger values are computed at run time.
  if (wrapped < ir::MinValue(dtype)) return std::nullopt;
  return ir::IntImm(dtype, wrapped);
}

bool IsCheckedDivisor(const PrimExpr& expr) {
  const auto* call = expr.as<CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  return op != nullptr && op->name == "tir.nonzero";
}

std::optional<int64_t> IntConstOf(const PrimExpr& expr) {
  if (const auto* constant = expr.as<ir::IntImmNode>()) return constant->value;
  const auto* broadcast = expr.as<BroadcastNode>();
  const auto* lane = broadcast == nullptr ? nullptr : broadcast->value.as<ir::IntImmNode>();
  return lane == nullptr ? std::nullopt : std::optional<int64_t>(lane->value);
}

std::optional<double> FloatConstOf(const PrimExpr& expr) {
  if (!IsNativeFloat(expr->dtype)) return std::nullopt;
  const std::optional<double> written = WrittenFloat(expr);
  return written ? std::optional<double>(RoundTo(expr->dtype, *written)) : std::nullopt;
}

std::optional<int64_t> FoldInt(ScalarOp op, int64_t a, int64_t b, DLDataType dtype) {
  const bool is_shift = op == ScalarOp::kShiftLeft || op == ScalarOp::kShiftRight;
  if (is_shift && (b < 0 || b >= dtype.bits)) return std::nullopt;
  // Constants of unsigned types are never negative, so signed and unsigned ones shift alike.
  const std::optional<int64_t> value = ir::EvaluateWrapped(op, a, b);
  const int64_t wrapped = value ? WrapInt(*value, dtype) : 0;
  return value && wrapped >= ir::MinValue(dtype) ? std::optional<int64_t>(wrapped) : std::nullopt;
}

std::optional<PrimExpr> Fold(ScalarOp op, const PrimExpr& a, const PrimExpr& b) {
  const bool is_truth = ir::IsComparison(op) || ir::IsLogical(op);
  if (!is_truth && !ir::IsNumber(a->dtype)) return std::nullopt;
  const DLDataType element = ir::ElementOf(a->dtype);
  const auto make = [&](ir::PrimExpr value) {
    return BroadcastToType(std::move(value),
                           is_truth ? ir::BoolType(ir::LanesOf(a->dtype)) : a->dtype);
  };
  if (ir::IsFloat(element)) {
    const std::optional<double> left = FloatConstOf(a);
    const std::optional<double> right = FloatConstOf(b);
    if (!left || !right) return is_truth ? std::nullopt : DropNeutralFloat(op, a, b);
    const std::optional<double> value = ComputeFloat(op, *left, *right);
    if (!value) return std::nullopt;
    if (is_truth) return make(ir::IntImm(ir::BoolType(), *value != 0));
    return make(ir::FloatImm(element, RoundTo(element, *value)));
  }
  const std::optional<int64_t> left = IntConstOf(a);
  const std::optional<int64_t> right = IntConstOf(b);
  if (!left || !right) return is_truth ? std::nullopt : DropNeutralInt(op, a, b);
  const std::optional<int64_t> value =
      is_truth ? ir::EvaluateWrapped(op, *left, *right) : FoldInt(op, *left, *right, element);
  if (!value) return std::nullopt;
  return make(ir::IntImm(is_truth ? ir::BoolType() : element, *value));
}

}  // namespace uir::tir
