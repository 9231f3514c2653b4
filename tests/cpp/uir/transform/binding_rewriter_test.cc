// Rewriting of high-level functions: a binding becomes none, one or several.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/module.h>
#include <uir/ir/op.h>
#include <uir/relay/activation.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/rounding.h>
#include <uir/script/script.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>

#include <string>

namespace uir::transform {
namespace {

relay::Function Parse(const std::string& body) {
  return script::parse("@relay.function\ndef main(x: relay.Tensor((4,), \"float32\")):\n" + body)
      .cast<relay::Function>();
}

bool IsCall(const ir::RelayExpr& value, const char* name) {
  const auto* call = value.as<relay::CallNode>();
  return call != nullptr && call->op.same_as(ir::get_op(name));
}

void ExpectEqual(const relay::Function& found, const relay::Function& expected) {
  EXPECT_TRUE(tschema::StructuralEqual(found, expected)) << script::print(found);
}

/*! \brief Replaces `negative(negative(x))` by `x`: the second binding becomes none. */
class DropDoubleNegation : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const ir::RelayExpr value = VisitRelayExpr(binding->value);
    if (IsCall(value, "relay.negative")) {
      const ir::RelayExpr operand = value.as<relay::CallNode>()->args[0];
      const auto known = negated_.find(operand.get());
      if (known != negated_.end()) return Replace(binding->var, known->second);
      negated_.emplace(binding->var.get(), operand);
    }
    Emit(binding, value);
  }

 private:
  std::unordered_map<const ffi::Object*, ir::RelayExpr> negated_;
};

/*! \brief Replaces `silu(x)` by `x * sigmoid(x)`: one binding becomes two. */
class ExpandSilu : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    if (!IsCall(binding->value, "relay.silu")) return BindingRewriter::RewriteBinding(binding);
    const ir::RelayExpr x = VisitRelayExpr(binding->value.as<relay::CallNode>()->args[0]);
    const relay::Var gate = EmitNew(relay::sigmoid(x), "gate");
    Emit(binding, relay::multiply(x, gate));
  }
};

/*! \brief Casts to float16 instead of float64. */
class Narrow : public BindingRewriter {
 protected:
  ir::RelayExpr VisitCall(const relay::CallNode* op) override {
    const auto* attrs =
        op->attrs.has_value() ? op->attrs.value().as<relay::CastAttrsNode>() : nullptr;
    if (attrs == nullptr || attrs->dtype.bits != 64) return BindingRewriter::VisitCall(op);
    return relay::cast(VisitRelayExpr(op->args[0]), {kDLFloat, 16, 1});
  }
};

TEST(BindingRewriter, ABindingBecomesNone) {
  const relay::Function func =
      Parse("    a = -x\n    b = -a\n    c = relay.exp(b)\n    return (b, c)");
  ExpectEqual(DropDoubleNegation().Run(func),
              Parse("    a = -x\n    c = relay.exp(x)\n    return (x, c)"));
}

TEST(BindingRewriter, ABindingBecomesSeveral) {
  const relay::Function func = Parse("    a = relay.silu(x)\n    return a");
  const relay::Function after = ExpandSilu().Run(func);
  ExpectEqual(after, Parse("    gate = relay.sigmoid(x)\n    a = x * gate\n    return a"));
  EXPECT_TRUE(after->body->bindings[1]->var.same_as(func->body->bindings[0]->var));
}

TEST(BindingRewriter, AChangedTypeIsThatOfAllLaterUses) {
  const std::string rest = "    b = relay.exp(a)\n    c = b + a\n    return c";
  const relay::Function func = Parse("    a = relay.cast(x, dtype=\"float64\")\n" + rest);
  ExpectEqual(Narrow().Run(func), Parse("    a = relay.cast(x, dtype=\"float16\")\n" + rest));
}

TEST(BindingRewriter, NothingChanges) {
  const relay::Function func = Parse("    a = relay.exp(x)\n    return a");
  EXPECT_TRUE(BindingRewriter().Run(func).same_as(func));
  EXPECT_TRUE(Narrow().Run(func).same_as(func));
}

/*! \brief Counts the calls that it rewrites. */
class CallCounter : public BindingRewriter {
 public:
  int count = 0;

 protected:
  ir::RelayExpr VisitCall(const relay::CallNode* op) override {
    ++count;
    return BindingRewriter::VisitCall(op);
  }
};

TEST(BindingRewriter, SharedPartsAreRewrittenOnce) {
  const relay::Function func = Parse("    a = relay.exp(x)\n    return a");
  ir::RelayExpr sum = func->params[0];
  for (int i = 0; i < 60; ++i) sum = relay::add(sum, sum);
  const relay::Block body({}, relay::Tuple({sum, sum}));
  CallCounter counter;
  const relay::Function nested(func->params, body);
  EXPECT_TRUE(counter.Run(nested).same_as(nested));
  EXPECT_EQ(counter.count, 60);
}

TEST(BindingRewriter, APassOverFunctionsSeesTheModule) {
  const auto run = [](const relay::Function& func, const ir::IRModule& module, const PassContext&) {
    EXPECT_TRUE(module->Contains("main"));
    return ExpandSilu().Run(func);
  };
  const Pass pass = MakeFunctionPass(run, 0, "test.ExpandSilu");
  const relay::Function func = Parse("    a = relay.silu(x)\n    return a");
  const ir::IRModule before = ir::module_from_func(func, ffi::String("main"));
  const ir::IRModule after = RunPass(pass, before, CurrentPassContext());
  EXPECT_EQ(after->Lookup("main").as<relay::Function>().value()->body->bindings.size(), 2);
  EXPECT_TRUE(RunPass(pass, after, CurrentPassContext()).same_as(after));
}

}  // namespace
}  // namespace uir::transform
