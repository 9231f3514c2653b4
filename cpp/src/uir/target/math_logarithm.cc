// Logarithms: `log(x) = n * log(2) + log(1 + f)` with `1 + f` between sqrt(1/2) and sqrt(2).
#include <uir/tir/op.h>

#include <limits>
#include <optional>

#include "./math_function.h"

namespace uir::target {

using ir::PrimExpr;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/*! \brief log(2) in two parts; products of the first one and an exponent are exact. */
constexpr double kLog2High = 0.693359375;
constexpr double kLog2Low = -2.12194440e-4;
constexpr double kLog2 = 0.69314718055994531;
/*! \brief Magnitudes below it are their own `log1p`, `asinh` and `atanh`. */
constexpr double kTiny = 0x1p-25;
/*! \brief Above it, `asinh(x)` and `acosh(x)` are `log(2 * x)`. */
constexpr double kLarge = 0x1p30;
/*! \brief The bits of sqrt(1/2). */
constexpr int32_t kRootOfHalf = 0x3F3504F3;

/*! \brief Take a normal positive number apart. */
Parts Split(MathBody* body, const PrimExpr& x) {
  const PrimExpr bits = body->Let("bits", body->Bits(x));
  const PrimExpr n = body->Let("n", (bits - kRootOfHalf) >> kFractionBits);
  const PrimExpr mantissa = body->FromBits(bits - (n << kFractionBits));
  return {n, body->Let("f", mantissa - 1.0)};
}

/*! \brief `(log(1 + f) - f) / f**2`, with an error of 2**-26.8 of `log(1 + f)`. */
PrimExpr Curvature(MathBody* body, const PrimExpr& f) {
  return body->Let("p", Polynomial(f, {-0.5, 0.33333331, -0.25000823, 0.20001261, -0.16623060,
                                       0.14200488, -0.13164969, 0.12772779, -0.076259881}));
}

/*! \brief `log(1 + f)`. */
PrimExpr LogOfFraction(MathBody* body, const PrimExpr& f) {
  const PrimExpr p = Curvature(body, f);
  return MultiplyAdd(f * f, p, f);
}

/*! \brief The value, of 0 -inf, of negative numbers NaN, and of inf and NaN these. */
PrimExpr WithSpecials(MathBody* body, const PrimExpr& x, const PrimExpr& zero,
                      const PrimExpr& value) {
  const PrimExpr finite = body->Let("finite", body->Select(x < kInfinity, value, x));
  const PrimExpr defined = body->Let("defined", body->Select(x < zero, body->Number(kNaN), finite));
  return body->Select(tir::equal(x, zero), body->Number(-kInfinity), defined);
}

/*! \brief `log(u + lost)` of a normal number, and a second one that is below its precision. */
PrimExpr LogOfSum(MathBody* body, const PrimExpr& u, const PrimExpr& lost,
                  const std::optional<PrimExpr>& doublings = std::nullopt) {
  const Parts parts = Split(body, u);
  PrimExpr n = body->ToFloat(parts.n);
  if (doublings) n = n + *doublings;
  n = body->Let("n_float", n);
  const PrimExpr correction = body->Let("correction", tir::div(lost, u));
  const PrimExpr fraction = body->Let("fraction", LogOfFraction(body, parts.f));
  const PrimExpr low = body->Let("low", MultiplyAdd(n, kLog2Low, correction) + fraction);
  return body->Let("value", MultiplyAdd(n, kLog2High, low));
}

/*! \brief `log(1 + (a + b))` with `a >= b`, or `log(2 * x)` for large numbers and infinity. */
PrimExpr LogOfGrowth(MathBody* body, const PrimExpr& a, const PrimExpr& b, const PrimExpr& x,
                     const PrimExpr& is_large) {
  const PrimExpr sum = body->Let("sum", a + b);
  const PrimExpr of_sum = body->Let("of_sum", b - (sum - a));
  const PrimExpr whole = body->Let("whole", sum + 1.0);
  const PrimExpr of_whole = body->Select(sum < 1.0, sum - (whole - 1.0), 1.0 - (whole - sum));
  const PrimExpr u = body->Let("u", body->Select(is_large, x, whole));
  const PrimExpr zero = body->Number(0.0);
  const PrimExpr lost = body->Let("lost", body->Select(is_large, zero, of_whole + of_sum));
  const PrimExpr doublings = body->Select(is_large, body->Number(1.0), zero);
  return WithSpecials(body, u, zero, LogOfSum(body, u, lost, doublings));
}

/*! \brief `log(x)` times a factor, which float64 adds up. */
PrimExpr Scaled(MathBody* body, double factor) {
  const Parts parts = SplitAny(body, body->x());
  const PrimExpr curve = body->Let("curve", parts.f * parts.f * Curvature(body, parts.f));
  const PrimExpr fraction = body->Let("fraction", body->ToDouble(parts.f) + body->ToDouble(curve));
  const PrimExpr sum = body->Let("sum", body->ToDouble(parts.n) * kLog2 + fraction);
  return WithSpecials(body, body->x(), body->Number(0.0),
                      body->Let("value", body->ToFloat(sum * factor)));
}

}  // namespace

Parts SplitAny(MathBody* body, const PrimExpr& x) {
  constexpr double kLeastNormal = std::numeric_limits<float>::min();
  const PrimExpr is_small = body->Let("is_small", x < kLeastNormal);
  const PrimExpr normal = body->Let("normal", body->Select(is_small, x * 8388608.0, x));
  const PrimExpr zero = tir::make_const(0, body->Bits(x)->dtype);
  const PrimExpr shift = body->Let("shift", body->Select(is_small, zero + kFractionBits, zero));
  const Parts parts = Split(body, normal);
  return {body->Let("exponent", parts.n - shift), parts.f};
}

PrimExpr Log(MathBody* body) {
  const Parts parts = SplitAny(body, body->x());
  const PrimExpr n = body->Let("n_float", body->ToFloat(parts.n));
  const PrimExpr fraction = body->Let("fraction", LogOfFraction(body, parts.f));
  const PrimExpr low = body->Let("low", MultiplyAdd(n, kLog2Low, fraction));
  return WithSpecials(body, body->x(), body->Number(0.0),
                      body->Let("value", MultiplyAdd(n, kLog2High, low)));
}

PrimExpr Log2(MathBody* body) { return Scaled(body, 1.4426950408889634); }

PrimExpr Log10(MathBody* body) { return Scaled(body, 0.43429448190325183); }

PrimExpr Log1p(MathBody* body) {
  const PrimExpr x = body->x();
  const PrimExpr u = body->Let("u", x + 1.0);
  // The rounding error of the sum.
  const PrimExpr lost = body->Let("lost", body->Select(x < 1.0, x - (u - 1.0), 1.0 - (u - x)));
  const PrimExpr value = LogOfSum(body, u, lost);
  const PrimExpr is_tiny = body->Abs(x) < kTiny;
  return WithSpecials(body, x, body->Number(-1.0),
                      body->Let("any", body->Select(is_tiny, x, value)));
}

PrimExpr Asinh(MathBody* body) {
  // log(1 + (m + m**2 / (1 + sqrt(1 + m**2)))), and log(m) + log(2) where squares are infinite.
  const PrimExpr m = body->Let("m", body->Abs(body->x()));
  const PrimExpr is_large = body->Let("is_large", m > kLarge);
  const PrimExpr square = body->Let("square", m * m);
  const PrimExpr root = body->Let("root", body->Call("sqrt", square + 1.0));
  const PrimExpr more = body->Let("more", tir::div(square, root + 1.0));
  const PrimExpr value = LogOfGrowth(body, m, more, m, is_large);
  const PrimExpr is_tiny = m < kTiny;
  return body->WithSign(body->Let("any", body->Select(is_tiny, m, value)), body->x());
}

PrimExpr Acosh(MathBody* body) {
  // log(1 + (t + sqrt(t * (x + 1)))) with t = x - 1, and log(x) + log(2) for large numbers.
  const PrimExpr x = body->x();
  const PrimExpr is_large = body->Let("is_large", x > kLarge);
  const PrimExpr t = body->Let("t", x - 1.0);
  const PrimExpr root = body->Let("root", body->Call("sqrt", MultiplyAdd(t, t, t + t)));
  const PrimExpr value = LogOfGrowth(body, root, t, x, is_large);
  return body->Select(x < 1.0, body->Number(kNaN), value);
}

PrimExpr Atanh(MathBody* body) {
  // log(1 + 2 * m / (1 - m)) / 2.
  const PrimExpr m = body->Let("m", body->Abs(body->x()));
  const PrimExpr rest = body->Let("rest", 1.0 - m);
  const PrimExpr ratio = body->Let("ratio", tir::div(m + m, rest));
  const PrimExpr u = body->Let("u", ratio + 1.0);
  // The rounding errors of the difference, of the quotient and of the sum.
  const PrimExpr of_rest = body->Let("of_rest", (1.0 - rest) - m);
  const PrimExpr remainder = MultiplyAdd(-ratio, rest, m + m) - ratio * of_rest;
  const PrimExpr of_ratio = body->Let("of_ratio", tir::div(remainder, rest));
  const PrimExpr of_sum = body->Select(ratio < 1.0, ratio - (u - 1.0), 1.0 - (u - ratio));
  const PrimExpr lost = body->Let("lost", of_sum + of_ratio);
  const PrimExpr half = body->Let("half", LogOfSum(body, u, lost) * 0.5);
  const PrimExpr value = WithSpecials(body, u, body->Number(0.0), half);
  const PrimExpr is_tiny = m < kTiny;
  return body->WithSign(body->Let("any", body->Select(is_tiny, m, value)), body->x());
}

}  // namespace uir::target
