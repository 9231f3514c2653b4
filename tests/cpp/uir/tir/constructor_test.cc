// Constructors of reference classes: defaults, derived fields, refusals.
#include <gtest/gtest.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/module.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>
#include <uir/transform/context.h>

#include <string>

namespace uir {
namespace {

using ir::IntImm;
namespace ffi = ::tvm::ffi;
using ir::PrimExpr;

const IntImm& One() {
  static const IntImm one(ir::IntType(32), 1);
  return one;
}

TEST(Constructor, LeavesDefaultsOut) {
  const tir::Var x("x");
  EXPECT_EQ(x->dtype, ir::IntType(32));
  EXPECT_FALSE(x->span.has_value());
  const transform::PassContext context;
  EXPECT_EQ(context->opt_level, 2);
  EXPECT_TRUE(context->required_pass.empty());
}

TEST(Constructor, TakesNumbersForExpressions) {
  const PrimExpr sixteen = 16;
  EXPECT_EQ(sixteen.as<ir::IntImmNode>()->value, 16);
  EXPECT_EQ(sixteen->dtype, ir::IntType(32));
}

TEST(Constructor, DerivesFields) {
  const tir::Add sum(One(), One());
  EXPECT_EQ(sum->dtype, ir::IntType(32));
  const tir::PrimFunc func({}, tir::Evaluate(One()));
  EXPECT_TRUE(func->attrs.has_value());
  EXPECT_NE(func->ret_type.value().as<ir::TupleTypeNode>(), nullptr);
}

TEST(Constructor, NamesTheNodeThatRefuses) {
  try {
    tir::Mul(One(), IntImm(ir::IntType(64), 1));
    FAIL() << "the operands differ";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    EXPECT_EQ(error.message(),
              "Mul: operands `a` and `b` must have the same data type, got `int32` and `int64` "
              "(a = IntImm(dtype=int32, value=1), b = IntImm(dtype=int64, value=1))");
  }
}

TEST(Constructor, IsTheGlobalFunctionOfTheTypeKey) {
  const auto construct = ffi::Function::GetGlobalRequired("uir.tir.Add");
  const tir::Add sum = construct(One(), One()).cast<tir::Add>();
  EXPECT_TRUE(sum->a.same_as(One()));
  EXPECT_TRUE(construct(One(), One(), nullptr).cast<tir::Add>()->b.same_as(One()));
  EXPECT_THROW(construct(One()), ffi::Error);
  EXPECT_THROW(construct(One(), 1), ffi::Error);
}

TEST(Constructor, KeepsTheObjectsThatItWasGiven) {
  const ir::GlobalVar main("main");
  const ir::ExternFunc func("f");
  const ir::IRModule module({{main, func}});
  EXPECT_TRUE(module->Lookup("main").same_as(func));
  EXPECT_TRUE(module->GetGlobalVar("main").same_as(main));
  EXPECT_FALSE(module->Contains("other"));
}

TEST(Method, CountsIterations) {
  const tir::Var i("i");
  const tir::Stmt body = tir::Evaluate(i);
  const PrimExpr ten = 10;
  const PrimExpr three = 3;
  EXPECT_EQ(tir::For(i, 0, ten, tir::ForKind::kSerial, body)->TripCount(), 10);
  const tir::For steps(i, 0, ten, tir::ForKind::kSerial, body, std::nullopt, {}, three);
  EXPECT_EQ(steps->TripCount(), 4);
  EXPECT_FALSE(tir::For(i, 0, i, tir::ForKind::kSerial, body)->TripCount().has_value());
}

TEST(Cast, IsCheckedByTheHierarchy) {
  const PrimExpr sum = tir::Add(One(), One());
  EXPECT_NE(sum.as<tir::BinaryOpNode>(), nullptr);
  EXPECT_NE(sum.as<ir::BaseExprNode>(), nullptr);
  EXPECT_EQ(sum.as<tir::SubNode>(), nullptr);
  EXPECT_EQ(sum.as<ir::RelayExprNode>(), nullptr);
}

}  // namespace
}  // namespace uir
