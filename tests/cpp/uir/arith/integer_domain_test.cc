// The domains of the analyzer, against the sets of integers that they stand for.
#include <gtest/gtest.h>
#include <uir/arith/integer_domain.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dtypes.h"

namespace uir {
namespace {

using arith::Congruence;
using arith::Interval;

constexpr int64_t kLeastInt64 = INT64_MIN;
constexpr int64_t kGreatestInt64 = INT64_MAX;

bool IsIn(Congruence values, int64_t value) {
  return values.coeff == 0 ? value == values.base : (value - values.base) % values.coeff == 0;
}

/*! \brief Points, and classes of all small coefficients and bases. */
std::vector<Congruence> SmallCongruences() {
  std::vector<Congruence> all;
  for (int64_t value = -5; value <= 5; ++value) all.push_back(Congruence::Point(value));
  for (int64_t coeff = 1; coeff <= 6; ++coeff) {
    for (int64_t base = 0; base < coeff; ++base) all.push_back({coeff, base});
  }
  return all;
}

std::vector<Interval> SmallIntervals() {
  std::vector<Interval> all;
  for (int64_t low = -4; low <= 4; ++low) {
    for (int64_t high = low; high <= 4; ++high) all.push_back({low, high});
  }
  return all;
}

/*! \brief Check that the ends of a result are those of all values of two intervals. */
template <typename OfIntervals, typename OfValues>
void ExpectTight(OfIntervals of_intervals, OfValues of_values) {
  for (const Interval a : SmallIntervals()) {
    for (const Interval b : SmallIntervals()) {
      Interval expected = {kGreatestInt64, kLeastInt64};
      for (int64_t x = a.min; x <= a.max; ++x) {
        for (int64_t y = b.min; y <= b.max; ++y) {
          const int64_t value = of_values(x, y);
          expected.min = std::min(expected.min, value);
          expected.max = std::max(expected.max, value);
        }
      }
      EXPECT_EQ(of_intervals(a, b), expected)
          << a.min << ".." << a.max << ", " << b.min << ".." << b.max;
    }
  }
}

TEST(Interval, SumsProductsAndExtremaAreTight) {
  ExpectTight([](Interval a, Interval b) { return Add(a, b); },
              [](int64_t x, int64_t y) { return x + y; });
  ExpectTight([](Interval a, Interval b) { return Sub(a, b); },
              [](int64_t x, int64_t y) { return x - y; });
  ExpectTight([](Interval a, Interval b) { return Mul(a, b); },
              [](int64_t x, int64_t y) { return x * y; });
  ExpectTight([](Interval a, Interval b) { return Min(a, b); },
              [](int64_t x, int64_t y) { return std::min(x, y); });
  ExpectTight([](Interval a, Interval b) { return Max(a, b); },
              [](int64_t x, int64_t y) { return std::max(x, y); });
}

TEST(Interval, AnEndOutOfRangeIsNoBound) {
  const Interval great = {1, kGreatestInt64 - 1};
  EXPECT_EQ(Add(great, Interval::Point(2)), (Interval{3, kGreatestInt64}));
  EXPECT_EQ(Mul(great, Interval::Point(2)), (Interval{2, kGreatestInt64}));
  EXPECT_EQ(Sub(Interval::Point(-2), great), (Interval{kLeastInt64, -3}));
  EXPECT_EQ(Mul(Interval{kLeastInt64, 3}, Interval::Point(-1)), (Interval{-3, kGreatestInt64}));
  EXPECT_EQ(Mul(Interval{}, Interval::Point(0)), Interval::Point(0));
}

TEST(Interval, IntersectsAndUnites) {
  EXPECT_EQ(Intersect(Interval{0, 5}, Interval{3, 9}), (Interval{3, 5}));
  EXPECT_TRUE(Intersect(Interval{0, 2}, Interval{3, 9}).IsEmpty());
  EXPECT_EQ(Union(Interval{0, 2}, Interval{5, 9}), (Interval{0, 9}));
}

TEST(Interval, KnowsWhatATypeHolds) {
  EXPECT_EQ(arith::IntervalOf({kDLInt, 8, 1}), (Interval{-128, 127}));
  EXPECT_EQ(arith::IntervalOf({kDLUInt, 8, 4}), (Interval{0, 255}));
  EXPECT_EQ(arith::IntervalOf(kInt32), (Interval{INT32_MIN, INT32_MAX}));
  EXPECT_TRUE(arith::FitsType(Interval{-128, 127}, {kDLInt, 8, 1}));
  EXPECT_FALSE(arith::FitsType(Interval{-128, 128}, {kDLInt, 8, 1}));
  EXPECT_FALSE(arith::FitsType(Interval{kLeastInt64, 0}, kInt64));
}

TEST(Congruence, HoldsTheSumsAndProductsOfItsOperands) {
  for (const Congruence a : SmallCongruences()) {
    for (const Congruence b : SmallCongruences()) {
      for (int64_t x = -12; x <= 12; ++x) {
        if (!IsIn(a, x)) continue;
        for (int64_t y = -12; y <= 12; ++y) {
          if (!IsIn(b, y)) continue;
          EXPECT_TRUE(IsIn(Add(a, b), x + y));
          EXPECT_TRUE(IsIn(Sub(a, b), x - y));
          EXPECT_TRUE(IsIn(Mul(a, b), x * y));
        }
      }
    }
  }
  EXPECT_EQ(Add(Congruence{6, 1}, Congruence{4, 1}), (Congruence{2, 0}));
  EXPECT_EQ(Mul(Congruence{6, 2}, Congruence::Point(3)), (Congruence{18, 6}));
}

TEST(Congruence, UnitesAndIntersects) {
  for (const Congruence a : SmallCongruences()) {
    for (const Congruence b : SmallCongruences()) {
      const Congruence both = Union(a, b);
      const Congruence common = Intersect(a, b);
      for (int64_t value = -40; value <= 40; ++value) {
        const bool is_in_a = IsIn(a, value);
        const bool is_in_b = IsIn(b, value);
        EXPECT_TRUE(IsIn(both, value) || !(is_in_a || is_in_b));
        EXPECT_TRUE(IsIn(common, value) || !(is_in_a && is_in_b));
      }
    }
  }
  EXPECT_EQ(Union(Congruence::Point(2), Congruence::Point(8)), (Congruence{6, 2}));
  EXPECT_EQ(Intersect(Congruence{4, 1}, Congruence{6, 3}), (Congruence{12, 9}));
}

TEST(Congruence, BoundsRemainders) {
  for (const Congruence values : SmallCongruences()) {
    for (int64_t divisor = 1; divisor <= 7; ++divisor) {
      Interval expected = {kGreatestInt64, kLeastInt64};
      for (int64_t value = -60; value <= 60; ++value) {
        if (!IsIn(values, value)) continue;
        const int64_t remainder = arith::FloorMod(value, divisor);
        expected = {std::min(expected.min, remainder), std::max(expected.max, remainder)};
      }
      EXPECT_EQ(RemainderOf(values, divisor), expected) << values.coeff << " " << values.base;
    }
  }
}

TEST(Integers, DivideExactlyOrNotAtAll) {
  EXPECT_EQ(arith::ExactQuotient(12, -4), -3);
  EXPECT_EQ(arith::ExactQuotient(13, 4), std::nullopt);
  EXPECT_EQ(arith::ExactQuotient(1, 0), std::nullopt);
  EXPECT_EQ(arith::ExactQuotient(kLeastInt64, -1), std::nullopt);
}

TEST(Integers, HaveAGreatestCommonDivisor) {
  EXPECT_EQ(arith::Gcd(-12, 18), 6);
  EXPECT_EQ(arith::Gcd(0, -5), 5);
  EXPECT_EQ(arith::Gcd(0, 0), 0);
}

}  // namespace
}  // namespace uir
