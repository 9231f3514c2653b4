// Type inference runs the rules of what changed and of what depends on it, once.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/function.h>
#include <uir/relay/infer.h>
#include <uir/tir/op.h>
#include <uir/tir/var.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/relay_passes.h>

#include <string>
#include <vector>

namespace uir::transform {
namespace {

namespace ffi = ::tvm::ffi;
using ir::OperandRow;
using ir::OperatorRow;
using ir::TraitRow;

int num_rules = 0;

/*! \brief The rule of an operator on two tensors of one shape. */
ir::Type InferCounted(const relay::CallNode* call, relay::TypeContext* context) {
  ++num_rules;
  const ir::TensorType x = relay::TensorTypeOf(call->args[0], "x");
  const ir::TensorType y = relay::TensorTypeOf(call->args[1], "y");
  context->RequireEqual(x->shape[0], y->shape[0]);
  return x;
}

/*! \brief The rule of an operator whose result has as many elements as its second operand says. */
ir::Type InferSized(const relay::CallNode* call, relay::TypeContext*) {
  const auto* size = call->args[1].as<relay::ConstantNode>();
  const auto extent = static_cast<int>(*static_cast<const float*>(size->data.data_ptr()));
  return ir::TensorType({ir::PrimExpr(extent)}, ffi::StringToDLDataType("float32"));
}

constexpr OperandRow kOperands[] = {{"x", "any", ""}, {"y", "any", ""}};
constexpr TraitRow kTraits[] = {{"relation", "custom"}};
constexpr OperatorRow kRow = {
    "test_infer_type.counted", "", kOperands, {}, nullptr, kTraits, nullptr};
constexpr OperatorRow kSizedRow = {
    "test_infer_type.sized", "", kOperands, {}, nullptr, kTraits, nullptr};
constexpr const OperatorRow* kTable[] = {&kRow, &kSizedRow};

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddOperators(kTable, "infer_type_test.cc"); }
UIR_RELAY_REGISTER_INFER("test_infer_type.counted", InferCounted);
UIR_RELAY_REGISTER_INFER("test_infer_type.sized", InferSized);

relay::Call Counted(const ir::RelayExpr& x, const ir::RelayExpr& y) {
  return relay::Call(ir::get_op("test_infer_type.counted"), {x, y});
}

ir::TensorType TypeOf(const ir::PrimExpr& extent, const char* dtype = "float32") {
  return {{extent}, ffi::StringToDLDataType(dtype)};
}

/*! \brief A function of bindings, each of which computes from the one before and from `y`. */
relay::Function ChainOf(const relay::Var& x, const relay::Var& y, int length) {
  std::vector<relay::Binding> bindings;
  relay::Var last = x;
  for (int i = 0; i < length; ++i) {
    const relay::Call value = Counted(last, y);
    last = relay::Var("v" + std::to_string(i), value->checked_type);
    bindings.emplace_back(last, value);
  }
  const ffi::Array<relay::Binding> all(bindings.begin(), bindings.end());
  return relay::Function({x, y}, relay::Block(all, last));
}

const ir::GlobalVar& Main() {
  static const ir::GlobalVar var("main");
  return var;
}

/*! \brief The function after inference; counts the rules that it ran. */
relay::Function Infer(const relay::Function& func) {
  num_rules = 0;
  const ir::IRModule module({{Main(), func}});
  const ir::IRModule after = run_pass(InferType(), module);
  return after->functions.at(Main()).as<relay::Function>().value();
}

size_t NumAssumptions(const relay::Function& func) {
  const ffi::Any assumed = func->GetAttr("shape_assumptions");
  return assumed == nullptr ? 0 : assumed.cast<ffi::Array<ir::PrimExpr>>().size();
}

/*! \brief Replaces the value of one binding. */
class Replacer : public BindingRewriter {
 public:
  Replacer(std::string name, ir::RelayExpr value)
      : name_(std::move(name)), value_(std::move(value)) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    if (binding->var->name != name_) return BindingRewriter::RewriteBinding(binding);
    Emit(binding, value_);
  }

 private:
  std::string name_;
  ir::RelayExpr value_;
};

TEST(InferType, RunsNoRuleAgainForSymbolicOperands) {
  const tir::SizeVar n("n"), m("m");
  const relay::Var x("x", TypeOf(n)), y("y", TypeOf(m));
  const relay::Function func = Infer(ChainOf(x, y, 10));
  EXPECT_EQ(num_rules, 0);
  EXPECT_EQ(NumAssumptions(func), 1);
  EXPECT_TRUE(Infer(func).same_as(func));
  EXPECT_EQ(num_rules, 0);
}

TEST(InferType, RunsTheRulesOfWhatDependsOnAChange) {
  const tir::SizeVar n("n");
  const relay::Var x("x", TypeOf(n)), y("y", TypeOf(n));
  const relay::Function func = Infer(ChainOf(x, y, 10));
  const relay::Var z("z", TypeOf(n, "int8"));
  num_rules = 0;
  const relay::Call changed = Counted(z, y);
  const relay::Function after = Replacer("v5", changed).Run(func);
  // The value that is new, and the four after it.
  EXPECT_EQ(num_rules, 5);
  const relay::Function typed =
      Infer(relay::Function({x, y, z}, after->body, std::nullopt, after->attrs));
  EXPECT_EQ(num_rules, 0);
  EXPECT_TRUE(tschema::StructuralEqual(typed->ret_type.value(), TypeOf(n, "int8")));
}

/*! \brief A function of bindings without types, which compute as those of `ChainOf` do. */
relay::Function UntypedChainOf(const relay::Var& x, const relay::Var& y, int length) {
  std::vector<relay::Binding> bindings;
  relay::Var last("untyped", std::nullopt);
  bindings.emplace_back(last, Counted(x, y));
  for (int i = 0; i < length; ++i) {
    const relay::Call value = Counted(last, y);
    last = relay::Var("w" + std::to_string(i), std::nullopt);
    bindings.emplace_back(last, value);
  }
  const ffi::Array<relay::Binding> all(bindings.begin(), bindings.end());
  return relay::Function({x, y}, relay::Block(all, last));
}

TEST(InferType, RunsARuleOnceForEqualQuestions) {
  const tir::SizeVar n("n");
  const relay::Var x("x", TypeOf(n)), y("y", TypeOf(n));
  const relay::Function func = UntypedChainOf(x, y, 3);
  const relay::Function typed = Infer(func);
  EXPECT_EQ(num_rules, 1);
  const ir::Type type = typed->ret_type.value();
  EXPECT_TRUE(tschema::StructuralEqual(type, TypeOf(n)));
  for (const relay::Binding& binding : typed->body->bindings) {
    EXPECT_TRUE(binding->var->type_annotation.value().same_as(type));
    EXPECT_TRUE(binding->value->checked_type.value().same_as(type));
  }
}

TEST(InferType, NotesTheAssumptionsOfEachEqualQuestion) {
  const relay::Var x("x", TypeOf(tir::SizeVar("n"))), y("y", TypeOf(tir::SizeVar("m")));
  const relay::Function typed = Infer(UntypedChainOf(x, y, 3));
  EXPECT_EQ(num_rules, 1);
  EXPECT_EQ(NumAssumptions(typed), 1);
  for (const relay::Binding& binding : typed->body->bindings) {
    const auto* call = binding->value.as<relay::CallNode>();
    ASSERT_TRUE(call->assumptions.has_value());
    EXPECT_EQ(call->assumptions.value().size(), 1);
  }
}

TEST(InferType, EachFunctionHasTheAssumptionsOfItsOwnCalls) {
  const relay::Var x("x", TypeOf(tir::SizeVar("n"))), y("y", TypeOf(tir::SizeVar("m")));
  const ir::GlobalVar other("other");
  const ir::IRModule module({{Main(), UntypedChainOf(x, y, 1)}, {other, UntypedChainOf(x, y, 2)}});
  num_rules = 0;
  const ir::IRModule after = run_pass(InferType(), module);
  EXPECT_EQ(num_rules, 1);
  for (const auto& [var, func] : after->functions) {
    EXPECT_EQ(NumAssumptions(func.as<relay::Function>().value()), 1) << var->name_hint;
  }
}

TEST(InferType, ReadsTheValuesOfConstants) {
  const relay::Var x("x", TypeOf(4));
  const ir::Op op = ir::get_op("test_infer_type.sized");
  std::vector<relay::Binding> bindings;
  relay::Var last = x;
  for (const int64_t size : {2, 3, 3, 5}) {
    const relay::Call value(op, {last, relay::as_operand(size, x)});
    last = relay::Var("sized", std::nullopt);
    bindings.emplace_back(last, value);
  }
  const ffi::Array<relay::Binding> all(bindings.begin(), bindings.end());
  const relay::Function typed = Infer(relay::Function({x}, relay::Block(all, last)));
  EXPECT_TRUE(tschema::StructuralEqual(typed->ret_type.value(), TypeOf(5)));
}

}  // namespace
}  // namespace uir::transform
