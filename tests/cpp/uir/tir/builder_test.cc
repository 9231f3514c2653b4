// The builder of C++: scopes that are functions.
#include <gtest/gtest.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/tir/builder.h>
#include <uir/tir/operators.h>

#include <stdexcept>
#include <string>

namespace uir::tir {

namespace {

TEST(Builder, BuildsLoopsAndBranches) {
  const Var n("n", ir::IntType(32));
  const Buffer buffer = decl_buffer({n}, ir::FloatType(32), "A");
  Builder builder;
  builder->AddParam(n);
  builder->AddBuffer(buffer);
  builder.For("i", n, [&](const Var& i) {
    builder.If(i < 3, [&] { builder->Store(buffer, {i}, 1); });
    builder.Else([&] { builder->Store(buffer, {i}, 2); });
  });
  const PrimFunc func = builder->MakeFunc();
  EXPECT_EQ(func->params.size(), 2U);
  const auto* loop = func->body.as<ForNode>();
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->loop_var->name, "i");
  const auto* branch = loop->body.as<IfThenElseNode>();
  ASSERT_NE(branch, nullptr);
  const auto* store = branch->else_case.value().as<BufferStoreNode>();
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->value->dtype, ir::FloatType(32));
}

TEST(Builder, AScopeThatThrowsAddsNothing) {
  Builder builder;
  const Var n("n", ir::IntType(32));
  auto build = [&] { builder.While(n < 3, [] { throw std::runtime_error("stop"); }); };
  EXPECT_THROW(build(), std::runtime_error);
  EXPECT_TRUE(builder->Body().as<SeqStmtNode>()->seq.empty());
}

TEST(Builder, AnOpenScopeIsAnError) {
  Builder builder;
  const BuilderScope scope = builder->EnterIf(ir::IntImm(ir::BoolType(), 1));
  try {
    builder->Body();
    FAIL() << "no error";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.message(), "Builder: scope `if` is still open");
  }
  builder->Leave(scope);
  EXPECT_NE(builder->Body().as<IfThenElseNode>(), nullptr);
}

}  // namespace

}  // namespace uir::tir
