/*!
 * \file uir/arith/integer_domain.h
 * \brief The interval and congruence domains, with their arithmetic.
 *
 * Must not know nodes.
 */
#ifndef UIR_ARITH_INTEGER_DOMAIN_H_
#define UIR_ARITH_INTEGER_DOMAIN_H_

#include <tvm/ffi/c_api.h>
#include <uir/ir/scalar_op.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace uir::arith {

/*! \brief The integers from `min` to `max`; the ends of int64_t mean that there is no bound. */
struct Interval {
  static constexpr int64_t kNegInf = INT64_MIN;
  static constexpr int64_t kPosInf = INT64_MAX;

  int64_t min = kNegInf;
  int64_t max = kPosInf;

  static constexpr Interval Point(int64_t value) { return {value, value}; }
  bool IsPoint() const { return min == max && min != kNegInf && min != kPosInf; }
  bool IsBounded() const { return min != kNegInf && max != kPosInf; }
  /*! \brief Whether it is empty, as for a contradictory condition. */
  bool IsEmpty() const { return min > max; }
  bool Contains(int64_t value) const { return min <= value && value <= max; }
  bool Contains(Interval other) const { return min <= other.min && other.max <= max; }
};

inline bool operator==(Interval a, Interval b) { return a.min == b.min && a.max == b.max; }
inline bool operator!=(Interval a, Interval b) { return !(a == b); }

/*! \brief `IntervalOf` of types other than signed integers. */
Interval IntervalOfUnsigned(DLDataType dtype);

/*! \brief The values that a scalar or a lane of an integer type or `bool` may have. */
inline Interval IntervalOf(DLDataType dtype) {
  if (dtype.code != kDLInt || dtype.bits > 64) return IntervalOfUnsigned(dtype);
  const int64_t largest = INT64_MAX >> (64 - dtype.bits);
  return {-largest - 1, largest};
}

/*! \brief Whether a type holds all integers of an interval; false if an end is unknown. */
inline bool FitsType(Interval values, DLDataType dtype) {
  return values.IsBounded() && IntervalOf(dtype).Contains(values);
}

/*! \brief The integers in both intervals. */
inline Interval Intersect(Interval a, Interval b) {
  return {std::max(a.min, b.min), std::min(a.max, b.max)};
}
/*! \brief The smallest interval that contains both. */
Interval Union(Interval a, Interval b);

Interval Add(Interval a, Interval b);
Interval Sub(Interval a, Interval b);
Interval Mul(Interval a, Interval b);
/*! \brief Quotients rounded down, for divisors other than 0. */
Interval FloorDiv(Interval a, Interval b);
Interval FloorMod(Interval a, Interval b);
/*! \brief Quotients rounded towards zero, for divisors other than 0. */
Interval TruncDiv(Interval a, Interval b);
Interval TruncMod(Interval a, Interval b);
Interval Min(Interval a, Interval b);
Interval Max(Interval a, Interval b);

/*! \brief The integers `coeff * k + base`: one integer if `coeff` is 0, all if it is 1 (Granger,
 * 1989). */
struct Congruence {
  int64_t coeff = 1;
  int64_t base = 0;

  static constexpr Congruence Point(int64_t value) { return {0, value}; }
};

inline bool operator==(Congruence a, Congruence b) {
  return a.coeff == b.coeff && a.base == b.base;
}

/*! \brief With `base` from 0 to `coeff - 1`. */
Congruence MakeCongruence(int64_t coeff, int64_t base);

Congruence Add(Congruence a, Congruence b);
Congruence Sub(Congruence a, Congruence b);
Congruence Mul(Congruence a, Congruence b);
/*! \brief The smallest congruence class that contains both. */
Congruence Union(Congruence a, Congruence b);
/*! \brief The intersection; one of the two if it is empty or not representable. */
Congruence Intersect(Congruence a, Congruence b);

/*! \brief Bounds of the remainders of a congruence class by a positive divisor, rounded down. */
Interval RemainderOf(Congruence values, int64_t divisor);

using ir::FloorDiv;
using ir::FloorMod;

/*! \brief The quotient if the remainder is 0 and it fits; `nullopt` also for a divisor of 0. */
std::optional<int64_t> ExactQuotient(int64_t a, int64_t b);
/*! \brief The greatest common divisor, at least 0. */
int64_t Gcd(int64_t a, int64_t b);

}  // namespace uir::arith

#endif  // UIR_ARITH_INTEGER_DOMAIN_H_
