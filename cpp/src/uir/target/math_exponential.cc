// Exponentials, and functions that are made of them.
//
// `b**x = 2**n * b**r` with `n` the nearest integer to `x * log2(b)`, and a polynomial for the
// small `r`. The polynomials are minimax ones whose coefficients were rounded to float32 one after
// the other.
#include "./math_function.h"

namespace uir::target {

using ir::PrimExpr;

namespace {

/*! \brief The bits of 1.0. */
constexpr int32_t kOne = 0x3F800000;
/*! \brief The bits of sign and exponent. */
constexpr int32_t kExponent = ~0x007FFFFF;

/*! \brief `2**n * b**r`, the parts of a power of a base. */
struct Power {
  /*! \brief `n + kRounding`. */
  PrimExpr shifted;
  PrimExpr fraction;
};

/*! \brief A base: its logarithms, and the polynomial. */
struct Base {
  /*! \brief `log2(b)`. */
  double per_unit;
  /*! \brief `log_b(2)`, in two parts; products of the first one and an exponent are exact. */
  double high;
  double low;
};

constexpr Base kE = {1.44269504, 0.693359375, -2.12194440e-4};
constexpr Base kTen = {3.321928094887362, 0.301025390625, 4.60503907e-06};

/*! \brief The remainder `x - n * log_b(2)`, and `n`. */
Power ReduceToPower(MathBody* body, const PrimExpr& x, const Base& base) {
  const PrimExpr shifted = body->Let("shifted", MultiplyAdd(x, base.per_unit, kRounding));
  const PrimExpr n = body->Let("n", shifted - kRounding);
  const PrimExpr high = body->Let("high", MultiplyAdd(n, -base.high, x));
  return {shifted, body->Let("r", MultiplyAdd(n, -base.low, high))};
}

/*! \brief `exp(r) - 1` for `abs(r) <= log(2) / 2`, with an error of 2**-28 of `exp(r)`. */
PrimExpr ExpOfFractionLessOne(MathBody* body, const PrimExpr& r) {
  const PrimExpr p = body->Let(
      "p", Polynomial(r, {0.49999994, 0.16666509, 0.041668009, 0.0083699795, 0.0013846685}));
  return MultiplyAdd(p * r, r, r);
}

/*! \brief `exp(r)`. */
PrimExpr ExpOfFraction(MathBody* body, const PrimExpr& r) {
  return body->Let("fraction", ExpOfFractionLessOne(body, r) + 1.0);
}

/*! \brief The product with a power of two whose result is a normal number. */
PrimExpr ScaleNormal(MathBody* body, const PrimExpr& value, const PrimExpr& shifted) {
  return body->FromBits(body->Bits(value) + (body->Bits(shifted) << kFractionBits));
}

/*! \brief The product with a power of two in two steps, of which the second may round. */
PrimExpr Scale(MathBody* body, const PrimExpr& value, const PrimExpr& shifted) {
  const PrimExpr bits = body->Let("bits", body->Bits(shifted));
  const PrimExpr half = body->Let("half", (bits << (kFractionBits - 1)) & kExponent);
  const PrimExpr rest = body->Let("rest", (bits << kFractionBits) - half);
  const PrimExpr scaled = body->FromBits(body->Bits(value) + rest);
  return body->Let("power", scaled * body->FromBits(half + kOne));
}

/*! \brief The argument, or the end of a range that it lies outside of. */
PrimExpr Clamp(MathBody* body, const PrimExpr& x, double low, double high) {
  return body->Let("clamped", tir::min(body->Number(high), tir::max(body->Number(low), x)));
}

/*! \brief `exp(x)` of an argument for which that is a normal number. */
PrimExpr ExpNormal(MathBody* body, const PrimExpr& x) {
  const Power power = ReduceToPower(body, x, kE);
  return body->Let("e", ScaleNormal(body, ExpOfFraction(body, power.fraction), power.shifted));
}

/*! \brief `exp` as a float64, of a float32 whose exponential that can hold. */
PrimExpr WideExp(MathBody* body, const PrimExpr& x) {
  const Power power = ReduceToPower(body, x, kE);
  const PrimExpr tail = body->Let("tail", ExpOfFractionLessOne(body, power.fraction));
  const PrimExpr n = body->Let("n_wide", body->ToInt64(body->Bits(power.shifted)));
  const PrimExpr fraction = body->WideBits(body->ToDouble(tail) + 1.0);
  return body->Let("e", body->FromWideBits(fraction + (n << 52)));
}

}  // namespace

PrimExpr Exp(MathBody* body) {
  const PrimExpr clamped = Clamp(body, body->x(), -104.0, 89.0);
  const Power power = ReduceToPower(body, clamped, kE);
  const PrimExpr fraction = ExpOfFraction(body, power.fraction);
  return body->UnlessNaN(body->x(), Scale(body, fraction, power.shifted));
}

PrimExpr Exp2(MathBody* body) {
  const PrimExpr clamped = Clamp(body, body->x(), -151.0, 129.0);
  const PrimExpr shifted = body->Let("shifted", clamped + kRounding);
  const PrimExpr n = body->Let("n", shifted - kRounding);
  const PrimExpr r = body->Let("r", clamped - n);
  // A relative error of 2**-27.9.
  const PrimExpr p =
      body->Let("p", Polynomial(r, {0.69314718, 0.24022651, 0.055504050, 0.0096180979, 0.0013338298,
                                    0.00015421231, 1.4013892e-05}));
  const PrimExpr fraction = body->Let("fraction", MultiplyAdd(p, r, 1.0));
  return body->UnlessNaN(body->x(), Scale(body, fraction, shifted));
}

PrimExpr Exp10(MathBody* body) {
  const PrimExpr clamped = Clamp(body, body->x(), -46.0, 39.0);
  const Power power = ReduceToPower(body, clamped, kTen);
  const PrimExpr r = power.fraction;
  // A relative error of 2**-30.2.
  const PrimExpr p = body->Let("p", Polynomial(r, {2.3025851, 2.6509490, 2.0346670, 1.1712559,
                                                   0.54039204, 0.20751645, 0.043351714}));
  const PrimExpr fraction = body->Let("fraction", MultiplyAdd(p, r, 1.0));
  return body->UnlessNaN(body->x(), Scale(body, fraction, power.shifted));
}

PrimExpr Expm1(MathBody* body) {
  constexpr double kTiny = 0x1p-25;
  const PrimExpr x = body->x();
  // -1 below the range, infinite above.
  const PrimExpr clamped = Clamp(body, x, -18.0, 89.0);
  const Power power = ReduceToPower(body, clamped, kE);
  const PrimExpr tail = body->Let("tail", ExpOfFractionLessOne(body, power.fraction));
  // 2**(n - 1), as 2**n may be infinite where the result is not.
  const PrimExpr half = body->Let("half", ScaleNormal(body, body->Number(0.5), power.shifted));
  const PrimExpr value = body->Let("value", MultiplyAdd(tail, half, half - 0.5));
  const PrimExpr is_tiny = body->Let("is_tiny", body->Abs(x) < kTiny);
  return body->UnlessNaN(x, body->Let("any", body->Select(is_tiny, x, value + value)));
}

PrimExpr Sigmoid(MathBody* body) {
  // 1 / (1 + exp(-x)), of which float64 holds the exponential for all x that matter.
  const PrimExpr x = body->x();
  const PrimExpr negative = body->Let("negative", -Clamp(body, x, -104.0, 104.0));
  const PrimExpr e = WideExp(body, negative);
  const PrimExpr value = body->ToFloat(tir::div(body->Wide(1.0), e + 1.0));
  return body->UnlessNaN(x, body->Let("value", value));
}

PrimExpr Sinh(MathBody* body) {
  const PrimExpr x = body->x();
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(x));
  // For magnitudes below 1, x + x**3 * p(x**2), with a relative error of 2**-31.6.
  const PrimExpr square = body->Let("square", x * x);
  const PrimExpr p = body->Let(
      "p_small", Polynomial(square, {0.16666667, 0.0083333105, 0.00019842896, 2.7822132e-06}));
  const PrimExpr small = body->Let("small", MultiplyAdd(square * p, magnitude, magnitude));
  const PrimExpr e = WideExp(body, Clamp(body, magnitude, 0.0, 104.0));
  const PrimExpr difference = e - tir::div(body->Wide(1.0), e);
  const PrimExpr large = body->Let("large", body->ToFloat(difference * 0.5));
  const PrimExpr value = body->Let("value", body->Select(magnitude < 1.0, small, large));
  return body->UnlessNaN(x, body->WithSign(value, x));
}

PrimExpr Cosh(MathBody* body) {
  const PrimExpr x = body->x();
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(x));
  const PrimExpr e = WideExp(body, Clamp(body, magnitude, 0.0, 104.0));
  const PrimExpr sum = e + tir::div(body->Wide(1.0), e);
  return body->UnlessNaN(x, body->Let("value", body->ToFloat(sum * 0.5)));
}

PrimExpr Tanh(MathBody* body) {
  const PrimExpr x = body->x();
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(x));
  // For magnitudes below 0.625, x + x**3 * p(x**2), with a relative error of 2**-27.7.
  const PrimExpr square = body->Let("square", x * x);
  const PrimExpr p = body->Let("p_small", Polynomial(square, {-0.33333281, 0.13331406, -0.053736515,
                                                              0.020628167, -0.0056922962}));
  const PrimExpr small = body->Let("small", MultiplyAdd(square * p, magnitude, magnitude));
  const PrimExpr clamped = body->Let("clamped", tir::min(body->Number(10.0), magnitude));
  const PrimExpr e = ExpNormal(body, body->Let("twice", clamped + clamped));
  const PrimExpr large = body->Let("large", 1.0 - tir::div(body->Number(2.0), e + 1.0));
  const PrimExpr value = body->Let("value", body->Select(magnitude < 0.625, small, large));
  return body->UnlessNaN(x, body->WithSign(value, x));
}

PrimExpr Erf(MathBody* body) {
  const PrimExpr x = body->x();
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(x));
  // For magnitudes below 1, x + x * p(x**2), with a relative error of 2**-29.4.
  const PrimExpr square = body->Let("square", x * x);
  const PrimExpr p =
      body->Let("p_small", Polynomial(square, {0.12837917, -0.37612626, 0.11283579, -0.026853347,
                                               0.0051871622, -0.00079978531, 7.8069032e-05}));
  const PrimExpr small = body->Let("small", MultiplyAdd(p, magnitude, magnitude));
  // Above, 1 - exp(q(x)), with an absolute error of 2**-29.8; 1 from 3.95 on.
  const PrimExpr clamped = body->Let("clamped", tir::min(body->Number(3.95), magnitude));
  const PrimExpr q =
      body->Let("q", Polynomial(clamped, {-0.00035377193, -1.1270398, -0.63822615, -0.10303689,
                                          0.021805050, -0.0029395295, 0.00018556490}));
  const PrimExpr large = body->Let("large", 1.0 - ExpNormal(body, q));
  const PrimExpr value = body->Let("value", body->Select(magnitude < 1.0, small, large));
  return body->UnlessNaN(x, body->WithSign(value, x));
}

}  // namespace uir::target
