// Powers: `x**y = exp2(y * log2(x))`, in float64, with the special values of C.
#include <uir/tir/op.h>

#include <limits>

#include "./math_function.h"

namespace uir::target {

using ir::PrimExpr;

namespace {

/*! \brief 2**23: from here on all float32 are integers. */
constexpr double kIntegers = 8388608.0;

/*! \brief The nearest integer of a float32 that is not negative. */
PrimExpr Rounded(MathBody* body, const char* name, const PrimExpr& value) {
  const PrimExpr rounded = (value + kIntegers) - kIntegers;
  return body->Let(name, body->Select(value < kIntegers, rounded, value));
}

/*! \brief `log2` of a magnitude as a float64, with a relative error of 2**-45. */
PrimExpr Log2OfMagnitude(MathBody* body, const PrimExpr& magnitude) {
  const Parts parts = SplitAny(body, magnitude);
  const PrimExpr f = body->Let("f_wide", body->ToDouble(parts.f));
  // 2 * atanh(s) = log(1 + f).
  const PrimExpr s = body->Let("s", tir::div(f, f + 2.0));
  const PrimExpr square = body->Let("square", s * s);
  const PrimExpr p = body->Let(
      "p_log", Polynomial(square, {2.8853900817778495, 0.96179669411422186, 0.57707794211492425,
                                   0.41220927716327849, 0.31990469566712587, 0.28291429414491631}));
  const PrimExpr log = body->Let("log", MultiplyAdd(p, s, body->ToDouble(parts.n)));
  const PrimExpr zero = tir::equal(magnitude, body->Number(0.0));
  const PrimExpr not_zero = body->Let("not_zero", body->Select(zero, body->Wide(-kInfinity), log));
  const PrimExpr infinite = tir::equal(magnitude, body->Number(kInfinity));
  return body->Let("log_x", body->Select(infinite, body->Wide(kInfinity), not_zero));
}

/*! \brief `exp2` of a float64 as a float32, with a relative error of 2**-34 before it is rounded.
 */
PrimExpr Exp2OfWide(MathBody* body, const PrimExpr& exponent) {
  constexpr double kWideRounding = 6755399441055744.0;
  // The exponent as a float32 decides whether the result is 0 or infinite.
  const PrimExpr near = body->Let("near", body->ToFloat(exponent));
  const PrimExpr above =
      body->Let("above", body->Select(near < -160.0, body->Wide(-160.0), exponent));
  const PrimExpr e = body->Let("e", body->Select(near > 160.0, body->Wide(160.0), above));
  const PrimExpr shifted = body->Let("shifted", e + kWideRounding);
  const PrimExpr r = body->Let("r", e - (shifted - kWideRounding));
  const PrimExpr p = body->Let(
      "p_exp", Polynomial(r, {0.99999999996168842, 0.69314718072843418, 0.24022651198169531,
                              0.055504103534638034, 0.009618027250551121, 0.0013333922543921483,
                              0.00015469292173035887, 1.5201927317909808e-05}));
  const PrimExpr bits = body->WideBits(p) + (body->WideBits(shifted) << 52);
  return body->Let("power", body->ToFloat(body->FromWideBits(bits)));
}

}  // namespace

PrimExpr Pow(MathBody* body) {
  const PrimExpr x = body->x();
  const PrimExpr y = body->y();
  const PrimExpr one = body->Number(1.0);
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(x));
  const PrimExpr log = Log2OfMagnitude(body, magnitude);
  const PrimExpr power = Exp2OfWide(body, body->Let("exponent", body->ToDouble(y) * log));
  const PrimExpr is_one = body->Let("is_one", tir::equal(magnitude, one));
  const PrimExpr positive = body->Let("positive", body->Select(is_one, one, power));
  // A negative base needs an integer exponent; an odd one keeps the sign.
  const PrimExpr size = body->Let("size", body->Abs(y));
  const PrimExpr whole = Rounded(body, "whole", size);
  const PrimExpr is_integer = body->Let("is_integer", tir::equal(whole, size));
  const PrimExpr half = body->Let("half", size * 0.5);
  const PrimExpr whole_half = Rounded(body, "whole_half", half);
  const PrimExpr is_odd = tir::logical_and(is_integer, tir::not_equal(whole_half, half));
  const PrimExpr value =
      body->Let("value", body->Select(is_odd, body->WithSign(positive, x), positive));
  const PrimExpr is_real = tir::logical_or(tir::logical_or(is_integer, x >= 0.0),
                                           tir::equal(magnitude, body->Number(kInfinity)));
  const PrimExpr nan = body->Number(std::numeric_limits<double>::quiet_NaN());
  const PrimExpr real = body->Let("real", body->Select(is_real, value, nan));
  const PrimExpr of_y = body->Let("of_y", body->UnlessNaN(y, real));
  const PrimExpr of_both = body->Let("of_both", body->UnlessNaN(x, of_y));
  const PrimExpr is_always_one =
      tir::logical_or(tir::equal(x, one), tir::equal(y, body->Number(0.0)));
  return body->Select(is_always_one, one, of_both);
}

}  // namespace uir::target
