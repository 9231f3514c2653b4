// Removes bindings that no result depends on, in one walk from the last binding to the first.
#include <tschema/walk.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/transform/effects.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/bound_sizes.h"
#include "../rewrite/live_carried_values.h"

namespace uir::transform {

namespace {

class DeadCodeRemover : private relay::RelayExprVisitor {
 public:
  relay::Function Run(const relay::Function& func) {
    relay::Block body = Clean(func->body);
    if (body.same_as(func->body)) return func;
    return relay::Function(func->params, std::move(body), func->ret_type, func->attrs, func->span);
  }

 private:
  /*! \brief Remove the unused bindings of a block, and note the variables that the others use. */
  relay::Block Clean(const relay::Block& block) {
    VisitRelayExpr(block->result);
    std::vector<relay::Binding> kept;
    bool is_changed = false;
    for (auto i = static_cast<int64_t>(block->bindings.size()); i-- > 0;) {
      const relay::Binding binding = block->bindings[i];
      const bool is_used = used_.count(binding->var.get()) != 0 || BindsUsedSize(binding);
      if (!is_used && IsPure(binding->value)) {
        is_changed = true;
        continue;
      }
      kept.push_back(CleanBinding(binding));
      is_changed = is_changed || !kept.back().same_as(binding);
    }
    if (!is_changed) return block;
    std::reverse(kept.begin(), kept.end());
    return relay::Block(ffi::Array<relay::Binding>(kept.begin(), kept.end()), block->result);
  }

  relay::Binding CleanBinding(const relay::Binding& binding) {
    if (const auto* loop = binding->value.as<relay::WhileNode>()) return CleanLoop(binding, loop);
    const auto* branch = binding->value.as<relay::IfNode>();
    if (branch == nullptr) {
      VisitRelayExpr(binding->value);
      return binding;
    }
    VisitRelayExpr(branch->condition);
    relay::Block true_branch = Clean(branch->true_branch);
    relay::Block false_branch = Clean(branch->false_branch);
    if (true_branch.same_as(branch->true_branch) && false_branch.same_as(branch->false_branch)) {
      return binding;
    }
    const relay::If value(branch->condition, std::move(true_branch), std::move(false_branch),
                          branch->span);
    return relay::Binding(binding->var, value, binding->span);
  }

  relay::Binding CleanLoop(const relay::Binding& binding, const relay::WhileNode* loop) {
    VisitRelayExpr(loop->condition);
    for (const ir::RelayExpr& value : loop->initial) VisitRelayExpr(value);
    relay::Block body = Clean(loop->body);
    if (body.same_as(loop->body)) return binding;
    const relay::While value(loop->params, loop->condition, loop->initial, std::move(body),
                             loop->span);
    return relay::Binding(binding->var, value, binding->span);
  }

  void VisitCall(const relay::CallNode* op) override {
    RelayExprVisitor::VisitCall(op);
    if (!op->attrs.has_value()) return;
    tschema::Walk(op->attrs.value(), [this](const tir::VarNode* var) { used_.insert(var); });
  }
  void VisitVar(const relay::VarNode* op) override { used_.insert(op); }
  void VisitConstant(const relay::ConstantNode*) override {}

  bool BindsUsedSize(const relay::Binding& binding) const {
    const tir::VarNode* size = BoundSizeOf(binding->value);
    return size != nullptr && used_.count(size) != 0;
  }

  /*! \brief The variables that kept bindings use, and the dimensions in their attributes. */
  std::unordered_set<const ffi::Object*> used_;
};

}  // namespace

Pass DeadCode() {
  auto run = [](const relay::Function& func) {
    // A value that a loop no longer carries may have had the last use of one of another loop.
    for (relay::Function before = func;;) {
      const relay::Function cleaned = DeadCodeRemover().Run(before);
      before = WithLiveCarriedValues(cleaned);
      if (before.same_as(cleaned)) return cleaned;
    }
  };
  return MakeRelayPass(run, 0, "DeadCode");
}

}  // namespace uir::transform
