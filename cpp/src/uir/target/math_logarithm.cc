// Logarithms: `log(x) = n * log(2) + log(1 + f)` with `1 + f` between sqrt(1/2) and sqrt(2).
#include <uir/tir/op.h>

#include <limits>

#include "./math_function.h"

namespace uir::target {

using ir::PrimExpr;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/*! \brief log(2) in two parts; products of the first one and an exponent are exact. */
constexpr double kLog2High = 0.693359375;
constexpr double kLog2Low = -2.12194440e-4;
constexpr double kLog2 = 0.69314718055994531;
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
  const Parts parts = Split(body, u);
  const PrimExpr n = body->Let("n_float", body->ToFloat(parts.n));
  // The rounding error of the sum.
  const PrimExpr lost = body->Let("lost", body->Select(x < 1.0, x - (u - 1.0), 1.0 - (u - x)));
  const PrimExpr correction = body->Let("correction", tir::div(lost, u));
  const PrimExpr fraction = body->Let("fraction", LogOfFraction(body, parts.f));
  const PrimExpr low = body->Let("low", MultiplyAdd(n, kLog2Low, correction) + fraction);
  const PrimExpr value = body->Let("value", MultiplyAdd(n, kLog2High, low));
  const PrimExpr is_tiny = body->Abs(x) < 2.98023224e-08;
  return WithSpecials(body, x, body->Number(-1.0),
                      body->Let("any", body->Select(is_tiny, x, value)));
}

}  // namespace uir::target
