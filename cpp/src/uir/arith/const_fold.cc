// Operations on constants, and the making of nodes.
#include "./const_fold.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/arith/integer_domain.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <cmath>

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief Drop the bits that a type has no place for. */
std::optional<int64_t> Wrap(DLDataType dtype, uint64_t value) {
  const int unused = 64 - dtype.bits;
  if (dtype.code == kDLInt) {
    return static_cast<int64_t>(value << unused) >> unused;
  }
  const uint64_t wrapped = (value << unused) >> unused;
  if (wrapped > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<int64_t>(wrapped);
}

std::optional<int64_t> FoldQuotient(Case op, DLDataType dtype, int64_t a, int64_t b) {
  if (b == 0 || (a == ir::MinValue(dtype) && b == -1)) return std::nullopt;
  switch (op) {
    case Case::kDiv:
      return a / b;
    case Case::kMod:
      return a % b;
    case Case::kFloorDiv:
      return FloorDiv(a, b);
    default:
      return FloorMod(a, b);
  }
}

bool Compare(Case op, int64_t a, int64_t b) {
  switch (op) {
    case Case::kEQ:
      return a == b;
    case Case::kNE:
      return a != b;
    case Case::kLT:
      return a < b;
    case Case::kLE:
      return a <= b;
    case Case::kGT:
      return a > b;
    default:
      return a >= b;
  }
}

/*! \brief The result on numbers of the same type; None if it is infinite or no number. */
ffi::Optional<PrimExpr> FoldFloats(Case op, const PrimExpr& a, const PrimExpr& b) {
  if (!tir::FloatConstOf(a) || !tir::FloatConstOf(b)) return std::nullopt;
  // The kinds stand in the order of the nodes.
  const int first = static_cast<int>(IsComparison(op) ? Case::kEQ : Case::kAdd);
  const int kind = static_cast<int>(op) - first;
  const std::optional<PrimExpr> folded =
      IsComparison(op) ? tir::FoldCompare(static_cast<tir::CompareKind>(kind), a, b)
                       : tir::FoldBinary(static_cast<tir::BinaryKind>(kind), a, b);
  if (!folded) return std::nullopt;
  const auto* number = folded->as<ir::FloatImmNode>();
  if (number != nullptr && !std::isfinite(number->value)) return std::nullopt;
  return *folded;
}

}  // namespace

Operands OperandsOf(const ir::PrimExprNode* node, Case op) {
  if (IsArithmetic(op)) {
    const auto* binary = static_cast<const tir::BinaryOpNode*>(node);
    return {&binary->a, &binary->b};
  }
  if (IsComparison(op)) {
    const auto* comparison = static_cast<const tir::CmpOpNode*>(node);
    return {&comparison->a, &comparison->b};
  }
  const auto* logical = static_cast<const tir::LogicalOpNode*>(node);
  return {&logical->a, &logical->b};
}

std::optional<int64_t> ConstIntOf(const PrimExpr& expr) {
  if (const auto* constant = expr.as<ir::IntImmNode>()) return constant->value;
  const auto* broadcast = expr.as<tir::BroadcastNode>();
  return broadcast == nullptr ? std::nullopt : ConstIntOf(broadcast->value);
}

bool IsTrue(const PrimExpr& expr) {
  return ir::IsBool(expr->dtype) && ConstIntOf(expr).value_or(0) != 0;
}

bool IsFalse(const PrimExpr& expr) {
  return ir::IsBool(expr->dtype) && ConstIntOf(expr).value_or(1) == 0;
}

bool IsSame(const PrimExpr& a, const PrimExpr& b) {
  if (a.same_as(b)) return true;
  if (a->type_index() != b->type_index() || a->dtype != b->dtype) return false;
  if (const auto* constant = a.as<ir::IntImmNode>()) {
    return constant->value == static_cast<const ir::IntImmNode*>(b.get())->value;
  }
  const Case op = CaseOf(a);
  if (op == Case::kVar || op == Case::kSizeVar) return false;
  return tschema::StructuralEqual(a, b);
}

PrimExpr MakeInt(DLDataType dtype, int64_t value) {
  PrimExpr constant = ir::IntImm(ir::ElementOf(dtype), value);
  if (ir::IsScalar(dtype)) return constant;
  return tir::Broadcast(std::move(constant), ir::LanesOf(dtype));
}

PrimExpr MakeBool(bool value, int lanes) { return MakeInt(ir::BoolType(lanes), value ? 1 : 0); }

std::optional<int64_t> FoldInt(Case op, DLDataType dtype, int64_t a, int64_t b) {
  const auto unsigned_a = static_cast<uint64_t>(a);
  const auto unsigned_b = static_cast<uint64_t>(b);
  switch (op) {
    case Case::kAdd:
      return Wrap(dtype, unsigned_a + unsigned_b);
    case Case::kSub:
      return Wrap(dtype, unsigned_a - unsigned_b);
    case Case::kMul:
      return Wrap(dtype, unsigned_a * unsigned_b);
    case Case::kMin:
      return std::min(a, b);
    case Case::kMax:
      return std::max(a, b);
    default:
      return FoldQuotient(op, dtype, a, b);
  }
}

bool Overflows(Case op, DLDataType dtype, int64_t a, int64_t b) {
  if (!IsRing(op) || !IsIndex(dtype)) return false;
  int64_t exact = 0;
  const bool is_beyond = op == Case::kAdd   ? __builtin_add_overflow(a, b, &exact)
                         : op == Case::kSub ? __builtin_sub_overflow(a, b, &exact)
                                            : __builtin_mul_overflow(a, b, &exact);
  return is_beyond || exact < ir::MinValue(dtype) || exact > ir::MaxValue(dtype);
}

ffi::Optional<PrimExpr> FoldBinary(Case op, const PrimExpr& a, const PrimExpr& b) {
  const auto* a_float = a.as<ir::FloatImmNode>();
  const auto* b_float = b.as<ir::FloatImmNode>();
  if (a_float != nullptr && b_float != nullptr) return FoldFloats(op, a, b);
  const std::optional<int64_t> a_value = ConstIntOf(a);
  const std::optional<int64_t> b_value = a_value ? ConstIntOf(b) : std::nullopt;
  if (!b_value) return std::nullopt;
  const int lanes = ir::LanesOf(a->dtype);
  if (IsComparison(op)) return MakeBool(Compare(op, *a_value, *b_value), lanes);
  if (op == Case::kAnd) return MakeBool(*a_value != 0 && *b_value != 0, lanes);
  if (op == Case::kOr) return MakeBool(*a_value != 0 || *b_value != 0, lanes);
  const DLDataType element = ir::ElementOf(a->dtype);
  const std::optional<int64_t> value = FoldInt(op, element, *a_value, *b_value);
  if (!value) return std::nullopt;
  return MakeInt(a->dtype, *value);
}

PrimExpr MakeBinary(Case op, PrimExpr a, PrimExpr b, const ffi::Optional<ir::Span>& span) {
  switch (op) {
#define UIR_ARITH_MAKE(Name) \
  case Case::k##Name:        \
    return tir::Name(std::move(a), std::move(b), span);
    UIR_ARITH_MAKE(Add)
    UIR_ARITH_MAKE(Sub)
    UIR_ARITH_MAKE(Mul)
    UIR_ARITH_MAKE(Div)
    UIR_ARITH_MAKE(Mod)
    UIR_ARITH_MAKE(FloorDiv)
    UIR_ARITH_MAKE(FloorMod)
    UIR_ARITH_MAKE(Min)
    UIR_ARITH_MAKE(Max)
    UIR_ARITH_MAKE(EQ)
    UIR_ARITH_MAKE(NE)
    UIR_ARITH_MAKE(LT)
    UIR_ARITH_MAKE(LE)
    UIR_ARITH_MAKE(GT)
    UIR_ARITH_MAKE(GE)
    UIR_ARITH_MAKE(And)
    UIR_ARITH_MAKE(Or)
#undef UIR_ARITH_MAKE
    default:
      TVM_FFI_ICHECK(false) << "no operation with two operands: " << static_cast<int>(op);
      TVM_FFI_UNREACHABLE();
  }
}

}  // namespace uir::arith
