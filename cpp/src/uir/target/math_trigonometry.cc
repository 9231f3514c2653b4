// Sine, cosine and tangent, for arguments of any size, and their inverses.
#include <uir/tir/op.h>

#include <array>

#include "./math_function.h"

namespace uir::target {

using ir::PrimExpr;

namespace {

/*! \brief 1.5 * 2**52 and 2**54: sums with them are rounded to 1 and 4, with `kRounding` to 1. */
constexpr double kWideRounding = 6755399441055744.0;
constexpr double kFourRounding = 27021597764222976.0;
constexpr double kHalfPi = 1.5707963267948966;
constexpr double kPi = 3.141592653589793;

/*!
 * \brief 2 / pi in four parts of 29 bits, whose products with a float32 are exact in float64.
 *
 * For arguments from 2**61 and from 2**97 on, the first 36 and 72 bits give multiples of four
 * quarter turns, and are left out (Payne and Hanek, 1983).
 */
constexpr std::array<std::array<double, 4>, 3> kTwoByPi = {{
    {0x1.45f306dp-1, 0x1.9391054p-30, 0x1.4fe13abp-59, 0x1.d1f534dp-88},
    {0x1.c882a53p-37, 0x1.f09d5f4p-66, 0x1.f534ddcp-96, 0x1.b6c52ap-129},
    {0x1.3abe8f8p-75, 0x1.4d37703p-102, 0x1.b629598p-132, 0x1.3c4390p-160},
}};

/*! \brief An angle: a number of quarter turns, and the rest. */
struct Angle {
  /*! \brief An int32, of which only the two lowest bits are used. */
  PrimExpr quarters;
  /*! \brief A float64 in radians, at most pi / 4. */
  PrimExpr rest;
};

/*! \brief The remainder of an exact product by four. */
PrimExpr WithoutFours(MathBody* body, const char* name, const PrimExpr& a, const PrimExpr& b) {
  const PrimExpr fours = body->Let("fours", MultiplyAdd(a, b, kFourRounding) - kFourRounding);
  return body->Let(name, MultiplyAdd(a, b, -fours));
}

/*! \brief Reduce a magnitude. */
Angle ReduceToAngle(MathBody* body, const PrimExpr& magnitude) {
  const PrimExpr is_large = body->Let("is_large", magnitude >= 0x1p61);
  const PrimExpr is_huge = body->Let("is_huge", magnitude >= 0x1p97);
  const PrimExpr wide = body->Let("wide", body->ToDouble(magnitude));
  const auto part = [&](const char* name, size_t i) {
    const PrimExpr large =
        body->Select(is_large, body->Wide(kTwoByPi[1][i]), body->Wide(kTwoByPi[0][i]));
    return body->Let(name, body->Select(is_huge, body->Wide(kTwoByPi[2][i]), large));
  };
  const PrimExpr a = WithoutFours(body, "a", wide, part("first", 0));
  const PrimExpr b = WithoutFours(body, "b", wide, part("second", 1));
  const PrimExpr c = part("c", 2);
  const PrimExpr d = part("d", 3);
  // Products are exact, and so are all sums except for the last ones, whose relative errors are
  // small.
  const PrimExpr n = body->Let("n", (MultiplyAdd(wide, c, a + b) + kWideRounding) - kWideRounding);
  const PrimExpr high = body->Let("high", MultiplyAdd(wide, c, (a - n) + b));
  const PrimExpr turns = body->Let("turns", MultiplyAdd(wide, d, high));
  return {body->Let("quarters", body->Bits(body->ToFloat(n) + kRounding)),
          body->Let("rest", turns * kHalfPi)};
}

/*! \brief A value with its sign flipped by bit 1 of `quarters`, and by the sign bit of `sign`. */
PrimExpr Signed(MathBody* body, const PrimExpr& value, const PrimExpr& quarters,
                const PrimExpr& sign) {
  constexpr int32_t kSign = ~0x7FFFFFFF;
  const PrimExpr bits = ((quarters << 30) ^ sign) & kSign;
  return body->FromBits(body->Bits(value) ^ bits);
}

/*! \brief The sine after `quarters` more quarter turns, negated if `sign` is negative. */
PrimExpr Wave(MathBody* body, const Angle& angle, const PrimExpr& quarters, const PrimExpr& sign) {
  const PrimExpr r = body->Let("r", body->ToFloat(angle.rest));
  const PrimExpr square = body->Let("square", r * r);
  // Relative errors of 2**-27.9 and 2**-33.
  const PrimExpr s =
      body->Let("s", Polynomial(square, {-0.16666655, 0.0083321892, -0.00019518285}));
  const PrimExpr sine = body->Let("sine", MultiplyAdd(s * square, r, r));
  const PrimExpr c =
      body->Let("c_poly", Polynomial(square, {-0.5, 0.041666646, -0.0013887301, 2.4430668e-05}));
  const PrimExpr cosine = body->Let("cosine", MultiplyAdd(c, square, 1.0));
  const PrimExpr is_odd = tir::not_equal(quarters & 1, 0);
  const PrimExpr value = body->Let("value", body->Select(is_odd, cosine, sine));
  return Signed(body, value, quarters, sign);
}

/*! \brief `asin(m)` of a magnitude of at most 0.5. */
PrimExpr AsinOfSmall(MathBody* body, const PrimExpr& m, const PrimExpr& square) {
  // A relative error of 2**-27.6.
  const PrimExpr p = body->Let("p", Polynomial(square, {0.1666675248, 0.07495297628, 0.04547037763,
                                                        0.02417950714, 0.04216632049}));
  return body->Let("angle", MultiplyAdd(m * square, p, m));
}

/*! \brief `asin(m)` up to 0.5, and above `acos(m) / 2`, which is `asin(sqrt((1 - m) / 2))`. */
PrimExpr AsinOrHalfAcos(MathBody* body, const PrimExpr& m, const PrimExpr& is_steep) {
  const PrimExpr half_rest = body->Let("half_rest", (1.0 - m) * 0.5);
  const PrimExpr square = body->Let("square", body->Select(is_steep, half_rest, m * m));
  const PrimExpr root = body->Let("root", body->Call("sqrt", half_rest));
  return AsinOfSmall(body, body->Let("leg", body->Select(is_steep, root, m)), square);
}

/*! \brief `whole - part`, with `whole` a float64 of more digits than a float32 has. */
PrimExpr Complement(MathBody* body, double whole, const PrimExpr& part) {
  const double high = static_cast<float>(whole);
  return body->Number(high) - (part - (whole - high));
}

/*! \brief `atan(low / high)` for float64 with `0 <= low <= high`. */
PrimExpr AtanOfRatio(MathBody* body, const PrimExpr& low, const PrimExpr& high) {
  const PrimExpr ratio = body->Let("ratio", tir::div(low, high));
  const PrimExpr square = body->Let("square", ratio * ratio);
  // A relative error of 2**-28.6.
  const PrimExpr p = body->Let(
      "p", Polynomial(square, {0.99999999761448199, -0.33333283341907943, 0.19998257091984922,
                               -0.14261831773290795, 0.10941461566299893, -0.083755339267607781,
                               0.057519551773327529, -0.030770123219649143, 0.010707346334585024,
                               -0.001749306791160467}));
  return body->Let("angle", p * ratio);
}

/*! \brief The float64 angle of a right triangle's corner, which lies opposite of a side. */
PrimExpr Corner(MathBody* body, const PrimExpr& is_steep, const PrimExpr& opposite,
                const PrimExpr& adjacent) {
  const PrimExpr low = body->Let("low", body->Select(is_steep, adjacent, opposite));
  const PrimExpr high = body->Let("high", body->Select(is_steep, opposite, adjacent));
  const PrimExpr angle = AtanOfRatio(body, low, high);
  return body->Let("corner", body->Select(is_steep, kHalfPi - angle, angle));
}

}  // namespace

PrimExpr Sin(MathBody* body) {
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(body->x()));
  const Angle angle = ReduceToAngle(body, magnitude);
  return Wave(body, angle, angle.quarters, body->Bits(body->x()));
}

PrimExpr Cos(MathBody* body) {
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(body->x()));
  const Angle angle = ReduceToAngle(body, magnitude);
  const PrimExpr next = body->Let("next", angle.quarters + 1);
  return Wave(body, angle, next, body->Bits(body->Number(0.0)));
}

PrimExpr Tan(MathBody* body) {
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(body->x()));
  const Angle angle = ReduceToAngle(body, magnitude);
  const PrimExpr r = angle.rest;
  const PrimExpr square = body->Let("square", r * r);
  // Relative errors of 2**-47 and 2**-43.
  const PrimExpr s = body->Let(
      "s", Polynomial(square, {-0.16666666666631591, 0.0083333333252708659, -0.00019841263822292394,
                               2.7555357581737612e-06, -2.4761638090901366e-08}));
  const PrimExpr sine = body->Let("sine", MultiplyAdd(s * square, r, r));
  const PrimExpr c = body->Let(
      "c_poly",
      Polynomial(square, {-0.49999999999544698, 0.041666666562002547, -0.0013888881074448055,
                          2.4799040100726109e-05, -2.7180030807872641e-07}));
  const PrimExpr cosine = body->Let("cosine", MultiplyAdd(c, square, 1.0));
  const PrimExpr is_odd = body->Let("is_odd", tir::not_equal(angle.quarters & 1, 0));
  const PrimExpr high = body->Let("high", body->Select(is_odd, cosine, sine));
  const PrimExpr low = body->Let("low", body->Select(is_odd, -sine, cosine));
  const PrimExpr value = body->Let("value", body->ToFloat(tir::div(high, low)));
  constexpr int32_t kSign = ~0x7FFFFFFF;
  return body->FromBits(body->Bits(value) ^ (body->Bits(body->x()) & kSign));
}

PrimExpr Atan(MathBody* body) {
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(body->x()));
  const PrimExpr is_steep = body->Let("is_steep", magnitude > 1.0);
  const PrimExpr one = body->Number(1.0);
  const PrimExpr low = body->Select(is_steep, one, magnitude);
  const PrimExpr high = body->Select(is_steep, magnitude, one);
  const PrimExpr ratio = body->Let("ratio", tir::div(low, high));
  const PrimExpr square = body->Let("square", ratio * ratio);
  // A relative error of 2**-28.5.
  const PrimExpr p = body->Let(
      "p",
      Polynomial(square, {-0.3333329909, 0.199985482, -0.1426424088, 0.10952182, -0.08403440159,
                          0.05795743135, -0.03117769388, 0.01091452848, -0.001793605251}));
  const PrimExpr angle = body->Let("angle", MultiplyAdd(ratio * square, p, ratio));
  const PrimExpr corner =
      body->Let("corner", body->Select(is_steep, Complement(body, kHalfPi, angle), angle));
  return body->WithSign(corner, body->x());
}

PrimExpr Atan2(MathBody* body) {
  const PrimExpr opposite = body->Let("opposite", body->Abs(body->x()));
  const PrimExpr adjacent = body->Let("adjacent", body->Abs(body->y()));
  // The angle of two zeros is 0, and that of two infinite numbers pi / 4.
  const PrimExpr both_zero = tir::equal(tir::max(opposite, adjacent), body->Number(0.0));
  const PrimExpr both_infinite = tir::equal(tir::min(opposite, adjacent), body->Number(kInfinity));
  const PrimExpr one = body->Number(1.0);
  const PrimExpr up = body->Let("up", body->Select(both_infinite, one, opposite));
  const PrimExpr along =
      body->Let("along", body->Select(tir::logical_or(both_zero, both_infinite), one, adjacent));
  const PrimExpr is_steep = body->Let("is_steep", up > along);
  const PrimExpr corner = Corner(body, is_steep, body->ToDouble(up), body->ToDouble(along));
  const PrimExpr is_left = body->Bits(body->y()) < 0;
  const PrimExpr turned = body->Select(is_left, kPi - corner, corner);
  const PrimExpr value = body->Let("value", body->WithSign(body->ToFloat(turned), body->x()));
  return body->UnlessNaN(body->x(), body->Let("defined", body->UnlessNaN(body->y(), value)));
}

PrimExpr Asin(MathBody* body) {
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(body->x()));
  const PrimExpr is_steep = body->Let("is_steep", magnitude > 0.5);
  const PrimExpr angle = AsinOrHalfAcos(body, magnitude, is_steep);
  const PrimExpr value =
      body->Let("value", body->Select(is_steep, Complement(body, kHalfPi, angle * 2.0), angle));
  return body->WithSign(value, body->x());
}

PrimExpr Acos(MathBody* body) {
  const PrimExpr magnitude = body->Let("magnitude", body->Abs(body->x()));
  const PrimExpr is_steep = body->Let("is_steep", magnitude > 0.5);
  const PrimExpr angle = AsinOrHalfAcos(body, magnitude, is_steep);
  const PrimExpr is_left = body->Let("is_left", body->x() < 0.0);
  const PrimExpr twice = body->Let("twice", angle * 2.0);
  const PrimExpr steep =
      body->Let("steep", body->Select(is_left, Complement(body, kPi, twice), twice));
  const PrimExpr flat =
      Complement(body, kHalfPi, body->Let("part", body->Select(is_left, -angle, angle)));
  return body->Select(is_steep, steep, flat);
}

}  // namespace uir::target
