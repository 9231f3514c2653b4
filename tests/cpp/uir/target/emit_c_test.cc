// From C++: modules become C, and what C cannot say is an error.
#include <gtest/gtest.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/ir/module.h>
#include <uir/script/script.h>
#include <uir/target/target.h>

#include <string>

#include "error_of.h"

namespace uir::target {
namespace {

namespace ffi = ::tvm::ffi;

ir::IRModule Parsed(const std::string& body) {
  const std::string text = "@uir.script.ir_module\nclass Module:\n" + body;
  return script::parse(text).cast<ir::IRModule>();
}

TEST(EmitC, AFunctionBecomesAStaticOneAndAnEntry) {
  const ir::IRModule module = Parsed(
      "    @tir.prim_func\n"
      "    def fill(A: tir.Buffer((4,), \"int32\"), x: tir.int32):\n"
      "        for i in range(4):\n"
      "            A[i] = x + i\n");
  const ffi::String text = emit_c(module, Target("c", "x86-64-v3"));
  const std::string expected =
      "static int32_t fill_(int32_t* A, int32_t x) {\n"
      "  for (int32_t i = 0; i < 4; ++i) {\n"
      "    A[i] = x + i;\n"
      "  }\n"
      "  return 0;\n"
      "}\n";
  EXPECT_NE(std::string(text).find(expected), std::string::npos) << text;
  EXPECT_NE(std::string(text).find("\nENTRY __tvm_ffi_fill("), std::string::npos) << text;
  EXPECT_EQ(constant_bytes(module).size(), 0);
}

TEST(EmitC, ProblemsAreOneError) {
  const ir::IRModule module = Parsed(
      "    @tir.prim_func\n"
      "    def main(A: tir.Buffer((4,), \"int32\")):\n"
      "        for i in tir.vectorized(4):\n"
      "            A[i] = i\n");
  const std::string error = ErrorOf([&] { emit_c(module, Target()); });
  EXPECT_NE(error.find("it has 1 problem"), std::string::npos) << error;
  EXPECT_NE(error.find("run `VectorizeLoop` before"), std::string::npos) << error;
}

TEST(Target, UnknownKindsAreRefused) {
  const std::string error = ErrorOf([] { Target("cuda"); });
  EXPECT_NE(error.find("`kind` must be `c`, got `cuda`"), std::string::npos) << error;
}

}  // namespace
}  // namespace uir::target
