// Powers with constant exponents, as products, quotients and roots.
#include "./constant_power.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/math.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

namespace uir::target {

namespace {

using ir::PrimExpr;

PrimExpr Number(double value, const PrimExpr& like) { return tir::make_const(value, like->dtype); }

PrimExpr Square(const PrimExpr& x) { return tir::mul(x, x); }

PrimExpr Cube(const PrimExpr& x) { return tir::mul(Square(x), x); }

PrimExpr Reciprocal(const PrimExpr& x) { return tir::div(Number(1, x), x); }

/*! \brief The root of numbers: that of -0.0 is 0.0, as `pow` has it, and not -0.0. */
PrimExpr RootOf(const PrimExpr& x) { return tir::sqrt(tir::add(x, Number(0, x))); }

/*! \brief `pow` has a value for -inf, where there is no root. */
PrimExpr AtMinusInfinity(const PrimExpr& x, double value, const PrimExpr& otherwise) {
  const PrimExpr is_lowest = tir::equal(x, Number(-std::numeric_limits<double>::infinity(), x));
  return tir::select(is_lowest, Number(value, x), otherwise);
}

PrimExpr Root(const PrimExpr& x) {
  return AtMinusInfinity(x, std::numeric_limits<double>::infinity(), RootOf(x));
}

PrimExpr ReciprocalRoot(const PrimExpr& x) { return AtMinusInfinity(x, 0, Reciprocal(RootOf(x))); }

struct KnownPower {
  double exponent;
  /*! \brief Takes a variable, or the square for the exponent 4. */
  PrimExpr (*of)(const PrimExpr& x);
  bool is_of_square = false;
  bool has_integers = false;
};

// tests/python/uir/target/test_constant_power.py compares each with `pow`.
constexpr KnownPower kPowers[] = {
    {2, Square, false, true},
    {3, Cube, false, true},
    {4, Square, true, true},
    {-1, Reciprocal},
    {0.5, Root},
    {-0.5, ReciprocalRoot},
};

std::optional<double> ExponentOf(const PrimExpr& expr) {
  if (const auto* lanes = expr.as<tir::BroadcastNode>()) return ExponentOf(lanes->value);
  if (const auto* number = expr.as<ir::FloatImmNode>()) return number->value;
  const std::optional<int64_t> integer = tir::IntConstOf(expr);
  return integer ? std::optional<double>(static_cast<double>(*integer)) : std::nullopt;
}

const KnownPower* FindPower(double exponent) {
  const auto* found =
      std::find_if(std::begin(kPowers), std::end(kPowers),
                   [&](const KnownPower& power) { return power.exponent == exponent; });
  return found == std::end(kPowers) ? nullptr : found;
}

/*! \brief An expression over a variable that is computed once. */
template <typename Body>
PrimExpr WithVariable(const PrimExpr& value, const Body& body) {
  const tir::Var var("base", value->dtype);
  return tir::Let(var, value, body(var));
}

}  // namespace

ffi::Optional<PrimExpr> ConstantPower(const tir::CallNode* call) {
  const DLDataType dtype = call->dtype;
  const std::optional<double> exponent = ExponentOf(call->args[1]);
  const KnownPower* power = exponent ? FindPower(*exponent) : nullptr;
  const bool is_real = dtype.code == kDLFloat;
  if (power == nullptr || !(is_real || (ir::IsInteger(dtype) && power->has_integers))) {
    return std::nullopt;
  }
  // Halves are rounded once.
  const bool is_half = is_real && dtype.bits == 16;
  const DLDataType wide = is_half ? ir::FloatType(32, ir::LanesOf(dtype)) : dtype;
  const PrimExpr made = WithVariable(tir::cast(call->args[0], wide), [&](const PrimExpr& x) {
    return power->is_of_square ? WithVariable(Square(x), power->of) : power->of(x);
  });
  return tir::cast(made, dtype);
}

}  // namespace uir::target
