// Infers the types of high-level functions: only what has none, or depends on what changed.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/node_error.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/infer.h>
#include <uir/tir/function.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/relay_passes.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../rewrite/function_call.h"

namespace uir::transform {

namespace {

constexpr const char* kAssumptions = "shape_assumptions";

class ModuleInferrer;

/*! \brief Types one function. */
class TypeInferrer : public BindingRewriter {
 public:
  explicit TypeInferrer(ModuleInferrer* module) : module_(module) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override;
  ir::RelayExpr VisitCall(const relay::CallNode* op) override;
  ir::RelayExpr VisitDefault(const ir::RelayExprNode* op) override;

 private:
  ModuleInferrer* module_;
};

/*! \brief Types the functions of a module, callees first where their results are not annotated. */
class ModuleInferrer {
 public:
  explicit ModuleInferrer(ir::IRModule module)
      : module_(std::move(module)), context_(relay::MakeTypeContext()) {}

  ir::IRModule Run() {
    const relay::TypeContextScope scope(context_.get());
    for (const auto& [var, func] : module_->functions) {
      if (func.as<relay::FunctionNode>() != nullptr) Infer(var);
    }
    if (changed_.empty()) return module_;
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module_->functions;
    for (auto& [var, func] : changed_) functions.Set(ffi::GetRef<ir::GlobalVar>(var), func);
    return ir::IRModule(std::move(functions), module_->attrs);
  }

  /*! \brief The type of a function of the module, as calls see it. */
  ir::FuncType TypeOf(const ir::GlobalVar& var, const ffi::Object* call) {
    const auto found = module_->functions.find(var);
    if (found == module_->functions.end()) {
      ir::ThrowAt(call, "ValueError",
                  "the module has no function `" + std::string(var->name_hint) + "`");
    }
    const ir::BaseFunc func = (*found).second;
    if (const auto prim_func = func.as<tir::PrimFunc>()) return tir::func_type_of(*prim_func);
    const auto relay_func = func.as<relay::Function>();
    if (!relay_func) {
      ir::ThrowAt(call, "TypeError",
                  "`" + std::string(var->name_hint) + "` is a `" + func->GetTypeKey() +
                      "`, which `call_destination_passing` calls");
    }
    if ((*relay_func)->ret_type.has_value()) return (*relay_func)->FuncType();
    if (active_.count(var.get()) != 0) {
      ir::ThrowAt(call, "TypeError",
                  "the recursive function `" + std::string(var->name_hint) +
                      "` must have a type of its result");
    }
    return Infer(var)->FuncType();
  }

  /*! \brief Check the arguments and outputs of a call of a `PrimFunc` against its parameters. */
  void CheckDestinationPassing(const relay::CallNode* call) {
    const auto callee = call->args[0].as<ir::GlobalVar>();
    if (!callee) return;
    const auto found = module_->functions.find(*callee);
    if (found == module_->functions.end()) return;
    const auto prim_func = (*found).second.as<tir::PrimFunc>();
    if (!prim_func) return;
    ffi::Array<ir::Type> types;
    for (size_t i = 1; i < call->args.size(); ++i) {
      const ffi::Optional<ir::Type> type = call->args[static_cast<int64_t>(i)]->checked_type;
      if (!type.has_value()) return;
      types.push_back(type.value());
    }
    const auto* attrs = call->attrs.value().as<relay::CallDestinationPassingAttrsNode>();
    for (const ir::Type& output : attrs->out_types) types.push_back(output);
    auto [known, is_new] = prim_func_types_.try_emplace(callee->get());
    if (is_new) known->second = tir::func_type_of(*prim_func);
    relay::InferFunctionCall(known->second.value(), types, context_.get());
  }

  relay::TypeContext* context() { return context_.get(); }

 private:
  relay::Function Infer(const ir::GlobalVar& var) {
    const auto known = done_.find(var.get());
    if (known != done_.end()) return known->second;
    active_.insert(var.get());
    const relay::Function before = module_->functions.at(var).as<relay::Function>().value();
    // A callee may be typed in between, and notes its own assumptions.
    const ffi::Array<ir::PrimExpr> outer = context_->assumptions();
    context_->ClearAssumptions();
    relay::Function after = WithAssumptions(WithResult(TypeInferrer(this).Run(before)));
    context_->ClearAssumptions();
    for (const ir::PrimExpr& condition : outer) context_->Require(condition);
    active_.erase(var.get());
    if (!after.same_as(before)) changed_.emplace(var.get(), after);
    done_.emplace(var.get(), after);
    return after;
  }

  /*! \brief The function with the type of its result, which agrees with the body. */
  relay::Function WithResult(relay::Function func) {
    const ffi::Optional<ir::Type> found = func->body->result->checked_type;
    if (!found.has_value()) {
      ir::ThrowAt(func->body->result, "TypeError", "the type of the result cannot be inferred");
    }
    if (func->ret_type.has_value()) {
      CheckResult(func, found.value());
      if (func->checked_type.has_value()) return func;
    }
    return relay::Function(func->params, func->body, func->ret_type, func->attrs, func->span);
  }

  void CheckResult(const relay::Function& func, const ir::Type& found) {
    try {
      relay::CheckArgument(func->ret_type.value(), found, "the result", context_.get());
    } catch (const ffi::Error& error) {
      ir::ThrowAt(func->body->result, error.kind().c_str(), error.message());
    }
  }

  /*! \brief The function with its assumptions, those that it had first. */
  relay::Function WithAssumptions(relay::Function func) {
    ffi::Array<ir::PrimExpr> all = func->GetAttr(kAssumptions)
                                       .as<ffi::Array<ir::PrimExpr>>()
                                       .value_or(ffi::Array<ir::PrimExpr>());
    const size_t known = all.size();
    for (const ir::PrimExpr& assumption : context_->assumptions()) {
      const auto is_same = [&](const ir::PrimExpr& other) {
        return tschema::StructuralEqual(other, assumption);
      };
      if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(assumption);
    }
    if (all.size() == known) return func;
    return ir::with_attr(func, kAssumptions, all).as<relay::Function>().value();
  }

  ir::IRModule module_;
  std::unique_ptr<relay::TypeContext> context_;
  std::unordered_map<const ir::GlobalVarNode*, relay::Function> done_;
  std::unordered_map<const ir::GlobalVarNode*, relay::Function> changed_;
  std::unordered_set<const ffi::Object*> active_;
  std::unordered_map<const ir::GlobalVarNode*, std::optional<ir::FuncType>> prim_func_types_;
};

/*! \brief Run a rule; its errors are about a node of the module. */
template <typename Rule>
auto WithErrorsAt(const ffi::Object* node, Rule rule) {
  try {
    return rule();
  } catch (const ffi::Error& error) {
    if (ir::ContextOf(error).has_value()) throw;
    ir::ThrowAt(node, error.kind().c_str(), error.message());
  }
}

/*! \brief Whether a value has a dimension that is not constant, so that its rule may assume. */
bool IsSymbolic(const ir::RelayExpr& operand) {
  if (!operand->checked_type.has_value()) return true;
  const auto* tensor = operand->checked_type.value().as<ir::TensorTypeNode>();
  if (tensor == nullptr) return operand->checked_type.value().as<ir::TupleTypeNode>() != nullptr;
  for (const ir::PrimExpr& dimension : tensor->shape) {
    if (dimension.as<ir::IntImmNode>() == nullptr) return true;
  }
  return false;
}

bool IsSymbolic(const relay::CallNode* call) {
  for (const ir::RelayExpr& operand : call->args) {
    if (IsSymbolic(operand)) return true;
  }
  return false;
}

bool IsDestinationPassing(const relay::CallNode* call) {
  return call->attrs.has_value() &&
         call->attrs.value().as<relay::CallDestinationPassingAttrsNode>() != nullptr;
}

void TypeInferrer::RewriteBinding(const relay::Binding& binding) {
  ir::RelayExpr value = VisitRelayExpr(binding->value);
  if (!value->checked_type.has_value()) {
    ir::ThrowAt(binding->value, "TypeError",
                "the type of `" + std::string(binding->var->name) + "` cannot be inferred");
  }
  Emit(binding, std::move(value));
}

ir::RelayExpr TypeInferrer::VisitDefault(const ir::RelayExprNode* op) {
  return WithErrorsAt(op, [&] {
    ir::RelayExpr visited = BindingRewriter::VisitDefault(op);
    if (visited->checked_type.has_value() || visited.get() != op) return visited;
    // A node that was made before its operands had types.
    if (const auto* tuple = visited.as<relay::TupleNode>()) {
      return ir::RelayExpr(relay::Tuple(tuple->fields, tuple->span));
    }
    if (const auto* item = visited.as<relay::TupleGetItemNode>()) {
      return ir::RelayExpr(relay::TupleGetItem(item->tuple_value, item->index, item->span));
    }
    return visited;
  });
}

ir::RelayExpr TypeInferrer::VisitCall(const relay::CallNode* op) {
  return WithErrorsAt(op, [&] {
    ir::RelayExpr visited = BindingRewriter::VisitCall(op);
    const auto* call = visited.as<relay::CallNode>();
    const bool is_new = visited.get() != op;
    const auto callee = call->op.as<ir::GlobalVar>();
    const bool is_typed = visited->checked_type.has_value();
    if (!callee) {
      if (IsDestinationPassing(call)) module_->CheckDestinationPassing(call);
      const bool is_assuming = !is_new && is_typed && IsSymbolic(call);
      if (is_assuming) relay::InferCall(call, module_->context());
      if (is_new || is_typed) return visited;
      return ir::RelayExpr(relay::Call(call->op, call->args, call->attrs, call->span));
    }
    if (is_typed && !is_new && !IsSymbolic(call)) return visited;
    ffi::Array<ir::Type> types;
    for (const ir::RelayExpr& arg : call->args) {
      if (!arg->checked_type.has_value()) return visited;
      types.push_back(arg->checked_type.value());
    }
    ir::Type type =
        relay::InferFunctionCall(module_->TypeOf(*callee, op), types, module_->context());
    if (is_typed && !is_new) return visited;
    return ir::RelayExpr(WithType(ffi::GetRef<relay::Call>(call), std::move(type)));
  });
}

}  // namespace

Pass InferType() {
  auto run = [](ir::IRModule module, const PassContext&) {
    return ModuleInferrer(std::move(module)).Run();
  };
  return MakeModulePass(run, 0, "InferType");
}

}  // namespace uir::transform
