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

/*! \brief Whether C++ arithmetic in a floating-point type equals that of the machine. */
bool IsNativeFloat(DLDataType dtype) {
  return dtype.code == kDLFloat && (dtype.bits == 32 || dtype.bits == 64);
}

double RoundTo(DLDataType dtype, double value) {
  return dtype.bits == 32 ? static_cast<double>(static_cast<float>(value)) : value;
}

uint64_t Bits(int64_t value) { return static_cast<uint64_t>(value); }

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/*! \brief The result before wrapping; `INT64_MIN / -1`, which overflows, is wrapped already. */
std::optional<int64_t> ComputeInt(BinaryKind kind, int64_t a, int64_t b) {
  const bool is_division = kind == BinaryKind::kDiv || kind == BinaryKind::kMod ||
                           kind == BinaryKind::kFloorDiv || kind == BinaryKind::kFloorMod;
  if (is_division && b == 0) return std::nullopt;
  switch (kind) {
    case BinaryKind::kAdd:
      return static_cast<int64_t>(Bits(a) + Bits(b));
    case BinaryKind::kSub:
      return static_cast<int64_t>(Bits(a) - Bits(b));
    case BinaryKind::kMul:
      return static_cast<int64_t>(Bits(a) * Bits(b));
    case BinaryKind::kDiv:
      return b == -1 ? static_cast<int64_t>(-Bits(a)) : a / b;
    case BinaryKind::kFloorDiv:
      return b == -1 ? static_cast<int64_t>(-Bits(a)) : FloorDivide(a, b);
    case BinaryKind::kMod:
      return b == -1 ? 0 : a % b;
    case BinaryKind::kFloorMod:
      return b == -1 ? 0 : a - b * FloorDivide(a, b);
    case BinaryKind::kMin:
      return a < b ? a : b;
    default:
      return a > b ? a : b;
  }
}

/*! \brief The result before rounding; `nullopt` for a division by 0 or another undefined result. */
std::optional<double> ComputeFloat(BinaryKind kind, double a, double b) {
  switch (kind) {
    case BinaryKind::kAdd:
      return a + b;
    case BinaryKind::kSub:
      return a - b;
    case BinaryKind::kMul:
      return a * b;
    case BinaryKind::kDiv:
      return b == 0 ? std::nullopt : std::optional<double>(a / b);
    case BinaryKind::kMin:
      return a < b ? a : b;
    case BinaryKind::kMax:
      return a > b ? a : b;
    default:
      return std::nullopt;
  }
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
std::optional<PrimExpr> DropNeutralInt(BinaryKind kind, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> left = IntConstOf(a);
  const std::optional<int64_t> right = IntConstOf(b);
  switch (kind) {
    case BinaryKind::kAdd:
      if (left == 0) return b;
      return right == 0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kSub:
      return right == 0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kMul:
      if (left == 0 || right == 1) return a;
      return left == 1 || right == 0 ? std::optional<PrimExpr>(b) : std::nullopt;
    case BinaryKind::kDiv:
    case BinaryKind::kFloorDiv:
      if (left == 0 && IsCheckedDivisor(b)) return std::nullopt;
      return left == 0 || right == 1 ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kMod:
    case BinaryKind::kFloorMod:
      if (left == 0) return IsCheckedDivisor(b) ? std::nullopt : std::optional<PrimExpr>(a);
      return right == 1 ? Zero(a->dtype) : std::nullopt;
    default:
      return a.same_as(b) ? std::optional<PrimExpr>(a) : std::nullopt;
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
std::optional<PrimExpr> DropNeutralFloat(BinaryKind kind, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<double> left = WrittenFloat(a);
  const std::optional<double> right = WrittenFloat(b);
  switch (kind) {
    case BinaryKind::kAdd:
      // -0.0 + 0.0 is 0.0.
      if (IsZero(left, true)) return b;
      return IsZero(right, true) ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kSub:
      return IsZero(right, false) ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kMul:
      if (left == 1.0) return b;
      return right == 1.0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kDiv:
      return right == 1.0 ? std::optional<PrimExpr>(a) : std::nullopt;
    case BinaryKind::kMin:
    case BinaryKind::kMax:
      return a.same_as(b) ? std::optional<PrimExpr>(a) : std::nullopt;
    default:
      return std::nullopt;
  }
}

template <typename T>
bool Compare(CompareKind kind, T a, T b) {
  switch (kind) {
    case CompareKind::kEQ:
      return a == b;
    case CompareKind::kNE:
      return a != b;
    case CompareKind::kLT:
      return a < b;
    case CompareKind::kLE:
      return a <= b;
    case CompareKind::kGT:
      return a > b;
    default:
      return a >= b;
  }
}

std::optional<int64_t> ComputeBits(BitKind kind, int64_t a, int64_t b, DLDataType dtype) {
  switch (kind) {
    case BitKind::kAnd:
      return a & b;
    case BitKind::kOr:
      return a | b;
    case BitKind::kXor:
      return a ^ b;
    default:
      break;
  }
  if (b < 0 || b >= dtype.bits) return std::nullopt;
  // Constants of unsigned types are never negative, so signed and unsigned ones shift alike.
  return kind == BitKind::kShiftLeft ? static_cast<int64_t>(Bits(a) << b) : a >> b;
}

}  // namespace

int64_t WrapInt(int64_t value, DLDataType dtype) {
  const int unused = 64 - dtype.bits;
  if (unused <= 0) return value;
  const uint64_t shifted = Bits(value) << unused;
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

std::optional<int64_t> FoldInt(BinaryKind kind, int64_t a, int64_t b, DLDataType dtype) {
  const std::optional<int64_t> value = ComputeInt(kind, a, b);
  const int64_t wrapped = value ? WrapInt(*value, dtype) : 0;
  return value && wrapped >= ir::MinValue(dtype) ? std::optional<int64_t>(wrapped) : std::nullopt;
}

std::optional<PrimExpr> FoldBinary(BinaryKind kind, const PrimExpr& a, const PrimExpr& b) {
  if (!ir::IsNumber(a->dtype)) return std::nullopt;
  const DLDataType element = ir::ElementOf(a->dtype);
  if (ir::IsInteger(element)) {
    const std::optional<int64_t> left = IntConstOf(a);
    const std::optional<int64_t> right = IntConstOf(b);
    if (!left || !right) return DropNeutralInt(kind, a, b);
    const std::optional<int64_t> value = FoldInt(kind, *left, *right, element);
    if (!value) return std::nullopt;
    return BroadcastToType(ir::IntImm(element, *value), a->dtype);
  }
  const std::optional<double> left = FloatConstOf(a);
  const std::optional<double> right = FloatConstOf(b);
  if (!left || !right) return DropNeutralFloat(kind, a, b);
  const std::optional<double> value = ComputeFloat(kind, *left, *right);
  if (!value) return std::nullopt;
  return BroadcastToType(ir::FloatImm(element, RoundTo(element, *value)), a->dtype);
}

std::optional<PrimExpr> FoldCompare(CompareKind kind, const PrimExpr& a, const PrimExpr& b) {
  std::optional<bool> result;
  if (ir::IsFloat(a->dtype)) {
    const std::optional<double> left = FloatConstOf(a);
    const std::optional<double> right = FloatConstOf(b);
    if (left && right) result = Compare(kind, *left, *right);
  } else {
    const std::optional<int64_t> left = IntConstOf(a);
    const std::optional<int64_t> right = IntConstOf(b);
    if (left && right) result = Compare(kind, *left, *right);
  }
  if (!result) return std::nullopt;
  const DLDataType dtype = ir::BoolType(ir::LanesOf(a->dtype));
  return BroadcastToType(ir::IntImm(ir::BoolType(), *result), dtype);
}

std::optional<PrimExpr> FoldBits(BitKind kind, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> left = IntConstOf(a);
  const std::optional<int64_t> right = IntConstOf(b);
  const bool is_shift = kind == BitKind::kShiftLeft || kind == BitKind::kShiftRight;
  if (is_shift && right == 0) return a;
  if (!left || !right) return std::nullopt;
  const DLDataType element = ir::ElementOf(a->dtype);
  const std::optional<int64_t> value = ComputeBits(kind, *left, *right, element);
  const std::optional<PrimExpr> folded = value ? WrappedConst(*value, element) : std::nullopt;
  if (!folded) return std::nullopt;
  return BroadcastToType(*folded, a->dtype);
}

}  // namespace uir::tir
