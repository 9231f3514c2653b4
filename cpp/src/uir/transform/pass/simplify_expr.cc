// Simplifies high-level functions by rules, and replaces branches on constant conditions.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>
#include <uir/transform/rules.h>

#include <unordered_map>
#include <utility>

#include "../rewrite/operator_formula.h"
#include "../rewrite/relay_rules.h"

namespace uir::transform {

namespace {

class ExprSimplifier : public BindingRewriter {
 public:
  explicit ExprSimplifier(const RelayRuleSet& rules) : rules_(rules) {
    definition_of_ = [this](const relay::VarNode* var) -> ffi::Optional<ir::RelayExpr> {
      const auto found = definitions_.find(var);
      return found == definitions_.end() ? std::nullopt
                                         : ffi::Optional<ir::RelayExpr>(found->second);
    };
  }

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    if (const auto* branch = binding->value.as<relay::IfNode>()) {
      const ir::RelayExpr condition = VisitRelayExpr(branch->condition);
      if (IsConstant(condition, true)) return EmitBlock(binding, branch->true_branch);
      if (IsConstant(condition, false)) return EmitBlock(binding, branch->false_branch);
    }
    if (const auto* loop = binding->value.as<relay::WhileNode>()) {
      const bool has_steps = !IsConstant(VisitRelayExpr(loop->condition), false);
      if (!has_steps) return Bind(binding, VisitRelayExpr(relay::Tuple(loop->initial)));
    }
    Bind(binding, VisitRelayExpr(binding->value));
  }

  ir::RelayExpr VisitCall(const relay::CallNode* op) override {
    return Simplified(BindingRewriter::VisitCall(op));
  }

  ir::RelayExpr VisitTupleGetItem(const relay::TupleGetItemNode* op) override {
    const ir::RelayExpr visited = BindingRewriter::VisitDefault(op);
    const auto* item = visited.as<relay::TupleGetItemNode>();
    const ir::RelayExpr value = Definition(item->tuple_value);
    const auto* tuple = value.as<relay::TupleNode>();
    return tuple == nullptr ? Simplified(visited) : tuple->fields[item->index];
  }

 private:
  /*! \brief The expression after all rules. */
  ir::RelayExpr Simplified(ir::RelayExpr expr) const {
    for (;;) {
      ffi::Optional<ir::RelayExpr> simpler = rules_.Apply(expr, definition_of_);
      if (!simpler.has_value()) return expr;
      expr = simpler.value();
    }
  }

  ir::RelayExpr Definition(const ir::RelayExpr& expr) const {
    const auto* var = expr.as<relay::VarNode>();
    const auto found = var == nullptr ? definitions_.end() : definitions_.find(var);
    return found == definitions_.end() ? expr : found->second;
  }

  bool IsConstant(const ir::RelayExpr& condition, bool value) const {
    return IsUniform(Definition(condition), value);
  }

  void EmitBlock(const relay::Binding& binding, const relay::Block& block) {
    for (const relay::Binding& inner : block->bindings) RewriteBinding(inner);
    Bind(binding, VisitRelayExpr(block->result));
  }

  void Bind(const relay::Binding& binding, const ir::RelayExpr& value) {
    const bool is_constant = value.as<relay::ConstantNode>() != nullptr;
    const bool is_new = is_constant && !value.same_as(binding->value);
    if (is_new || value.as<relay::VarNode>() != nullptr) return Replace(binding->var, value);
    Emit(binding, value);
    definitions_.insert_or_assign(emitted().back()->var.get(), value);
  }

  const RelayRuleSet& rules_;
  std::unordered_map<const ffi::Object*, ir::RelayExpr> definitions_;
  DefinitionOf definition_of_;
};

/*! \param rules Must live as long as the pass. */
Pass MakeSimplifier(const RelayRuleSet& rules) {
  auto run = [&rules](const relay::Function& func) { return ExprSimplifier(rules).Run(func); };
  return MakeRelayPass(run, 1, "SimplifyExpr", {"InferType", "ToANormalForm"});
}

}  // namespace

ffi::Array<ffi::Array<ffi::String>> relay_rewrite_rules() {
  ffi::Array<ffi::Array<ffi::String>> rules;
  for (const RelayRuleText& rule : RelayRules()) {
    rules.push_back({rule.domain, rule.pattern, rule.result, rule.condition});
  }
  return rules;
}

ir::IRModule apply_relay_rewrite_rule(int64_t index, ir::IRModule module) {
  const auto count = static_cast<int64_t>(RelayRules().size());
  if (index < 0 || index >= count) {
    TVM_FFI_THROW(IndexError) << "there is no rule " << index << " among " << count;
  }
  const RelayRuleSet rule(index);
  return run_pass(MakeSimplifier(rule), std::move(module));
}

Pass SimplifyExpr() {
  static const RelayRuleSet* const rules = new RelayRuleSet();
  return MakeSimplifier(*rules);
}

}  // namespace uir::transform
