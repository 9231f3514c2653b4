// Replaces `negative(negative(x))` by `x`: the second binding becomes none.
#include <uir/ir/op.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>

#include <unordered_map>

namespace {

using namespace uir;

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
  return transform::MakeFunctionPass(run, 0, "passes.DropDoubleNegation");
}

UIR_TRANSFORM_REGISTER_PASS("passes.DropDoubleNegation", MakeDropDoubleNegation);

}  // namespace
