// What `verify` finds in nodes that were written without their checks, and in functions of others.
#include <gtest/gtest.h>
#include <uir/ir/module.h>
#include <uir/ir/node_path.h>
#include <uir/ir/verify.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>
#include <uir/transform/node_copy.h>

#include <string>
#include <vector>

#include "dtypes.h"

namespace uir {
namespace {

namespace ffi = ::tvm::ffi;
using ir::IntImm;
using tir::Add;
using tir::Var;
using transform::Write;

ir::IRModule ModuleOf(const tir::Stmt& body, const ffi::Array<Var>& params = {}) {
  return ir::IRModule({{ir::GlobalVar("main"), tir::PrimFunc(params, body)}});
}

std::vector<std::string> Problems(const tir::Stmt& body, const ffi::Array<Var>& params = {}) {
  std::vector<std::string> messages;
  for (const ir::Diagnostic& problem : ir::verify(ModuleOf(body, params))) {
    messages.emplace_back(problem->message);
  }
  return messages;
}

TEST(Verify, OperandsOfOtherTypes) {
  const Var x("x");
  const Add sum(x, IntImm(kInt32, 1));
  const tir::Evaluate body(sum);
  EXPECT_EQ(Problems(body, {x}), std::vector<std::string>());
  Write(sum)->b = IntImm(kInt64, 1);
  EXPECT_EQ(Problems(body, {x}),
            std::vector<std::string>({"operands `a` and `b` must have the same data type, got "
                                      "`int32` and `int64`"}));
}

TEST(Verify, RanksAndValuesOfAccesses) {
  const tir::Buffer buffer(Var("A", DLDataType{kDLOpaqueHandle, 64, 1}), kInt32,
                           {IntImm(kInt32, 4)}, {}, std::nullopt, "A");
  const tir::BufferStore store(buffer, IntImm(kInt32, 1), {IntImm(kInt32, 0)});
  const tir::SeqStmt body({tir::AllocBuffer(buffer), store});
  EXPECT_EQ(Problems(body), std::vector<std::string>());
  Write(store)->indices = {IntImm(kInt32, 0), IntImm(kInt32, 0)};
  Write(store)->value = IntImm(kInt64, 1);
  EXPECT_EQ(Problems(body),
            std::vector<std::string>({"buffer `A` has 1 dimensions, got 2 indices",
                                      "the value stored to `A` must be `int32`, got `int64`"}));
}

TEST(Verify, LoopsOnThreads) {
  const Var i("i");
  const tir::For loop(i, IntImm(kInt32, 0), IntImm(kInt32, 4), tir::ForKind::kSerial,
                      tir::Evaluate(i));
  Write(loop)->kind = tir::ForKind::kThreadBinding;
  EXPECT_EQ(Problems(loop),
            std::vector<std::string>({"loop `i` is bound to threads and has no `thread_binding`"}));
}

TEST(Verify, SymbolsOfTwoFunctions) {
  const auto make = [](const char* symbol) {
    const ir::DictAttrs attrs(ffi::Map<ffi::String, ffi::Any>{{"global_symbol", symbol}});
    return tir::PrimFunc({}, tir::Evaluate(IntImm(kInt32, 0)), {}, std::nullopt, attrs);
  };
  const tir::PrimFunc other = make("g");
  const ir::IRModule module({{ir::GlobalVar("a"), make("f")}, {ir::GlobalVar("b"), other}});
  EXPECT_TRUE(ir::verify(module).empty());
  Write(other)->attrs = make("f")->attrs;
  const ffi::Array<ir::Diagnostic> problems = ir::verify(module);
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(std::string(problems[0]->message), "functions `a` and `b` both export the symbol `f`");
}

TEST(FindPaths, NamesFieldsElementsAndKeys) {
  const Var x("x");
  const tir::Evaluate last(x);
  const tir::SeqStmt body({tir::Evaluate(IntImm(kInt32, 0)), last});
  const ir::IRModule module = ModuleOf(body);
  const auto paths = ir::FindPaths(module.get(), {x.get(), last.get(), module.get()});
  EXPECT_EQ(paths.at(last.get()), "functions[\"main\"].body.seq[1]");
  EXPECT_EQ(paths.at(x.get()), "functions[\"main\"].body.seq[1].value");
  EXPECT_EQ(paths.at(module.get()), "");
}

}  // namespace
}  // namespace uir
