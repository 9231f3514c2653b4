// Operators on scalar expressions: what they make of expressions and of plain numbers.
#include <gtest/gtest.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <string>

namespace uir {
namespace {

namespace ffi = ::tvm::ffi;
using ir::PrimExpr;

class Operators : public ::testing::Test {
 protected:
  tir::Var x{"x", ir::IntType(32)};
  tir::Var wide{"wide", ir::IntType(64)};
  tir::Var real{"real", ir::FloatType(32)};
  tir::Var flag{"flag", ir::BoolType()};
};

/*! \brief Expect a binary node with exactly these operands. */
template <typename Node>
void ExpectNode(const PrimExpr& expr, const PrimExpr& a, const PrimExpr& b) {
  const auto* node = expr.as<Node>();
  ASSERT_NE(node, nullptr) << expr->GetTypeKey();
  EXPECT_TRUE(node->a.same_as(a));
  EXPECT_TRUE(node->b.same_as(b));
}

void ExpectCall(const PrimExpr& expr, const std::string& name) {
  const auto* call = expr.as<tir::CallNode>();
  ASSERT_NE(call, nullptr) << expr->GetTypeKey();
  EXPECT_EQ(call->op.as<ir::OpNode>()->name, name);
}

TEST_F(Operators, MakeNodes) {
  ExpectNode<tir::AddNode>(x + x, x, x);
  ExpectNode<tir::SubNode>(x - x, x, x);
  ExpectNode<tir::MulNode>(x * x, x, x);
  ExpectNode<tir::LTNode>(x < x, x, x);
  ExpectNode<tir::LENode>(x <= x, x, x);
  ExpectNode<tir::GTNode>(x > x, x, x);
  ExpectNode<tir::GENode>(x >= x, x, x);
  ExpectNode<tir::AndNode>(flag && flag, flag, flag);
  ExpectNode<tir::OrNode>(flag || flag, flag, flag);
}

TEST_F(Operators, OnBitsAreIntrinsicsOrLogic) {
  ExpectCall(x << x, "tir.shift_left");
  ExpectCall(x >> x, "tir.shift_right");
  ExpectCall(x & x, "tir.bitwise_and");
  ExpectCall(x | x, "tir.bitwise_or");
  ExpectCall(x ^ x, "tir.bitwise_xor");
  ExpectCall(~x, "tir.bitwise_not");
  ExpectNode<tir::AndNode>(flag & flag, flag, flag);
  ExpectNode<tir::OrNode>(flag | flag, flag, flag);
  ExpectNode<tir::NENode>(flag ^ flag, flag, flag);
  EXPECT_NE((~flag).as<tir::NotNode>(), nullptr);
  EXPECT_NE((!flag).as<tir::NotNode>(), nullptr);
}

TEST_F(Operators, GiveANumberTheTypeBesideIt) {
  for (const PrimExpr& sum : {wide + 1, 1 + wide}) EXPECT_EQ(sum->dtype, ir::IntType(64));
  EXPECT_EQ((real * 2)->dtype, ir::FloatType(32));
  EXPECT_EQ((x + 0.5)->dtype, ir::FloatType(32));
  EXPECT_EQ((tir::Var("tiny", ir::UIntType(8)) + 255)->dtype, ir::UIntType(8));
  EXPECT_THROW(tir::Var("tiny", ir::UIntType(8)) + 256, ffi::Error);
}

TEST_F(Operators, MatchTheTypesOfTheOperands) {
  EXPECT_EQ((x + wide)->dtype, ir::IntType(64));
  EXPECT_EQ((wide + real)->dtype, ir::FloatType(32));
  EXPECT_EQ((x < wide)->dtype, ir::BoolType());
  const PrimExpr lanes = tir::Ramp(x, 1, 4);
  EXPECT_EQ((lanes + wide)->dtype, ir::IntType(64, 4));
}

TEST_F(Operators, NegateWithoutLosingTheSignOfZero) {
  EXPECT_NE((-x).as<tir::SubNode>(), nullptr);
  EXPECT_NE((-real).as<tir::MulNode>(), nullptr);
}

TEST_F(Operators, AssignTheResult) {
  PrimExpr total = x;
  total += wide;
  EXPECT_NE(total.as<tir::AddNode>(), nullptr);
  total -= 1;
  EXPECT_NE(total.as<tir::SubNode>(), nullptr);
  total *= total;
  EXPECT_NE(total.as<tir::MulNode>(), nullptr);
  EXPECT_EQ(total->dtype, ir::IntType(64));
}

TEST_F(Operators, CompareReferences) {
  const PrimExpr same = x;
  EXPECT_TRUE(same == x);
  EXPECT_FALSE(x + 1 == x + 1);
  EXPECT_TRUE(x + 1 != x + 1);
}

TEST_F(Operators, RefuseOperandsWithoutACommonType) {
  try {
    x + tir::Var("p", ir::kHandle);
    FAIL() << "an address is not a number";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    EXPECT_EQ(error.message(),
              "operands `a` and `b` have no common data type, got `int32` and `handle` "
              "(a = Var(dtype=int32, name=\"x\"), b = Var(dtype=handle, name=\"p\"))");
  }
}

}  // namespace
}  // namespace uir
