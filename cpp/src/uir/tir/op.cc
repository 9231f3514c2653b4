// Constants, conversions and calls of intrinsics.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/type_name.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

PrimExpr BroadcastToLanes(PrimExpr value, int lanes) {
  if (lanes == ir::LanesOf(value->dtype)) return value;
  return Broadcast(std::move(value), lanes);
}

std::optional<PrimExpr> FloatConst(double value, DLDataType dtype) {
  if (std::isfinite(value) && std::fabs(value) > ir::MaxFinite(dtype)) return std::nullopt;
  return ir::FloatImm(dtype, value);
}

/*! \brief An integer as a floating-point constant, rounded at most once. */
std::optional<PrimExpr> IntAsFloat(int64_t value, DLDataType dtype) {
  if (dtype.code == kDLFloat && dtype.bits == 64)
    return FloatConst(static_cast<double>(value), dtype);
  if (dtype.code == kDLFloat && dtype.bits == 32)
    return FloatConst(static_cast<float>(value), dtype);
  // Rounding an inexact double to another format would round twice.
  constexpr int64_t kExact = int64_t{1} << 53;
  if (value < -kExact || value > kExact) return std::nullopt;
  return FloatConst(static_cast<double>(value), dtype);
}

std::optional<PrimExpr> ConvertInt(int64_t value, DLDataType dtype) {
  if (ir::IsBool(dtype)) return ir::IntImm(dtype, value != 0);
  if (ir::IsFloat(dtype)) return IntAsFloat(value, dtype);
  if (!ir::IsInteger(dtype)) return std::nullopt;
  return WrappedConst(value, dtype);
}

std::optional<PrimExpr> ConvertFloat(double value, DLDataType dtype) {
  if (ir::IsFloat(dtype)) return FloatConst(value, dtype);
  if (ir::IsBool(dtype)) return ir::IntImm(dtype, value != 0);
  // Doubles beyond this magnitude are more than 1 apart, and int64_t ends near it.
  constexpr double kExact = 9007199254740992.0;
  if (!ir::IsInteger(dtype) || !(std::fabs(value) <= kExact)) return std::nullopt;
  const auto truncated = static_cast<int64_t>(value);
  const bool fits = ir::MinValue(dtype) <= truncated && truncated <= ir::MaxValue(dtype);
  return fits ? std::optional<PrimExpr>(ir::IntImm(dtype, truncated)) : std::nullopt;
}

std::optional<PrimExpr> ConvertConst(const PrimExpr& value, DLDataType dtype) {
  if (const auto* integer = value.as<ir::IntImmNode>()) return ConvertInt(integer->value, dtype);
  const auto* number = value.as<ir::FloatImmNode>();
  if (number == nullptr) return std::nullopt;
  if (const std::optional<double> rounded = FloatConstOf(value)) {
    return ConvertFloat(*rounded, dtype);
  }
  // C++ cannot round to other formats, but those of 16 bits or more hold halves up to 64 exactly.
  const bool is_exact = value->dtype.bits >= 16 && std::fabs(number->value) <= 64 &&
                        number->value * 2 == std::trunc(number->value * 2);
  return is_exact ? ConvertFloat(number->value, dtype) : std::nullopt;
}

/*! \brief The order of conversion: booleans become integers, integers floating-point numbers. */
int Rank(DLDataType dtype) {
  if (ir::IsFloat(dtype)) return 3;
  if (ir::IsInteger(dtype)) return 2;
  return ir::IsBool(dtype) ? 1 : 0;
}

/*! \brief The common type to which operands of two scalar types are converted, if any. */
std::optional<DLDataType> CommonType(DLDataType a, DLDataType b) {
  if (a == b) return a;
  if (Rank(a) == 0 || Rank(b) == 0) return std::nullopt;
  if (Rank(a) != Rank(b)) return Rank(a) > Rank(b) ? a : b;
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  // Two floating-point formats with equally many bits do not hold each other's values.
  if (ir::IsFloat(a)) return std::nullopt;
  return ir::IntType(a.bits);
}

[[noreturn]] void ThrowNoCommonType(const PrimExpr& a, const PrimExpr& b) {
  TVM_FFI_THROW(TypeError) << "operands `a` and `b` have no common data type, got `" << a->dtype
                           << "` and `" << b->dtype << "` (a = " << ir::describe(a)
                           << ", b = " << ir::describe(b) << ")";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The number of lanes to which both operands are broadcast. */
int CommonLanes(const PrimExpr& a, const PrimExpr& b) {
  const int a_lanes = ir::LanesOf(a->dtype);
  const int b_lanes = ir::LanesOf(b->dtype);
  if (a_lanes != b_lanes && a_lanes != 1 && b_lanes != 1) ThrowNoCommonType(a, b);
  return a_lanes == 1 ? b_lanes : a_lanes;
}

DLDataType DefaultType(const ffi::Any& value) {
  if (value.type_index() == ffi::TypeIndex::kTVMFFIBool) return ir::BoolType();
  if (value.type_index() == ffi::TypeIndex::kTVMFFIFloat) return ir::FloatType(32);
  const int64_t integer = value.cast<int64_t>();
  return ir::IntType(INT32_MIN <= integer && integer <= INT32_MAX ? 32 : 64);
}

bool IsPlainNumber(const ffi::Any& value) {
  return value.type_index() == ffi::TypeIndex::kTVMFFIBool ||
         value.type_index() == ffi::TypeIndex::kTVMFFIInt ||
         value.type_index() == ffi::TypeIndex::kTVMFFIFloat;
}

/*! \brief The type of a number beside an operand: the operand's type, if that holds the number. */
DLDataType TypeBeside(const ffi::Any& value, DLDataType other) {
  const DLDataType own = DefaultType(value);
  return Rank(other) >= Rank(own) ? ir::ElementOf(other) : own;
}

}  // namespace

PrimExpr make_const(ffi::Any value, ffi::Optional<DLDataType> dtype, ffi::Optional<ir::Span> span) {
  if (!IsPlainNumber(value)) {
    TVM_FFI_THROW(TypeError) << "make_const: `value` must be a boolean or a number, got `"
                             << ir::TypeNameOf(value) << "` (value = " << ir::describe(value)
                             << ")";
  }
  const DLDataType type = dtype.has_value() ? dtype.value() : DefaultType(value);
  const DLDataType element = ir::ElementOf(type);
  if (ir::IsFloat(element)) {
    return BroadcastToLanes(ir::FloatImm(element, value.cast<double>(), std::move(span)),
                            ir::LanesOf(type));
  }
  if (value.type_index() == ffi::TypeIndex::kTVMFFIFloat) {
    TVM_FFI_THROW(TypeError) << "make_const: `dtype` must be a floating-point type for "
                             << value.cast<double>() << ", got `" << type << "`";
  }
  return BroadcastToLanes(ir::IntImm(element, value.cast<int64_t>(), std::move(span)),
                          ir::LanesOf(type));
}

PrimExpr as_expr(ffi::Any value, ffi::Optional<PrimExpr> like) {
  if (std::optional<PrimExpr> expr = value.as<PrimExpr>()) return *expr;
  if (!IsPlainNumber(value)) {
    TVM_FFI_THROW(TypeError) << "as_expr: `value` must be an expression, a boolean or a number, "
                             << "got `" << ir::TypeNameOf(value) << "`";
  }
  if (!like.has_value()) return make_const(value);
  return make_const(value, TypeBeside(value, like.value()->dtype));
}

PrimExpr cast(PrimExpr value, DLDataType dtype, ffi::Optional<ir::Span> span) {
  if (value->dtype == dtype) return value;
  const DLDataType element = ir::ElementOf(dtype);
  if (!ir::IsScalar(value->dtype)) return Cast(dtype, std::move(value), std::move(span));
  if (value->dtype != element) {
    const std::optional<PrimExpr> constant = ConvertConst(value, element);
    value = constant ? *constant : Cast(element, std::move(value), std::move(span));
  }
  return BroadcastToLanes(std::move(value), ir::LanesOf(dtype));
}

PrimExpr select(PrimExpr condition, PrimExpr true_value, PrimExpr false_value,
                ffi::Optional<ir::Span> span) {
  const ffi::Tuple<PrimExpr, PrimExpr> values =
      match_types(std::move(true_value), std::move(false_value));
  const std::optional<int64_t> decided = IntConstOf(condition);
  if (decided && condition->dtype == ir::BoolType()) {
    return *decided != 0 ? values.get<0>() : values.get<1>();
  }
  return Select(std::move(condition), values.get<0>(), values.get<1>(), std::move(span));
}

ffi::Tuple<PrimExpr, PrimExpr> match_types(PrimExpr a, PrimExpr b) {
  using Operands = ffi::Tuple<PrimExpr, PrimExpr>;
  if (a->dtype == b->dtype) return Operands(std::move(a), std::move(b));
  const int lanes = CommonLanes(a, b);
  const std::optional<DLDataType> common =
      CommonType(ir::ElementOf(a->dtype), ir::ElementOf(b->dtype));
  if (!common) ThrowNoCommonType(a, b);
  const DLDataType dtype = ir::WithLanes(*common, lanes);
  return Operands(cast(std::move(a), dtype), cast(std::move(b), dtype));
}

PrimExpr call_intrin(DLDataType dtype, ffi::String name, ffi::Array<PrimExpr> args,
                     ffi::Optional<ir::Span> span) {
  return Call(dtype, ir::get_op(std::move(name)), std::move(args), std::move(span));
}

CallEffectKind effect_kind(ir::Op op) {
  const std::optional<int64_t> kind = ir::op_attr(op, "TCallEffectKind").as<int64_t>();
  return kind ? static_cast<CallEffectKind>(*kind) : CallEffectKind::kUpdateState;
}

}  // namespace uir::tir
