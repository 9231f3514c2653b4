// Puts the bodies of private high-level functions where they are called.
#include <tschema/map.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/atom.h>
#include <uir/tir/var.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace uir::transform {

namespace {

/*! \brief The dimensions that stand for the variables of a callee's shapes. */
class Dimensions {
 public:
  /*! \brief Bind the variables of a parameter's type to the dimensions of an argument. */
  void Bind(const ir::Type& expected, const ir::Type& found) {
    const auto* tensor = expected.as<ir::TensorTypeNode>();
    const auto* argument = found.as<ir::TensorTypeNode>();
    const auto* tuple = expected.as<ir::TupleTypeNode>();
    const auto* argument_tuple = found.as<ir::TupleTypeNode>();
    if (tensor != nullptr && argument != nullptr) {
      for (size_t i = 0; i < tensor->shape.size() && i < argument->shape.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        const bool is_variable = tensor->shape[at].as<tir::VarNode>() != nullptr;
        if (is_variable) values_.emplace(tensor->shape[at].get(), argument->shape[at]);
      }
    } else if (tuple != nullptr && argument_tuple != nullptr) {
      for (size_t i = 0; i < tuple->fields.size() && i < argument_tuple->fields.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        Bind(tuple->fields[at], argument_tuple->fields[at]);
      }
    }
  }

  /*! \brief A type, or attributes, with the dimensions in place of the variables. */
  template <typename Ref>
  ffi::Optional<Ref> In(const ffi::Optional<Ref>& value) const {
    if (values_.empty() || !value.has_value()) return value;
    const auto replace = [this](const tir::VarNode* var) -> ffi::Optional<ir::PrimExpr> {
      const auto found = values_.find(var);
      return found == values_.end() ? ffi::Optional<ir::PrimExpr>() : found->second;
    };
    return tschema::Map(value.value(), replace);
  }

 private:
  std::unordered_map<const ffi::Object*, ir::PrimExpr> values_;
};

/*! \brief Makes the body of a callee for given arguments, with variables of its own. */
class Instantiator : public BindingRewriter {
 public:
  relay::Block Run(const relay::Function& callee, const ffi::Array<ir::RelayExpr>& args) {
    for (size_t i = 0; i < args.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const relay::Var param = callee->params[at];
      if (args[at]->checked_type.has_value()) {
        dimensions_.Bind(param->type_annotation.value(), args[at]->checked_type.value());
      }
      Replace(param, args[at]);
    }
    return VisitBlock(callee->body.get());
  }

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    ir::RelayExpr value = VisitRelayExpr(binding->value);
    const ffi::Optional<ir::Type> type = value->checked_type.has_value()
                                             ? value->checked_type
                                             : dimensions_.In(binding->var->type_annotation);
    const relay::Var var(binding->var->name, type, binding->var->span);
    emitted().push_back(relay::Binding(var, std::move(value), binding->span));
    Replace(binding->var, var);
  }

  ir::RelayExpr VisitCall(const relay::CallNode* op) override {
    ffi::Array<ir::RelayExpr> args;
    for (const ir::RelayExpr& arg : op->args) args.push_back(VisitRelayExpr(arg));
    return relay::Call(VisitRelayExpr(op->op), std::move(args), dimensions_.In(op->attrs),
                       op->span);
  }

 private:
  Dimensions dimensions_;
};

class ModuleInliner;

class CallInliner : public BindingRewriter {
 public:
  explicit CallInliner(ModuleInliner* module) : module_(module) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override;

 private:
  ModuleInliner* module_;
};

class ModuleInliner {
 public:
  explicit ModuleInliner(ir::IRModule module) : module_(std::move(module)) {}

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

  /*! \brief The callee of a call that can be replaced by its body. */
  std::optional<relay::Function> Callee(const relay::CallNode* call) {
    const auto var = call->op.as<ir::GlobalVar>();
    if (!var || module_->functions.count(*var) == 0) return std::nullopt;
    if (active_.count(var->get()) != 0) {
      is_cut_ = true;
      return std::nullopt;
    }
    const auto func = module_->functions.at(*var).as<relay::Function>();
    const bool is_inlined = func && (*func)->GetAttr("global_symbol") == nullptr &&
                            (*func)->GetAttr("primitive") == nullptr &&
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
    relay::Function after = CallInliner(this).Run(func);
    active_.erase(var.get());
    // What a cycle kept from being inlined may be inlined from outside of it.
    if (!is_cut_ || active_.empty()) done_.emplace(var.get(), after);
    is_cut_ = is_cut_ || was_cut;
    return after;
  }

  ir::IRModule module_;
  std::unordered_map<const ffi::Object*, relay::Function> done_;
  std::unordered_set<const ffi::Object*> active_;
  /*! \brief Whether a call stayed because its callee is being inlined into. */
  bool is_cut_ = false;
};

void CallInliner::RewriteBinding(const relay::Binding& binding) {
  const ir::RelayExpr value = VisitRelayExpr(binding->value);
  const auto* call = value.as<relay::CallNode>();
  const std::optional<relay::Function> callee =
      call == nullptr ? std::nullopt : module_->Callee(call);
  if (!callee) return Emit(binding, value);
  const relay::Block body = Instantiator().Run(*callee, call->args);
  for (const relay::Binding& inner : body->bindings) emitted().push_back(inner);
  if (relay::IsAtom(body->result)) return Replace(binding->var, body->result);
  Emit(binding, body->result);
}

Pass MakeInline() {
  auto run = [](ir::IRModule module, const PassContext&) {
    return ModuleInliner(std::move(module)).Run();
  };
  return MakeModulePass(run, 1, "Inline");
}

UIR_TRANSFORM_REGISTER_PASS("Inline", MakeInline);

}  // namespace

}  // namespace uir::transform
