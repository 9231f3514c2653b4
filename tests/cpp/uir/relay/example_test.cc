// The C++ of docs/compiler/relay.md, which shows parts of this file as they stand.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <uir/ir/module.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/activation.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/builder.h>
#include <uir/relay/call.h>
#include <uir/relay/contraction.h>
#include <uir/relay/operators.h>
#include <uir/script/script.h>
#include <uir/tir/var.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/registry.h>
#include <uir/transform/relay_pass.h>

#include <unordered_map>

namespace {

using namespace uir;

relay::Function MakeLayer() {
  const DLDataType float32 = {kDLFloat, 32, 1};
  const tir::SizeVar n("n");
  const relay::Builder rb = relay::builder();
  const relay::Var x = rb->Param("x", ir::TensorType({n, 16}, float32));
  const relay::Var w = rb->Param("w", ir::TensorType({16, 4}, float32));
  const relay::Var h = rb->Emit(relay::matmul(x, w), "h");
  return rb->MakeFunc(relay::relu(h + 1.0));
}

class CountCalls : public relay::RelayExprVisitor {
 public:
  int count = 0;

 protected:
  void VisitCall(const relay::CallNode* op) override {
    ++count;
    RelayExprVisitor::VisitCall(op);
  }
};

class DropDoubleNegation : public transform::BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    static const ir::Op negative = ir::get_op("relay.negative");
    const ir::RelayExpr value = VisitRelayExpr(binding->value);
    const auto* call = value.as<relay::CallNode>();
    if (call != nullptr && call->op.same_as(negative)) {
      const auto known = negated_.find(call->args[0].get());
      if (known != negated_.end()) return Replace(binding->var, known->second);
      negated_.emplace(binding->var.get(), call->args[0]);
    }
    Emit(binding, value);
  }

 private:
  std::unordered_map<const tvm::ffi::Object*, ir::RelayExpr> negated_;
};

transform::Pass MakeDropDoubleNegation() {
  auto run = [](relay::Function func, ir::IRModule, transform::PassContext) {
    return DropDoubleNegation().Run(func);
  };
  return transform::MakeFunctionPass(run, 0, "toy.DropDoubleNegation");
}

UIR_TRANSFORM_REGISTER_PASS("toy.DropDoubleNegation", MakeDropDoubleNegation);

TEST(RelayExample, ALayerIsBuiltAndWalked) {
  const relay::Function layer = MakeLayer();
  EXPECT_EQ(layer->body->bindings.size(), 3);
  CountCalls calls;
  calls(layer);
  EXPECT_EQ(calls.count, 3);
}

TEST(RelayExample, ThePassIsRegisteredAndRuns) {
  const auto parse = [](const char* text) { return script::parse(text).cast<ir::IRModule>(); };
  const ir::IRModule before = parse(R"(
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4,), "float32")):
        a = -x
        b = -a
        return relay.exp(b))");
  const ir::IRModule after = parse(R"(
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((4,), "float32")):
        a = -x
        return relay.exp(x))");
  const transform::Pass pass = transform::make_pass("toy.DropDoubleNegation", {});
  const ir::IRModule found = transform::RunPass(pass, before, transform::CurrentPassContext());
  EXPECT_TRUE(tschema::StructuralEqual(found, after)) << script::print(found);
}

}  // namespace
