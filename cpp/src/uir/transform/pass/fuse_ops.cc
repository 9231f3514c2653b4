// Makes a private function from each group of operators that become one kernel.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/op.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_passes.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/fusion_groups.h"
#include "../analysis/views.h"
#include "../rewrite/function_call.h"
#include "../rewrite/function_names.h"
#include "../rewrite/outlined_function.h"

namespace uir::transform {

namespace {

/*! \brief The maximal number of operators in the name of a function. */
constexpr size_t kMaxNames = 6;

/*! \brief The conditions on dimensions that the calls of a group assume; None without any. */
ffi::Optional<ffi::Array<ir::PrimExpr>> GroupAssumptions(const FusionGroup& group) {
  ffi::Array<ir::PrimExpr> all;
  for (const relay::Binding& binding : group) {
    const auto* call = binding->value.as<relay::CallNode>();
    if (call == nullptr || !call->assumptions.has_value()) continue;
    for (const ir::PrimExpr& condition : call->assumptions.value()) all.push_back(condition);
  }
  if (all.empty()) return std::nullopt;
  return all;
}

/*! \brief `fused_matmul_add_relu`. */
std::string GroupName(const FusionGroup& group) {
  std::string name = "fused";
  size_t listed = 0;
  for (const relay::Binding& binding : group) {
    const auto* call = binding->value.as<relay::CallNode>();
    if (call == nullptr || ++listed > kMaxNames) continue;
    const std::string op = call->op.as<ir::Op>().value()->name;
    name += "_" + op.substr(op.rfind('.') + 1);
  }
  return name;
}

/*!
 * \brief A group without the views of its inputs and of its result.
 *
 * Outside the group these views cost nothing; inside, the loops of the other operators would have
 * to compute indices in another shape.
 */
FusionGroup WithoutOuterViews(const FusionGroup& group) {
  FusionGroup inner;
  std::unordered_set<const ffi::Object*> computed;
  for (const relay::Binding& binding : group) {
    const relay::CallNode* view = ViewCallOf(binding->value);
    if (view != nullptr && computed.count(view->args[0].get()) == 0) continue;
    computed.insert(binding->var.get());
    inner.push_back(binding);
  }
  while (!inner.empty() && ViewCallOf(inner.back()->value) != nullptr) inner.pop_back();
  return inner;
}

size_t NumCalls(const FusionGroup& group) {
  return static_cast<size_t>(std::count_if(
      group.begin(), group.end(),
      [](const relay::Binding& one) { return one->value.as<relay::CallNode>() != nullptr; }));
}

/*! \brief Replaces the last binding of each group by a call, and removes the others. */
class GroupFuser : public BindingRewriter {
 public:
  GroupFuser(FunctionNames* names, ffi::Map<ir::GlobalVar, ir::BaseFunc>* functions)
      : names_(names), functions_(functions) {}

  relay::Function Fuse(const relay::Function& func, int64_t max_ops) {
    for (const FusionGroup& group : FindFusionGroups(func, max_ops)) {
      const FusionGroup inner = WithoutOuterViews(group);
      if (NumCalls(inner) >= 2 && !Add(inner)) Add(group);
    }
    return calls_.empty() ? func : Run(func);
  }

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    if (fused_.count(binding->var.get()) != 0) return;
    const auto found = calls_.find(binding->var.get());
    if (found == calls_.end()) return BindingRewriter::RewriteBinding(binding);
    Emit(binding, found->second);
  }

 private:
  /*! \brief Make a function from a group; false if its operands do not bind its dimensions. */
  bool Add(const FusionGroup& group) {
    const auto [func, operands] = Outline(group);
    if (!BindsDimensions(func)) return false;
    const ir::GlobalVar var(names_->New(GroupName(group)));
    functions_->Set(var, func);
    const relay::Binding& last = group.back();
    const relay::Call call(var, ffi::Array<ir::RelayExpr>(operands.begin(), operands.end()),
                           std::nullopt, last->value->span);
    calls_.emplace(last->var.get(),
                   WithType(call, last->value->checked_type.value(), GroupAssumptions(group)));
    for (const relay::Binding& binding : group) {
      if (!binding.same_as(last)) fused_.insert(binding->var.get());
    }
    return true;
  }

  FunctionNames* names_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc>* functions_;
  std::unordered_map<const ffi::Object*, relay::Call> calls_;
  std::unordered_set<const ffi::Object*> fused_;
};

ir::IRModule FuseModule(const ir::IRModule& module, int64_t max_ops) {
  FunctionNames names(module->functions);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const auto before = func.as<relay::Function>();
    if (!before || func->GetAttr("primitive") != nullptr) continue;
    const relay::Function after = GroupFuser(&names, &functions).Fuse(*before, max_ops);
    if (after.same_as(*before)) continue;
    is_changed = true;
    functions.Set(var, after);
  }
  return is_changed ? ir::IRModule(std::move(functions), module->attrs) : module;
}

}  // namespace

void FuseOpsOptionsNode::PostInit() {
  if (max_ops < 1) {
    TVM_FFI_THROW(ValueError) << "`FuseOps.max_ops` must be at least 1, got " << max_ops;
  }
}

Pass FuseOps() {
  auto run = [](const ir::IRModule& module, const PassContext& context) {
    return FuseModule(module, OptionsOf<FuseOpsOptions>(context)->max_ops);
  };
  return MakeModulePass(run, 1, "FuseOps", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
