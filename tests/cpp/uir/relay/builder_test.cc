// High-level functions from C++: built and typed, walked, printed and parsed.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/module.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/activation.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/builder.h>
#include <uir/relay/call.h>
#include <uir/relay/contraction.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/script/script.h>
#include <uir/tir/var.h>
#include <uir/transform/pass.h>

#include <string>
#include <vector>

namespace uir {
namespace {

namespace ffi = ::tvm::ffi;
using ir::TensorType;

// clang-format off
constexpr const char* kMain =
R"(@relay.function(private=True)
def main(x: relay.Tensor((n, 16), "float32"), w: relay.Tensor((16, 4), "float32")) -> relay.Tensor((n, 4), "float32"):
    n = tir.SizeVar("n", "int32")
    h = x @ w
    v1 = h + 1.0
    v2 = relay.relu(v1)
    return v2)";
// clang-format on

const DLDataType kFloat = {kDLFloat, 32, 1};

relay::Function MakeMain() {
  const tir::SizeVar n("n");
  const relay::Builder rb = relay::builder();
  const relay::Var x = rb->Param("x", TensorType({n, 16}, kFloat));
  const relay::Var w = rb->Param("w", TensorType({16, 4}, kFloat));
  const relay::Var h = rb->Emit(relay::matmul(x, w), "h");
  return rb->MakeFunc(relay::relu(relay::add(h, relay::as_operand(1.0, h))));
}

TEST(RelayBuilder, TypesAreKnownAtOnceAndOperandsAreBound) {
  const relay::Function func = MakeMain();
  ASSERT_EQ(func->body->bindings.size(), 3);
  EXPECT_EQ(std::string(func->body->bindings[1]->var->name), "v1");
  const ir::PrimExpr n =
      func->params[0]->type_annotation.value().as<TensorType>().value()->shape[0];
  EXPECT_TRUE(tschema::StructuralEqual(func->ret_type.value(), TensorType({n, 4}, kFloat)));
  const relay::Builder rb = relay::builder();
  const relay::Var x = rb->Param("x", TensorType({2, 3}, kFloat));
  EXPECT_THROW(rb->Emit(relay::matmul(x, x)), ffi::Error);
}

TEST(RelayBuilder, PrintsAndParses) {
  const relay::Function func = MakeMain();
  EXPECT_EQ(std::string(script::print(func)), kMain);
  EXPECT_TRUE(tschema::StructuralEqual(script::parse(kMain), func));
}

TEST(RelayBuilder, InferTypeAgreesWithTheConstructors) {
  const ir::IRModule before = ir::module_from_func(MakeMain(), ffi::String("main"));
  const std::vector<transform::Pass> passes = {transform::make_pass("InferType", {}),
                                               transform::make_pass("VerifyWellFormed", {})};
  const transform::Pass sequence =
      transform::MakeSequential(ffi::Array<transform::Pass>(passes.begin(), passes.end()));
  const ir::IRModule after = transform::RunPass(sequence, before, transform::CurrentPassContext());
  EXPECT_TRUE(after.same_as(before));
}

/*! \brief The names of the operators that a function calls, in order. */
class Operators : public relay::RelayExprVisitor {
 public:
  std::vector<std::string> names;

 protected:
  void VisitCall(const relay::CallNode* op) override {
    RelayExprVisitor::VisitCall(op);
    if (const auto callee = op->op.as<ir::Op>()) names.emplace_back((*callee)->name);
  }
};

TEST(RelayBuilder, AVisitorSeesEachBinding) {
  Operators operators;
  operators(MakeMain());
  EXPECT_EQ(operators.names, (std::vector<std::string>{"relay.matmul", "relay.add", "relay.relu"}));
}

/*! \brief Doubles each constant. */
class DoubleConstants : public relay::RelayExprMutator {
 protected:
  ir::RelayExpr VisitConstant(const relay::ConstantNode*) override {
    return relay::constant({2.0}, {}, kFloat);
  }
};

TEST(RelayBuilder, AMutatorKeepsTypesAndTheArgument) {
  const relay::Function func = MakeMain();
  const relay::Function after = DoubleConstants()(func).as<relay::Function>().value();
  std::string expected = kMain;
  expected.replace(expected.find("1.0"), 3, "2.0");
  EXPECT_EQ(std::string(script::print(after)), expected);
  EXPECT_EQ(std::string(script::print(func)), kMain);
}

}  // namespace
}  // namespace uir
