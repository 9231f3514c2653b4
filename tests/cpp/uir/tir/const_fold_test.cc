// Constants in C++: the operators compute with them, nodes do not.
#include <gtest/gtest.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <cstdint>
#include <limits>

namespace uir::tir {

namespace {

using ir::IntImm;
using ir::PrimExpr;

PrimExpr Int(int64_t value, int bits = 32) { return IntImm(ir::IntType(bits), value); }

TEST(ConstFold, OperatorsFoldAndConstructorsDoNot) {
  EXPECT_EQ(IntConstOf(Int(2) + Int(3) * Int(4)), 14);
  EXPECT_EQ(IntConstOf(Int(2) < Int(3)), 1);
  EXPECT_NE(PrimExpr(Add(Int(2), Int(3))).as<AddNode>(), nullptr);
}

TEST(ConstFold, IntegersWrapAtTheirWidth) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(IntConstOf(Int(127, 8) + Int(1, 8)), -128);
  EXPECT_EQ(IntConstOf(Int(least, 64) - Int(1, 64)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(IntConstOf(floordiv(Int(least, 64), Int(-1, 64))), least);
  EXPECT_EQ(IntConstOf(truncmod(Int(least, 64), Int(-1, 64))), 0);
}

TEST(ConstFold, WhatNoConstantHoldsStays) {
  const PrimExpr most = IntImm(ir::UIntType(64), std::numeric_limits<int64_t>::max());
  EXPECT_NE((most + most).as<AddNode>(), nullptr);
  EXPECT_NE((IntImm(ir::UIntType(64), 0) - most).as<SubNode>(), nullptr);
}

TEST(ConstFold, NeutralOperandsGo) {
  const Var x("x", ir::IntType(32));
  EXPECT_TRUE((x + 0).same_as(x));
  EXPECT_TRUE((1 * x).same_as(x));
  EXPECT_EQ(IntConstOf(x * 0), 0);
  EXPECT_TRUE(min(x, x).same_as(x));
}

}  // namespace

}  // namespace uir::tir
