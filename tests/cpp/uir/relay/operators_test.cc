// Operators on expressions of relay: what they make of expressions and of plain numbers.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/operators.h>
#include <uir/tir/operators.h>

#include <string>

namespace uir {
namespace {

using ir::RelayExpr;

class RelayOperators : public ::testing::Test {
 protected:
  relay::Var x{"x", ir::TensorType({2, 3}, {kDLFloat, 32, 1})};
  relay::Var y{"y", ir::TensorType({2, 3}, {kDLFloat, 32, 1})};
  relay::Var i{"i", ir::TensorType({2, 3}, {kDLInt, 32, 1})};
};

/*! \brief Expect a call of an operator with exactly these operands. */
void ExpectCall(const RelayExpr& expr, const std::string& name, const RelayExpr& a,
                const RelayExpr& b) {
  const auto* call = expr.as<relay::CallNode>();
  ASSERT_NE(call, nullptr) << expr->GetTypeKey();
  EXPECT_EQ(call->op.as<ir::OpNode>()->name, "relay." + name);
  EXPECT_TRUE(call->args[0].same_as(a));
  EXPECT_TRUE(call->args[1].same_as(b));
}

TEST_F(RelayOperators, MakeCalls) {
  ExpectCall(x + y, "add", x, y);
  ExpectCall(x - y, "subtract", x, y);
  ExpectCall(x * y, "multiply", x, y);
  ExpectCall(x / y, "divide", x, y);
  ExpectCall(x % y, "mod", x, y);
  ExpectCall(x < y, "less", x, y);
  ExpectCall(x <= y, "less_equal", x, y);
  ExpectCall(x > y, "greater", x, y);
  ExpectCall(x >= y, "greater_equal", x, y);
  ExpectCall(i << i, "left_shift", i, i);
  ExpectCall(i >> i, "right_shift", i, i);
  ExpectCall(i & i, "bitwise_and", i, i);
  ExpectCall(i | i, "bitwise_or", i, i);
  ExpectCall(i ^ i, "bitwise_xor", i, i);
}

TEST_F(RelayOperators, TakeOneOperand) {
  EXPECT_TRUE(tschema::StructuralEqual(-x, relay::negative(x)));
  EXPECT_TRUE(tschema::StructuralEqual(~i, relay::bitwise_not(i)));
}

TEST_F(RelayOperators, TakeNumbersOnEitherSide) {
  EXPECT_TRUE(tschema::StructuralEqual(x + 1.5, relay::add(x, relay::as_operand(1.5, x))));
  EXPECT_TRUE(tschema::StructuralEqual(2 - i, relay::subtract(relay::as_operand(2, i), i)));
}

TEST_F(RelayOperators, ThrowWhatTheOperatorThrows) { EXPECT_THROW(x + i, tvm::ffi::Error); }

}  // namespace
}  // namespace uir
