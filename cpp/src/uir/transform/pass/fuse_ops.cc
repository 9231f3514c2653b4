// Makes private functions of the operators that become one kernel.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/attrs.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_passes.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/fusion_groups.h"
#include "../rewrite/assumptions.h"
#include "../rewrite/function_call.h"
#include "../rewrite/instantiator.h"

namespace uir::transform {

namespace {

/*! \brief How many operators the name of a function lists. */
constexpr size_t kMaxNames = 6;

/*! \brief Whether a constant is a part of a function, instead of an argument. */
bool IsScalar(const relay::ConstantNode* constant) { return constant->data.numel() == 1; }

/*! \brief The values from outside that bindings use, in the order of their first use. */
class OperandFinder : private relay::RelayExprVisitor {
 public:
  std::vector<ir::RelayExpr> Run(const FusionGroup& group) {
    for (const relay::Binding& binding : group) {
      VisitRelayExpr(binding->value);
      known_.insert(binding->var.get());
    }
    return std::move(found_);
  }

 private:
  void VisitVar(const relay::VarNode* op) override { Add(op); }
  void VisitConstant(const relay::ConstantNode* op) override {
    if (!IsScalar(op)) Add(op);
  }
  void VisitOp(const ir::OpNode*) override {}
  void Add(const ir::RelayExprNode* op) {
    if (known_.insert(op).second) found_.push_back(ffi::GetRef<ir::RelayExpr>(op));
  }

  std::vector<ir::RelayExpr> found_;
  std::unordered_set<const ffi::Object*> known_;
};

/*! \brief Copies the bindings of a group, with parameters in place of its operands. */
class GroupCopier : public Instantiator {
 public:
  relay::Function Run(const FusionGroup& group, const std::vector<ir::RelayExpr>& operands) {
    for (const ir::RelayExpr& operand : operands) {
      dimensions().BindNew(operand->checked_type.value());
    }
    ffi::Array<relay::Var> params;
    for (const ir::RelayExpr& operand : operands) params.push_back(Param(operand, params.size()));
    for (const relay::Binding& binding : group) RewriteBinding(binding);
    const relay::Block body(ffi::Array<relay::Binding>(emitted().begin(), emitted().end()),
                            UseOf(group.back()->var));
    const ir::DictAttrs attrs({{"primitive", true}});
    return WithAssumptionsOfCalls(
        relay::Function(params, body, std::nullopt, attrs, group.back()->span));
  }

 protected:
  ir::RelayExpr VisitConstant(const relay::ConstantNode* op) override {
    const auto found = constants_.find(op);
    return found == constants_.end() ? ffi::GetRef<ir::RelayExpr>(op) : found->second;
  }

 private:
  relay::Var Param(const ir::RelayExpr& operand, size_t index) {
    const ffi::Optional<ir::Type> type = dimensions().In(operand->checked_type);
    if (const auto var = operand.as<relay::Var>()) {
      relay::Var param((*var)->name, type, (*var)->span);
      Replace(*var, param);
      return param;
    }
    relay::Var param("c" + std::to_string(index), type, operand->span);
    constants_.emplace(operand.get(), param);
    return param;
  }

  std::unordered_map<const ffi::Object*, ir::RelayExpr> constants_;
};

/*! \brief Whether the parameters of a function bind every dimension that its bindings use. */
bool BindsDimensions(const relay::Function& func) {
  Dimensions bound;
  for (const relay::Var& param : func->params) {
    bound.Bind(param->type_annotation.value(), param->type_annotation.value());
  }
  bool binds = true;
  const auto check = [&](const ffi::ObjectRef& part) {
    tschema::Walk(part, [&](const tir::VarNode* var) { binds = binds && bound.Has(var); });
  };
  const auto check_type = [&](const ir::Type& type) {
    const auto* tensor = type.as<ir::TensorTypeNode>();
    if (tensor == nullptr) return check(type);
    for (const ir::PrimExpr& dimension : tensor->shape) {
      if (dimension.as<ir::IntImmNode>() == nullptr) check(dimension);
    }
  };
  for (const relay::Var& param : func->params) check_type(param->type_annotation.value());
  for (const relay::Binding& binding : func->body->bindings) {
    check_type(binding->var->type_annotation.value());
    const auto* call = binding->value.as<relay::CallNode>();
    if (call != nullptr && call->attrs.has_value()) check(call->attrs.value());
  }
  return binds;
}

/*! \brief What the values of a group assume of their dimensions; None for nothing. */
ffi::Optional<ffi::Array<ir::PrimExpr>> AssumptionsOf(const FusionGroup& group) {
  ffi::Array<ir::PrimExpr> all;
  for (const relay::Binding& binding : group) {
    const auto* call = binding->value.as<relay::CallNode>();
    if (call == nullptr || !call->assumptions.has_value()) continue;
    for (const ir::PrimExpr& condition : call->assumptions.value()) all.push_back(condition);
  }
  if (all.empty()) return std::nullopt;
  return all;
}

/*! \brief Names of functions that are not in use. */
class Names {
 public:
  explicit Names(const ir::IRModule& module) {
    for (const auto& [var, func] : module->functions) taken_.insert(var->name_hint);
  }

  std::string New(const std::string& prefix) {
    int& count = counts_[prefix];
    std::string name = count == 0 ? prefix : prefix + "_" + std::to_string(count);
    while (!taken_.insert(name).second) name = prefix + "_" + std::to_string(++count);
    ++count;
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> counts_;
};

/*! \brief `fused_matmul_add_relu`. */
std::string NameOf(const FusionGroup& group) {
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

/*! \brief Puts calls in the place of the last bindings of groups, and removes the others. */
class GroupFuser : public BindingRewriter {
 public:
  GroupFuser(Names* names, ffi::Map<ir::GlobalVar, ir::BaseFunc>* functions)
      : names_(names), functions_(functions) {}

  relay::Function Fuse(const relay::Function& func, int64_t max_ops) {
    for (const FusionGroup& group : FindFusionGroups(func, max_ops)) Add(group);
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
  void Add(const FusionGroup& group) {
    const std::vector<ir::RelayExpr> operands = OperandFinder().Run(group);
    const relay::Function func = GroupCopier().Run(group, operands);
    if (!BindsDimensions(func)) return;
    const ir::GlobalVar var(names_->New(NameOf(group)));
    functions_->Set(var, func);
    const relay::Binding& last = group.back();
    const relay::Call call(var, ffi::Array<ir::RelayExpr>(operands.begin(), operands.end()),
                           std::nullopt, last->value->span);
    calls_.emplace(last->var.get(),
                   WithType(call, last->value->checked_type.value(), AssumptionsOf(group)));
    for (const relay::Binding& binding : group) {
      if (!binding.same_as(last)) fused_.insert(binding->var.get());
    }
  }

  Names* names_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc>* functions_;
  std::unordered_map<const ffi::Object*, relay::Call> calls_;
  std::unordered_set<const ffi::Object*> fused_;
};

ir::IRModule FuseModule(const ir::IRModule& module, int64_t max_ops) {
  Names names(module);
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
