// Sums as linear forms: their arithmetic, their limits, and reading and writing them.
#include <gtest/gtest.h>
#include <uir/ir/dtype.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <optional>

#include "dtypes.h"
#include "uir/arith/analyzer_state.h"
#include "uir/arith/const_fold.h"
#include "uir/arith/linear_form.h"

namespace uir {
namespace {

using arith::Case;
using arith::LinearForm;
using arith::LinearTerm;
using ir::IntImm;
using ir::PrimExpr;
using tir::Var;

LinearForm Times(const PrimExpr& atom, int64_t scale) {
  LinearForm form = LinearForm::Of({atom});
  form.terms[0].scale = scale;
  return form;
}

TEST(LinearForm, AddsLikeTermsAndDropsZeros) {
  const Var x("x", kInt32);
  LinearForm form = Times(x, 3);
  ASSERT_TRUE(form.AddScaled(Times(x, 2), 2));
  EXPECT_EQ(form.terms[0].scale, 7);
  ASSERT_TRUE(form.AddScaled(Times(x, 7), -1));
  EXPECT_TRUE(form.IsConstant());
}

TEST(LinearForm, RefusesNumbersBeyondInt64) {
  const Var x("x", kInt64);
  LinearForm form = Times(x, INT64_MAX);
  EXPECT_FALSE(form.AddScaled(Times(x, 1), 1));
  LinearForm scaled = Times(x, INT64_MAX);
  EXPECT_FALSE(scaled.Scale(2));
  LinearForm negated = Times(x, 1);
  // The least number has no opposite, so it is no scale.
  EXPECT_FALSE(negated.Scale(INT64_MIN));
  LinearForm constant;
  constant.base = INT64_MAX;
  LinearForm one;
  one.base = 1;
  EXPECT_FALSE(constant.AddScaled(one, 1));
}

TEST(LinearForm, BecomesTooLongAfterSixteenTerms) {
  LinearForm form;
  for (size_t i = 0; i < LinearForm::kMostTerms; ++i) {
    ASSERT_TRUE(form.AddTerm({Var("x", kInt32)}));
  }
  EXPECT_FALSE(form.AddTerm({Var("y", kInt32)}));
}

TEST(LinearForm, JoinsDigits) {
  const Var x("x", kInt32);
  LinearTerm high{x};
  high.lower = 4;
  high.scale = 4;
  LinearTerm low{x};
  low.upper = 4;
  LinearForm form;
  ASSERT_TRUE(form.AddTerm(high) && form.AddTerm(low));
  form.Join();
  ASSERT_EQ(form.terms.size(), 1);
  EXPECT_TRUE(form.terms[0].IsPlain());
  // Digits that are rounded in different ways are not of one value.
  low.is_trunc = true;
  LinearForm mixed;
  ASSERT_TRUE(mixed.AddTerm(high) && mixed.AddTerm(low));
  mixed.Join();
  EXPECT_EQ(mixed.terms.size(), 2);
}

TEST(LinearForm, IsWrittenOnlyWithNumbersOfTheType) {
  const Var x("x", kInt32);
  EXPECT_FALSE(ToExpr(Times(x, INT32_MAX + int64_t{1}), kInt32, std::nullopt).has_value());
  const std::optional<PrimExpr> least = ToExpr(Times(x, INT32_MIN), kInt32, std::nullopt);
  ASSERT_TRUE(least.has_value());
  EXPECT_EQ(arith::CaseOf(*least), Case::kMul);
}

TEST(CanonicalForm, ReadsSumsAndTakesMultiplesOut) {
  arith::State state;
  const Var x("x", kInt32);
  const Var y("y", kInt32);
  const LinearForm sum = state.SumOf((x + y * 2) - x + 3);
  ASSERT_EQ(sum.terms.size(), 1);
  EXPECT_EQ(sum.terms[0].scale, 2);
  EXPECT_EQ(sum.base, 3);
  const LinearForm quotient = state.SumOf(tir::FloorDiv(x * 8 - 1, IntImm(kInt32, 8)));
  ASSERT_EQ(quotient.terms.size(), 1);
  // -1 // 8 is -1, as for all negative dividends near 0.
  EXPECT_EQ(quotient.base, -1);
}

TEST(CanonicalForm, DoesNotReadDivisionsByNegativeNumbersOrZero) {
  arith::State state;
  const Var x("x", kInt32);
  for (const int64_t divisor : {-8, 0}) {
    const PrimExpr quotient = tir::FloorDiv(x * 8, IntImm(kInt32, divisor));
    const LinearForm form = state.SumOf(quotient);
    ASSERT_EQ(form.terms.size(), 1);
    EXPECT_TRUE(form.terms[0].atom.same_as(quotient));
  }
}

TEST(CanonicalForm, TakesLargeNumbersAsAtoms) {
  arith::State state;
  const LinearForm large = state.SumOf(IntImm(kInt64, INT64_MIN));
  ASSERT_EQ(large.terms.size(), 1);
  EXPECT_EQ(large.base, 0);
  EXPECT_TRUE(state.SumOf(IntImm(kInt64, INT64_MAX / 2)).IsConstant());
}

TEST(CanonicalForm, IsExactUnlessDataMayWrap) {
  arith::State state;
  const Var x("x", kInt32);
  EXPECT_TRUE(state.IsExact(x * 5));
  arith::VarFacts facts{x};
  facts.is_data = true;
  state.constraints.SetVar(facts);
  state.ClearMemos();
  EXPECT_FALSE(state.IsExact(x * 5));
  // Modulo the range of the type it is still that sum.
  EXPECT_EQ(state.SumOf(x * 5).terms[0].scale, 5);
  EXPECT_EQ(state.ValueOf(x * 5).terms[0].scale, 1);
  state.Restrict(x, {0, 100}, {});
  state.ClearMemos();
  EXPECT_TRUE(state.IsExact(x * 5));
}

TEST(ConstFold, EvaluatesExactly) {
  EXPECT_EQ(arith::Evaluate(Case::kFloorDiv, -7, 2), -4);
  EXPECT_EQ(arith::Evaluate(Case::kFloorMod, -7, -2), -1);
  EXPECT_EQ(arith::Evaluate(Case::kDiv, -7, 2), -3);
  EXPECT_EQ(arith::Evaluate(Case::kMod, -7, 2), -1);
  EXPECT_FALSE(arith::Evaluate(Case::kFloorDiv, 1, 0).has_value());
  EXPECT_FALSE(arith::Evaluate(Case::kDiv, INT64_MIN, -1).has_value());
  EXPECT_FALSE(arith::Evaluate(Case::kAdd, INT64_MAX, 1).has_value());
  EXPECT_EQ(arith::Evaluate(Case::kSub, INT64_MIN, INT64_MIN), 0);
}

TEST(ConstFold, FoldsIndicesOnlyWhereTheyFit) {
  EXPECT_EQ(arith::FoldFitting(Case::kAdd, kInt32, INT32_MAX - 1, 1), INT32_MAX);
  EXPECT_FALSE(arith::FoldFitting(Case::kAdd, kInt32, INT32_MAX, 1).has_value());
  EXPECT_EQ(arith::FoldInt(Case::kAdd, kInt32, INT32_MAX, 1), INT32_MIN);
  EXPECT_FALSE(arith::FoldFitting(Case::kMul, kInt64, INT64_MAX, 2).has_value());
  EXPECT_FALSE(arith::FoldFitting(Case::kFloorMod, kInt32, INT32_MIN, -1).has_value());
  constexpr DLDataType kUInt8{kDLUInt, 8, 1};
  EXPECT_EQ(arith::FoldFitting(Case::kAdd, kUInt8, 255, 2), 1);
}

}  // namespace
}  // namespace uir
