// Inlines private high-level functions.
#include <tvm/ffi/cast.h>
#include <uir/ir/symbol.h>
#include <uir/relay/atom.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_passes.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../rewrite/instantiator.h"

namespace uir::transform {

namespace {

class RelayModuleInliner;

class RelayCallInliner : public BindingRewriter {
 public:
  explicit RelayCallInliner(RelayModuleInliner* module) : module_(module) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override;

 private:
  RelayModuleInliner* module_;
};

class RelayModuleInliner {
 public:
  RelayModuleInliner(ir::IRModule module, bool inlines_primitive)
      : module_(std::move(module)), inlines_primitive_(inlines_primitive) {}

  ir::IRModule Run() {
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module_->functions;
    bool is_changed = false;
    for (const auto& [var, func] : module_->functions) {
      if (func.as<relay::FunctionNode>() == nullptr) continue;
      const relay::Function after = Inlined(var);
      if (after.same_as(func)) continue;
      is_changed = true;
      functions.Set(var, after);
    }
    return is_changed ? ir::IRModule(std::move(functions), module_->attrs) : module_;
  }

  /*! \brief The callee of a call, if its body can replace the call. */
  std::optional<relay::Function> Callee(const relay::CallNode* call) {
    const auto var = call->op.as<ir::GlobalVar>();
    if (!var || module_->functions.count(*var) == 0) return std::nullopt;
    if (active_.count(var->get()) != 0) {
      is_cut_ = true;
      return std::nullopt;
    }
    const auto func = module_->functions.at(*var).as<relay::Function>();
    const bool is_inlined = func && !ir::IsPublic(func->get()) &&
                            (inlines_primitive_ || (*func)->GetAttr("primitive") == nullptr) &&
                            (*func)->params.size() == call->args.size();
    if (!is_inlined) return std::nullopt;
    return Inlined(*var);
  }

 private:
  relay::Function Inlined(const ir::GlobalVar& var) {
    const auto known = done_.find(var.get());
    if (known != done_.end()) return known->second;
    active_.insert(var.get());
    const bool was_cut = std::exchange(is_cut_, false);
    const auto func = module_->functions.at(var).as<relay::Function>().value();
    relay::Function after = RelayCallInliner(this).Run(func);
    active_.erase(var.get());
    // A call that stayed because of a cycle may be inlined from outside the cycle.
    if (!is_cut_ || active_.empty()) done_.emplace(var.get(), after);
    is_cut_ = is_cut_ || was_cut;
    return after;
  }

  ir::IRModule module_;
  bool inlines_primitive_;
  std::unordered_map<const ffi::Object*, relay::Function> done_;
  std::unordered_set<const ffi::Object*> active_;
  /*! \brief Whether a call stayed because its callee is being processed. */
  bool is_cut_ = false;
};

void RelayCallInliner::RewriteBinding(const relay::Binding& binding) {
  const ir::RelayExpr value = VisitRelayExpr(binding->value);
  const auto* call = value.as<relay::CallNode>();
  const std::optional<relay::Function> callee =
      call == nullptr ? std::nullopt : module_->Callee(call);
  if (!callee) return Emit(binding, value);
  const relay::Block body = Instantiator().Body(*callee, call->args);
  for (const relay::Binding& inner : body->bindings) {
    NoteSize(inner->value);
    emitted().push_back(inner);
  }
  if (relay::IsAtom(body->result)) return Replace(binding->var, body->result);
  Emit(binding, body->result);
}

}  // namespace

Pass Inline() {
  auto run = [](ir::IRModule module, const PassContext& context) {
    const auto options = OptionsOf<InlineOptions>(context);
    return RelayModuleInliner(std::move(module), options->primitive).Run();
  };
  return MakeModulePass(run, 1, "Inline");
}

}  // namespace uir::transform
