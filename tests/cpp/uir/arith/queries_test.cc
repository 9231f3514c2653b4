// The parts of an analyzer one by one: each knows only what the test says, or nothing.
#include "uir/arith/queries.h"

#include <gtest/gtest.h>
#include <uir/ir/dtype.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "dtypes.h"
#include "uir/arith/analyzer_state.h"
#include "uir/arith/const_int_bound.h"
#include "uir/arith/data_finder.h"
#include "uir/arith/inequality_prover.h"
#include "uir/arith/modular_set.h"
#include "uir/arith/sample_points.h"

namespace uir {
namespace {

using arith::Congruence;
using arith::Interval;
using arith::LinearForm;
using ir::IntImm;
using ir::PrimExpr;
using tir::Var;

constexpr Interval kAllInt32 = {INT32_MIN, INT32_MAX};

/*! \brief Knows that no value is data, and nothing else. */
class IndicesOnly : public arith::Queries {
 public:
  bool IsData(const PrimExpr&) override { return false; }
};

arith::VarFacts FactsOf(const Var& var, Interval bound, Congruence congruence = {}) {
  arith::VarFacts facts{var, bound, congruence};
  arith::SamplePoints::MoveIntoRange(&facts);
  return facts;
}

PrimExpr Int32(int64_t value) { return IntImm(kInt32, value); }

TEST(Queries, AnswerNothingByThemselves) {
  arith::Queries nothing;
  const Var x("x", kInt32);
  EXPECT_EQ(nothing.BoundOf(x), Interval{});
  EXPECT_EQ(nothing.CongruenceOf(x), Congruence{});
  EXPECT_TRUE(nothing.IsData(x));
  // False does not mean proved false: neither a claim nor its opposite is proved.
  EXPECT_FALSE(nothing.IsLess(Int32(1), Int32(2)));
  EXPECT_FALSE(nothing.IsLessEqual(Int32(2), Int32(1)));
  EXPECT_FALSE(nothing.IsEqual(x, x));
  EXPECT_FALSE(nothing.IsNotEqual(x, x));
  EXPECT_FALSE(nothing.IsRefuted(Int32(2), Int32(1), 0));
  EXPECT_FALSE(nothing.Difference(x, x).has_value());
}

TEST(Queries, ReadAnExpressionAsOneTerm) {
  arith::Queries nothing;
  const PrimExpr sum = Var("x", kInt32) + 1;
  const LinearForm form = nothing.ValueOf(sum);
  ASSERT_EQ(form.terms.size(), 1);
  EXPECT_TRUE(form.terms[0].atom.same_as(sum));
  EXPECT_TRUE(form.terms[0].IsPlain());
}

TEST(Queries, KeepTheFactsOfACase) {
  arith::State state;
  const Var x("x", kInt32);
  state.EnterCase(x > 3, true);
  EXPECT_TRUE(state.IsLess(Int32(3), x));
  state.LeaveCase();
  EXPECT_FALSE(state.IsLess(Int32(3), x));
  state.EnterCase(x > 3, false);
  EXPECT_TRUE(state.IsLessEqual(x, Int32(3)));
  EXPECT_FALSE(state.IsLess(x, Int32(3)));
}

TEST(ConstIntBound, WrapsDataAndNotIndices) {
  const Var x("x", kInt32);
  arith::Queries data;
  arith::ConstIntBoundAnalyzer of_data(&data);
  EXPECT_EQ(of_data(x + 1), kAllInt32);
  EXPECT_EQ(of_data.Exact(x + 1), (Interval{INT32_MIN + int64_t{1}, INT32_MAX + int64_t{1}}));
  IndicesOnly indices;
  arith::ConstIntBoundAnalyzer of_indices(&indices);
  EXPECT_EQ(of_indices(x + 1), (Interval{INT32_MIN + int64_t{1}, INT32_MAX}));
}

TEST(ConstIntBound, DividesTheEndsOfTypes) {
  IndicesOnly known;
  arith::ConstIntBoundAnalyzer bound(&known);
  const Var x("x", kInt32);
  const Var y("y", kInt64);
  // The least number divided by -1 is no number of the type.
  EXPECT_EQ(bound(tir::FloorDiv(x, Int32(-1))), (Interval{-INT32_MAX, INT32_MAX}));
  EXPECT_EQ(bound(tir::FloorDiv(x, Int32(-2))), (Interval{-(1 << 30), 1 << 30}));
  EXPECT_EQ(bound(tir::FloorMod(x, Int32(-3))), (Interval{-2, 0}));
  EXPECT_EQ(bound(tir::Mod(x, Int32(-3))), (Interval{-2, 2}));
  // The greatest number stands for an unknown one, so that the remainder has no upper end.
  EXPECT_EQ(bound(tir::FloorMod(y, IntImm(kInt64, INT64_MAX))), (Interval{0, Interval::kPosInf}));
  // A divisor of 0 has no result, so any is right; it must end.
  EXPECT_TRUE(kAllInt32.Contains(bound(tir::FloorDiv(x, Int32(0)))));
}

TEST(ConstIntBound, TakesTheTighterOfStatedAndComputedBounds) {
  IndicesOnly known;
  arith::ConstIntBoundAnalyzer bound(&known);
  const Var x("x", kInt32);
  known.constraints.SetVar(FactsOf(x, {0, 9}));
  const PrimExpr half = tir::FloorDiv(x, Int32(2));
  EXPECT_EQ(bound(half), (Interval{0, 4}));
  bound.ClearMemo();
  known.constraints.AddBound(half, {3, 70});
  EXPECT_EQ(bound(half), (Interval{3, 4}));
}

TEST(ConstIntBound, BoundsARangeOfOneValueAndOneWithoutAnEnd) {
  IndicesOnly known;
  arith::ConstIntBoundAnalyzer bound(&known);
  const Var x("x", kInt64);
  known.constraints.SetVar(FactsOf(x, Interval::Point(7)));
  EXPECT_TRUE(bound(x * 3).IsPoint());
  known.constraints.SetVar(FactsOf(x, {7, Interval::kPosInf}));
  EXPECT_EQ(bound(x * 3), (Interval{21, Interval::kPosInf}));
  EXPECT_EQ(bound(x * -1), (Interval{Interval::kNegInf, -7}));
}

TEST(ModularSet, LosesWhatWrapsAround) {
  arith::Queries data;
  const Var x("x", kInt32);
  data.constraints.SetVar(FactsOf(x, {}, {12, 4}));
  // Of `x * 2` modulo 24, only the power of 2 survives wrapping around.
  EXPECT_EQ(arith::ModularSetAnalyzer(&data)(x * 2), (Congruence{8, 0}));
  IndicesOnly indices;
  indices.constraints = data.constraints;
  EXPECT_EQ(arith::ModularSetAnalyzer(&indices)(x * 2), (Congruence{24, 8}));
}

TEST(ModularSet, DividesByConstants) {
  IndicesOnly known;
  const Var x("x", kInt32);
  known.constraints.SetVar(FactsOf(x, {}, {12, 7}));
  arith::ModularSetAnalyzer congruence(&known);
  EXPECT_EQ(congruence(tir::FloorMod(x, Int32(4))), Congruence::Point(3));
  EXPECT_EQ(congruence(tir::FloorDiv(x, Int32(4))), (Congruence{3, 1}));
  EXPECT_EQ(congruence(tir::FloorMod(x, Int32(8))), (Congruence{4, 3}));
  // The sign of `x` is not known, so neither is that of a remainder that is rounded towards zero.
  EXPECT_EQ(congruence(tir::Mod(x, Int32(4))), (Congruence{4, 3}));
  for (const int64_t divisor : {0, -4}) {
    EXPECT_EQ(congruence(tir::FloorDiv(x, Int32(divisor))), Congruence{});
  }
}

TEST(ModularSet, KnowsConstantsAtTheEndsOfInt64) {
  IndicesOnly known;
  arith::ModularSetAnalyzer congruence(&known);
  for (const int64_t value : {INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(congruence(IntImm(kInt64, value)), Congruence::Point(value));
  }
  const Var x("x", kInt64);
  EXPECT_EQ(congruence(x * IntImm(kInt64, INT64_MIN)).base, 0);
}

TEST(DataFinder, FindsDataOnlyThroughFacts) {
  arith::Queries known;
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  arith::DataFinder is_data(&known);
  EXPECT_FALSE(is_data(x + y));
  arith::VarFacts facts{x};
  facts.is_data = true;
  known.constraints.SetVar(facts);
  known.constraints.SetVar({y, {0, 9}});
  is_data.ClearMemo();
  EXPECT_TRUE(is_data(x + y));
  EXPECT_FALSE(is_data(y + 1));
}

TEST(SamplePoints, RefuteOnlyWhereAllFactsHold) {
  IndicesOnly known;
  arith::SamplePoints samples(&known);
  const Var x("x", kInt32);
  known.constraints.SetVar(FactsOf(x, {0, 9}));
  EXPECT_TRUE(samples.IsRefuted(x, Int32(9), 1));
  EXPECT_FALSE(samples.IsRefuted(x, Int32(10), 1));
  EXPECT_TRUE(samples.IsRefuted(Int32(1), x, 0));
  // A fact that is false at a point makes it no counterexample.
  known.constraints.AddFact({x < 5, true});
  EXPECT_FALSE(samples.IsRefuted(x, Int32(9), 1));
  EXPECT_TRUE(samples.IsRefuted(Int32(1), x, 0));
}

TEST(SamplePoints, RefuteNothingBeyondInt64) {
  arith::Queries known;
  arith::SamplePoints samples(&known);
  const PrimExpr greatest = IntImm(kInt64, INT64_MAX);
  EXPECT_FALSE(samples.IsRefuted(greatest, greatest, 0));
  // The sum with the distance is no number of 64 bits.
  EXPECT_FALSE(samples.IsRefuted(greatest, greatest, 1));
  EXPECT_TRUE(samples.IsRefuted(greatest, IntImm(kInt64, INT64_MIN), 0));
}

TEST(InequalityProver, NeedsABoundFromOthers) {
  const Var x("x", kInt32);
  arith::Queries nothing;
  EXPECT_FALSE(arith::InequalityProver(&nothing).IsBelow(x, x + 1, 1));
  arith::State state;
  EXPECT_TRUE(state.IsLess(x, x + 1));
  EXPECT_FALSE(state.IsLess(x, x));
  EXPECT_TRUE(state.IsLessEqual(x, x));
  EXPECT_TRUE(state.IsNotEqual(x * 2, x * 2 + 1));
  EXPECT_FALSE(state.IsNotEqual(x * 2, x + 1));
}

TEST(InequalityProver, UsesStatedInequalities) {
  arith::State state;
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  state.Assume(x + y < 10, true);
  EXPECT_TRUE(state.IsLess(x + y + 3, Int32(13)));
  EXPECT_FALSE(state.IsLess(x + y + 3, Int32(12)));
  EXPECT_EQ(state.BoundByFactsOf(x + y + 3).max, 12);
}

TEST(InequalityProver, ProvesNothingBeyondTheEndsOfTypes) {
  arith::State state;
  const Var x("x", kInt64);
  const PrimExpr greatest = IntImm(kInt64, INT64_MAX);
  const PrimExpr least = IntImm(kInt64, INT64_MIN);
  EXPECT_FALSE(state.IsLess(greatest, x));
  EXPECT_FALSE(state.IsLess(x, least));
  EXPECT_TRUE(state.IsLess(least, greatest));
  EXPECT_FALSE(state.IsLess(greatest, least));
}

TEST(InequalityProver, KeepsFactsApartFromTheirNegation) {
  arith::State state;
  const Var x("x", kInt32);
  state.Assume(tir::EQ(x, Int32(4)), false);
  EXPECT_TRUE(state.IsNotEqual(x, Int32(4)));
  EXPECT_FALSE(state.IsNotEqual(x, Int32(5)));
  state.Assume(x >= 4, true);
  EXPECT_TRUE(state.IsLess(Int32(4), x));
}

TEST(State, KeepsBoundsOfAVariableWithoutValues) {
  arith::State state;
  const Var x("x", kInt32);
  state.Restrict(x, {0, 4}, {});
  // No value is in both, so that the stated bounds stay: arithmetic on none is undefined.
  state.Restrict(x, {10, 20}, {});
  EXPECT_EQ(state.BoundOf(x), (Interval{0, 4}));
}

TEST(State, MovesBoundsToMembersOfAClass) {
  arith::State state;
  const Var x("x", kInt64);
  state.Restrict(x, {1, 10}, arith::MakeCongruence(4, 2));
  EXPECT_EQ(state.BoundOf(x), (Interval{2, 10}));
  state.Restrict(x, {3, Interval::kPosInf}, {});
  EXPECT_EQ(state.BoundOf(x), (Interval{6, 10}));
}

}  // namespace
}  // namespace uir
