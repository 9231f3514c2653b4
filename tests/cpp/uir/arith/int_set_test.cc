// Sets of integers from C++.
#include <gtest/gtest.h>
#include <uir/arith/deduction.h>
#include <uir/arith/int_set.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include "dtypes.h"

namespace uir {
namespace {

using arith::Analyzer;
using arith::IntSet;
using ir::IntImm;
using tir::Var;

TEST(EvalSet, HasTheEndsOfASum) {
  const Var i("i", kInt32);
  const Var n("n", kInt32);
  const IntSet domain(IntImm(kInt32, 0), n - 1);
  const IntSet values = arith::eval_set(i * 4 + n, {{i, domain}});
  const Analyzer analyzer;
  EXPECT_TRUE(analyzer->CanProveEqual(values->min_value.value(), n));
  EXPECT_TRUE(analyzer->CanProveEqual(values->max_value.value(), n * 5 - 4));
}

TEST(IntersectSets, IsEmptyForSetsApart) {
  const IntSet low(std::nullopt, IntImm(kInt32, 3));
  const IntSet high(IntImm(kInt32, 4), std::nullopt);
  EXPECT_TRUE(arith::intersect_sets({low, high})->IsNothing());
  EXPECT_TRUE(arith::union_sets({low, high})->IsEverything());
}

TEST(DeduceBound, SolvesForTheVariable) {
  const Var i("i", kInt32);
  const Var n("n", kInt32);
  const IntSet values = arith::deduce_bound(i, i * 4 + 3 < n, {}, {});
  EXPECT_FALSE(values->min_value.has_value());
  EXPECT_TRUE(Analyzer()->CanProveEqual(values->max_value.value(), tir::floordiv(n - 4, 4)));
  EXPECT_EQ(arith::detect_clip_bound(i < n, {i, n}).size(), 0);
}

}  // namespace
}  // namespace uir
