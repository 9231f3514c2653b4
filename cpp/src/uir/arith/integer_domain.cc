// Arithmetic on intervals and congruences.
#include <uir/arith/integer_domain.h>
#include <uir/ir/dtype.h>

#include <algorithm>
#include <numeric>

namespace uir::arith {

namespace {

// Wide enough for sums and products of all bounds.
using Wide = __int128;

/*! \brief An infinite end is so far off that no sum of finite ones reaches it. */
constexpr Wide kFarLimit = static_cast<Wide>(1) << 100;

Wide Widen(int64_t value) {
  if (value == Interval::kNegInf) return -kFarLimit;
  return value == Interval::kPosInf ? kFarLimit : static_cast<Wide>(value);
}

int64_t Narrow(Wide value) {
  if (value <= static_cast<Wide>(Interval::kNegInf)) return Interval::kNegInf;
  return value >= static_cast<Wide>(Interval::kPosInf) ? Interval::kPosInf
                                                       : static_cast<int64_t>(value);
}

/*! \brief Whether sums of two such numbers fit. */
bool IsSmall(int64_t value) {
  constexpr int64_t kLargest = int64_t{1} << 62;
  return -kLargest < value && value < kLargest;
}

/*! \brief The sum of two lower or upper ends; `infinite` if either is unknown. */
int64_t AddEnds(int64_t a, int64_t b, int64_t infinite) {
  if (IsSmall(a) && IsSmall(b)) return a + b;
  if (a == infinite || b == infinite) return infinite;
  return Narrow(Widen(a) + Widen(b));
}

int64_t Opposite(int64_t end) { return Narrow(-Widen(end)); }

/*! \brief A product with an infinite end is infinite, unless the other factor is 0. */
int64_t MulEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  const bool is_infinite = a == Interval::kNegInf || a == Interval::kPosInf ||
                           b == Interval::kNegInf || b == Interval::kPosInf;
  if (is_infinite) return (a < 0) == (b < 0) ? Interval::kPosInf : Interval::kNegInf;
  return Narrow(static_cast<Wide>(a) * b);
}

using DivideEnds = int64_t (*)(int64_t, int64_t);

int64_t FloorDivEnds(int64_t a, int64_t b) {
  if (a == Interval::kNegInf || a == Interval::kPosInf)
    return (a < 0) == (b < 0) ? Interval::kPosInf : Interval::kNegInf;
  if (b == Interval::kNegInf || b == Interval::kPosInf)
    return a != 0 && (a < 0) != (b < 0) ? -1 : 0;
  return FloorDiv(a, b);
}

int64_t TruncDivEnds(int64_t a, int64_t b) {
  if (a == Interval::kNegInf || a == Interval::kPosInf)
    return (a < 0) == (b < 0) ? Interval::kPosInf : Interval::kNegInf;
  if (b == Interval::kNegInf || b == Interval::kPosInf) return 0;
  return a / b;
}

Interval FromEnds(DivideEnds divide, Interval a, Interval b) {
  const int64_t ends[] = {divide(a.min, b.min), divide(a.min, b.max), divide(a.max, b.min),
                          divide(a.max, b.max)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

Interval Divide(DivideEnds divide, Interval a, Interval b) {
  Interval result = {Interval::kPosInf, Interval::kNegInf};
  if (b.max > 0) result = Union(result, FromEnds(divide, a, {std::max<int64_t>(b.min, 1), b.max}));
  if (b.min < 0) result = Union(result, FromEnds(divide, a, {b.min, std::min<int64_t>(b.max, -1)}));
  return result.IsEmpty() ? Interval{} : result;
}

/*! \brief The largest magnitude of a remainder by a divisor in `b`; infinite if unknown. */
int64_t LargestRemainder(Interval b) {
  if (!b.IsBounded()) return Interval::kPosInf;
  return std::max({b.max - 1, -(b.min + 1), static_cast<int64_t>(0)});
}

}  // namespace

std::optional<int64_t> ExactQuotient(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN) || a % b != 0) return std::nullopt;
  return a / b;
}

int64_t Gcd(int64_t a, int64_t b) {
  const auto magnitude = [](int64_t value) {
    return value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  };
  const uint64_t result = std::gcd(magnitude(a), magnitude(b));
  return result > static_cast<uint64_t>(INT64_MAX) ? 1 : static_cast<int64_t>(result);
}

Interval IntervalOfUnsigned(DLDataType dtype) {
  if (dtype.code == kDLUInt && dtype.bits >= 64) return {0, Interval::kPosInf};
  if (ir::IsInteger(dtype) || ir::IsBool(dtype)) {
    return {ir::MinValue(ir::ElementOf(dtype)), ir::MaxValue(ir::ElementOf(dtype))};
  }
  return {};
}

Interval Union(Interval a, Interval b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }

Interval Add(Interval a, Interval b) {
  return {AddEnds(a.min, b.min, Interval::kNegInf), AddEnds(a.max, b.max, Interval::kPosInf)};
}

Interval Sub(Interval a, Interval b) {
  return {AddEnds(a.min, Opposite(b.max), Interval::kNegInf),
          AddEnds(a.max, Opposite(b.min), Interval::kPosInf)};
}

Interval Mul(Interval a, Interval b) {
  // Most factors are constants.
  if (b.IsPoint()) {
    const int64_t first = MulEnds(a.min, b.min);
    const int64_t last = MulEnds(a.max, b.min);
    return {std::min(first, last), std::max(first, last)};
  }
  const int64_t ends[] = {MulEnds(a.min, b.min), MulEnds(a.min, b.max), MulEnds(a.max, b.min),
                          MulEnds(a.max, b.max)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

Interval FloorDiv(Interval a, Interval b) { return Divide(&FloorDivEnds, a, b); }

Interval TruncDiv(Interval a, Interval b) { return Divide(&TruncDivEnds, a, b); }

Interval FloorMod(Interval a, Interval b) {
  // What lies between two multiples of a constant keeps its distance from the lower one.
  if (b.IsPoint() && b.min > 0 && a.IsBounded() &&
      FloorDiv(a.min, b.min) == FloorDiv(a.max, b.min)) {
    return {FloorMod(a.min, b.min), FloorMod(a.max, b.min)};
  }
  // The remainder has the sign of the divisor, which is not 0.
  Interval result = {0, 0};
  if (b.max > 0) {
    const int64_t largest = b.max == Interval::kPosInf ? b.max : b.max - 1;
    result.max = a.min >= 0 ? std::min(largest, a.max) : largest;
  }
  if (b.min < 0) {
    const int64_t least = b.min == Interval::kNegInf ? b.min : b.min + 1;
    result.min = a.max <= 0 ? std::max(least, a.min) : least;
  }
  return result;
}

Interval TruncMod(Interval a, Interval b) {
  const int64_t largest = LargestRemainder(b);
  const int64_t least = largest == Interval::kPosInf ? Interval::kNegInf : -largest;
  // The remainder has the sign of the dividend, and is not larger than it.
  return {a.min >= 0 ? 0 : std::max(least, a.min), a.max <= 0 ? 0 : std::min(largest, a.max)};
}

Interval Min(Interval a, Interval b) { return {std::min(a.min, b.min), std::min(a.max, b.max)}; }

Interval Max(Interval a, Interval b) { return {std::max(a.min, b.min), std::max(a.max, b.max)}; }

Congruence MakeCongruence(int64_t coeff, int64_t base) {
  if (coeff < 0) coeff = coeff == INT64_MIN ? 1 : -coeff;
  return {coeff, coeff == 0 ? base : FloorMod(base, coeff)};
}

Congruence Add(Congruence a, Congruence b) {
  const int64_t coeff = Gcd(a.coeff, b.coeff);
  int64_t base = 0;
  if (__builtin_add_overflow(a.base, b.base, &base)) return {};
  return MakeCongruence(coeff, base);
}

Congruence Sub(Congruence a, Congruence b) {
  const int64_t coeff = Gcd(a.coeff, b.coeff);
  int64_t base = 0;
  if (__builtin_sub_overflow(a.base, b.base, &base)) return {};
  return MakeCongruence(coeff, base);
}

Congruence Mul(Congruence a, Congruence b) {
  // (p k + q) (r l + s) = p r k l + p s k + q r l + q s
  int64_t pr = 0;
  int64_t ps = 0;
  int64_t qr = 0;
  int64_t qs = 0;
  const bool overflows = __builtin_mul_overflow(a.coeff, b.coeff, &pr) ||
                         __builtin_mul_overflow(a.coeff, b.base, &ps) ||
                         __builtin_mul_overflow(a.base, b.coeff, &qr) ||
                         __builtin_mul_overflow(a.base, b.base, &qs);
  if (overflows) return {};
  return MakeCongruence(Gcd(pr, Gcd(ps, qr)), qs);
}

Congruence Union(Congruence a, Congruence b) {
  int64_t distance = 0;
  if (__builtin_sub_overflow(a.base, b.base, &distance)) return {};
  return MakeCongruence(Gcd(Gcd(a.coeff, b.coeff), distance), a.base);
}

Interval RemainderOf(Congruence values, int64_t divisor) {
  // All remainders are congruent modulo what divides both.
  const int64_t step = Gcd(values.coeff, divisor);
  const int64_t least = FloorMod(values.base, step);
  return {least, divisor - step + least};
}

Congruence Intersect(Congruence a, Congruence b) {
  if (a.coeff == 0 || b.coeff == 1) return a;
  if (b.coeff == 0 || a.coeff == 1) return b;
  if (a.coeff % b.coeff == 0) return a;
  if (b.coeff % a.coeff == 0) return b;
  int64_t coeff = 0;
  if (__builtin_mul_overflow(a.coeff / Gcd(a.coeff, b.coeff), b.coeff, &coeff)) return a;
  constexpr int64_t kMostSteps = 1024;
  // The base of both is found by trying those of the coarser one.
  const Congruence& coarse = a.coeff > b.coeff ? a : b;
  const Congruence& fine = a.coeff > b.coeff ? b : a;
  if (fine.coeff > kMostSteps) return a;
  for (int64_t base = coarse.base; base < coeff; base += coarse.coeff) {
    if (base % fine.coeff == fine.base) return {coeff, base};
    if (base > INT64_MAX - coarse.coeff) break;
  }
  return a;
}

}  // namespace uir::arith
