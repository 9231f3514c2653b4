// Script from C++: printing, reading, and a form of one's own.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/module.h>
#include <uir/ir/span.h>
#include <uir/script/builder.h>
#include <uir/script/forms.h>
#include <uir/script/script.h>
#include <uir/script/stream.h>
#include <uir/tir/arith.h>
#include <uir/tir/var.h>

#include <sstream>
#include <string>

namespace uir {
namespace {

namespace ffi = ::tvm::ffi;

constexpr const char* kModule = R"(@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32"), n: tir.int32):
        for i in range(n):
            A[i] = A[i] + 1.0)";

TEST(Script, ModulesThereAndBack) {
  const ffi::Any module = script::parse(kModule);
  EXPECT_EQ(std::string(script::print(module)), kModule);
  EXPECT_TRUE(tschema::StructuralEqual(module, script::parse(script::print(module))));
  EXPECT_TRUE(module.cast<ir::IRModule>()->Contains("main"));
}

TEST(Script, AMistakeIsAnErrorWithItsPlace) {
  try {
    script::parse("tir.evaluate(y)", "t.py");
    FAIL() << "expected an error";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "ScriptError");
    EXPECT_EQ(error.message(),
              "t.py:1:14: error: unknown name `y`\n   1 | tir.evaluate(y)\n     |              ^");
  }
}

template <typename Ref>
std::string Written(const Ref& node) {
  std::ostringstream out;
  out << node;
  return out.str();
}

TEST(Script, NodesAreWrittenToStreams) {
  const auto module = script::parse(kModule).cast<ir::IRModule>();
  EXPECT_EQ(Written(module), kModule);
  const ir::BaseExpr func = module->Lookup("main");
  EXPECT_EQ(Written(func), std::string(script::print(func)));
  const tir::Var x("x", DLDataType{kDLInt, 32, 1});
  EXPECT_EQ(Written(tir::Add(x, x)), "x + x");
  EXPECT_EQ(Written<tir::Stmt>(tir::Evaluate(x)), "tir.evaluate(x)");
}

void PrintSource(script::Printer* printer, const ffi::Object* node, script::Precedence) {
  printer->Write("test.source(");
  printer->PrintValue(static_cast<const ir::SourceNameNode*>(node)->name);
  printer->Write(')');
}

ffi::Any ReadSource(script::Builder* builder, const script::SyntaxNode* call) {
  const script::CallArguments arguments(builder, call, {"name"});
  return ir::SourceName(builder->String(arguments.Required("name")));
}

TEST(Script, AFormOfOnesOwn) {
  script::RegisterPrinter("uir.ir.SourceName", &PrintSource);
  script::RegisterSyntax("test.source", &ReadSource);
  const ir::SourceName source("a.py");
  EXPECT_EQ(std::string(script::print(source)), "test.source(\"a.py\")");
  EXPECT_TRUE(tschema::StructuralEqual(source, script::parse(script::print(source))));
  EXPECT_THROW(script::RegisterPrinter("uir.ir.SourceName", &PrintSource), ffi::Error);
}

}  // namespace
}  // namespace uir
