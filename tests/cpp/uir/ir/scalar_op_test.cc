// Values of operations on scalars: the rules for zero and for results that do not fit.
#include <gtest/gtest.h>
#include <uir/ir/scalar_op.h>

#include <cmath>
#include <cstdint>
#include <optional>

namespace uir::ir {
namespace {

TEST(ScalarOpTest, DividesWithTheRoundingOfTheOperation) {
  EXPECT_EQ(Evaluate(ScalarOp::kDiv, int64_t{-7}, int64_t{2}), -3);
  EXPECT_EQ(Evaluate(ScalarOp::kMod, int64_t{-7}, int64_t{2}), -1);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, int64_t{-7}, int64_t{2}), -4);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorMod, int64_t{-7}, int64_t{2}), 1);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorMod, int64_t{7}, int64_t{-2}), -1);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, -7.0, 2.0), -4.0);
}

TEST(ScalarOpTest, GivesNoValueForDivisionsByZero) {
  for (const ScalarOp op :
       {ScalarOp::kDiv, ScalarOp::kMod, ScalarOp::kFloorDiv, ScalarOp::kFloorMod}) {
    EXPECT_EQ(Evaluate(op, int64_t{1}, int64_t{0}), std::nullopt);
    EXPECT_EQ(EvaluateWrapped(op, 1, 0), std::nullopt);
  }
}

TEST(ScalarOpTest, WrapsAroundOrGivesNoValueBeyondInt64) {
  EXPECT_EQ(Evaluate(ScalarOp::kAdd, INT64_MAX, int64_t{1}), std::nullopt);
  EXPECT_EQ(EvaluateWrapped(ScalarOp::kAdd, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(Evaluate(ScalarOp::kMul, INT64_MIN, int64_t{-1}), std::nullopt);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, INT64_MIN, int64_t{-1}), std::nullopt);
  EXPECT_EQ(EvaluateWrapped(ScalarOp::kDiv, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorMod, INT64_MIN, int64_t{-1}), 0);
  EXPECT_EQ(Evaluate(ScalarOp::kShiftLeft, int64_t{1}, int64_t{62}), int64_t{1} << 62);
  EXPECT_EQ(Evaluate(ScalarOp::kShiftLeft, int64_t{1}, int64_t{63}), std::nullopt);
}

TEST(ScalarOpTest, RaisesToPowersOfAnySize) {
  EXPECT_EQ(Evaluate(ScalarOp::kPower, int64_t{-1}, int64_t{1001}), -1);
  EXPECT_EQ(Evaluate(ScalarOp::kPower, int64_t{2}, int64_t{62}), int64_t{1} << 62);
  EXPECT_EQ(Evaluate(ScalarOp::kPower, int64_t{2}, int64_t{63}), std::nullopt);
  EXPECT_EQ(Evaluate(ScalarOp::kPower, int64_t{2}, int64_t{-1}), std::nullopt);
}

TEST(ScalarOpTest, DividesFloatsLikePython) {
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, 1.0, 0.1), 9.0);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, -7.0, 2.0), -4.0);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, -1.0, INFINITY), -1.0);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorDiv, 1.0, 0.0), INFINITY);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorMod, -7.0, 2.0), 1.0);
  EXPECT_EQ(Evaluate(ScalarOp::kFloorMod, 7.0, -2.0), -1.0);
}

TEST(ScalarOpTest, FindsTheLongestSymbol) {
  EXPECT_EQ(FindPrefix("<= y")->op, ScalarOp::kLE);
  EXPECT_EQ(FindPrefix("// y")->op, ScalarOp::kFloorDiv);
  EXPECT_EQ(FindPrefix(") y"), nullptr);
  EXPECT_EQ(FindSymbol("and"), ScalarOp::kAnd);
  EXPECT_EQ(FindTensorOp("divide"), ScalarOp::kDiv);
  EXPECT_EQ(FindTensorOp("sqrt"), std::nullopt);
}

}  // namespace
}  // namespace uir::ir
