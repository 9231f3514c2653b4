// The analyzer from C++: scopes of constraints, bounds without objects, linear expressions.
#include <gtest/gtest.h>
#include <uir/arith/analyzer.h>
#include <uir/arith/constraint.h>
#include <uir/arith/linear_equation.h>
#include <uir/ir/dtype.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <vector>

#include "dtypes.h"

namespace uir {
namespace {

using arith::Analyzer;
using arith::Interval;
using ir::IntImm;
using tir::Var;

TEST(Analyzer, ForgetsAConstraintWithItsScope) {
  const Var x("x", kInt32);
  const Analyzer analyzer;
  {
    const arith::ConstraintScope scope(analyzer, x >= 4);
    EXPECT_TRUE(analyzer->CanProve(x > 3));
    EXPECT_EQ(analyzer->BoundOf(x * 2).min, 8);
  }
  EXPECT_FALSE(analyzer->CanProve(x > 3));
}

TEST(Analyzer, ExplainsWithRulesAndFacts) {
  const Var x("x", kInt32);
  const Analyzer analyzer;
  analyzer->Bind(x, ir::Range(IntImm(kInt32, 0), IntImm(kInt32, 4)));
  const arith::Explanation explanation = analyzer->Explain(tir::floordiv(x, IntImm(kInt32, 4)));
  ASSERT_EQ(explanation->steps.size(), 1);
  const arith::ExplanationStep step = explanation->steps[0];
  EXPECT_EQ(step->method, arith::StepMethod::kRule);
  EXPECT_EQ(step->facts.size(), 2);
  EXPECT_EQ(step->after.as<ir::IntImmNode>()->value, 0);
}

TEST(Analyzer, BindsRangesAndValues) {
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  const Analyzer analyzer;
  analyzer->Bind(x, ir::Range(IntImm(kInt32, 2), IntImm(kInt32, 5)));
  analyzer->Bind(y, x + 1);
  EXPECT_EQ(analyzer->BoundOf(y * 3), (Interval{9, 21}));
  EXPECT_TRUE(analyzer->CanProveEqual(y - x, IntImm(kInt32, 1)));
}

TEST(DetectLinearEquation, SplitsASumIntoMultiplesAndARest) {
  const Var i("i", kInt32);
  const Var j("j", kInt32);
  const Var n("n", kInt32);
  const Analyzer analyzer;
  const auto found = arith::DetectLinearEquation(analyzer, (i * 4 + n) * 2 - j + i, {i, j});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->coeffs, (std::vector<int64_t>{9, -1}));
  EXPECT_TRUE(analyzer->CanProveEqual(found->rest, n * 2));
}

TEST(DetectLinearEquation, RefusesWhatIsNoSumOfMultiples) {
  const Var i("i", kInt32);
  const Var n("n", kInt32);
  const Analyzer analyzer;
  EXPECT_FALSE(arith::DetectLinearEquation(analyzer, i * n, {i}).has_value());
  EXPECT_FALSE(arith::DetectLinearEquation(analyzer, tir::floordiv(i, n), {i}).has_value());
  EXPECT_TRUE(arith::DetectLinearEquation(analyzer, i * n, {}).has_value());
}

TEST(Interval, DividesAndTakesRemaindersAsTheirNamesSay) {
  for (int64_t low = -9; low <= 9; ++low) {
    for (int64_t high = low; high <= 9; ++high) {
      for (const int64_t divisor : {-4, -1, 1, 3, 8}) {
        const Interval range = {low, high};
        const Interval by = Interval::Point(divisor);
        for (int64_t value = low; value <= high; ++value) {
          EXPECT_TRUE(FloorDiv(range, by).Contains(arith::FloorDiv(value, divisor)));
          EXPECT_TRUE(FloorMod(range, by).Contains(arith::FloorMod(value, divisor)));
          EXPECT_TRUE(TruncDiv(range, by).Contains(value / divisor));
          EXPECT_TRUE(TruncMod(range, by).Contains(value % divisor));
        }
      }
    }
  }
}

}  // namespace
}  // namespace uir
