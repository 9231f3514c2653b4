// Infers the types of high-level functions. Values with types are visited again only if a type
// that they depend on has changed.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/node_error.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/infer.h>
#include <uir/tir/function.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/relay_passes.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/bound_sizes.h"
#include "../rewrite/assumptions.h"
#include "../rewrite/function_call.h"

namespace uir::transform {

namespace {

class ModuleInferrer;

/*! \brief Infers the types of one function. */
class TypeInferrer : public BindingRewriter {
 public:
  explicit TypeInferrer(ModuleInferrer* module) : module_(module) {}

  using BindingRewriter::bound_sizes;

 protected:
  void RewriteBinding(const relay::Binding& binding) override;
  ir::RelayExpr VisitCall(const relay::CallNode* op) override;
  ir::RelayExpr VisitWhile(const relay::WhileNode* op) override;
  ir::RelayExpr VisitDefault(const ir::RelayExprNode* op) override;
  relay::Block VisitBranch(const relay::BlockNode* op) override;

 private:
  /*! \brief A call of a function of the module, with its type. */
  ir::RelayExpr TypedCall(const relay::Call& call, const ir::GlobalVar& callee,
                          const relay::CallNode* before);
  /*! \brief Check that the type of a call has no size that its callee binds. */
  void CheckIsFree(const relay::CallNode* call, const ir::GlobalVar& callee, const ir::Type& type);

  ModuleInferrer* module_;
};

/*! \brief Infers the types of a module's functions, callees without a result type first. */
class ModuleInferrer {
 public:
  explicit ModuleInferrer(ir::IRModule module)
      : module_(std::move(module)), context_(relay::MakeTypeContext()) {
    context_->RememberTypes();
  }

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

  /*! \brief The type of a function of the module, for its calls. */
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

  /*! \brief The assumptions of a function of the module; empty while its types are inferred. */
  ffi::Array<ir::PrimExpr> AssumptionsOf(const ir::GlobalVar& var) {
    const auto found = module_->functions.find(var);
    const bool is_known = found != module_->functions.end() && active_.count(var.get()) == 0;
    if (!is_known || (*found).second.as<relay::FunctionNode>() == nullptr) return {};
    return transform::AssumptionsOf(Infer(var));
  }

  /*! \brief The sizes that a function of the module binds; empty while its types are inferred. */
  SizeSet SizesIn(const ir::GlobalVar& var) const {
    const auto found = sizes_.find(var.get());
    return found == sizes_.end() ? SizeSet() : found->second;
  }

  /*! \brief Whether the type of a function has changed, so that typed calls of it may be stale. */
  bool IsChanged(const ir::GlobalVar& var) const { return changed_.count(var.get()) != 0; }

  /*!
   * \brief Compare the parameters of a tensor-level function with the arguments and the outputs.
   * \param call A call of `call_destination_passing`.
   */
  void CheckDestinationPassing(const relay::CallNode* call) {
    const auto callee = call->args[0].as<ir::GlobalVar>();
    if (!callee || IsExternal(*callee)) return;
    const Signature& signature = SignatureOf(*callee, call);
    ffi::Array<ir::Type> types;
    for (size_t i = 1; i < call->args.size(); ++i) {
      const ffi::Optional<ir::Type> type = call->args[static_cast<int64_t>(i)]->checked_type;
      if (!type.has_value()) return;
      types.push_back(type.value());
    }
    const auto* attrs = call->attrs.value().as<relay::CallDestinationPassingAttrsNode>();
    for (const ir::Type& type : attrs->out_types) types.push_back(type);
    if (types.size() != signature.names.size()) {
      ir::ThrowAt(call, "TypeError",
                  "`" + std::string((*callee)->name_hint) + "` has " +
                      std::to_string(signature.names.size()) + " parameters, got " +
                      std::to_string(call->args.size() - 1) + " arguments and " +
                      std::to_string(attrs->out_types.size()) + " outputs");
    }
    relay::InferFunctionCall(signature.type, types, context_.get(), {}, signature.names);
  }

  relay::TypeContext* context() { return context_.get(); }

 private:
  /*! \brief The type and the parameter names of a tensor-level function. */
  struct Signature {
    ir::FuncType type;
    /*! \brief The names of the parameters in messages. */
    std::vector<std::string> names;
  };

  bool IsExternal(const ir::GlobalVar& var) const {
    const auto found = module_->functions.find(var);
    return found != module_->functions.end() && (*found).second.as<ir::ExternFuncNode>() != nullptr;
  }

  const Signature& SignatureOf(const ir::GlobalVar& var, const ffi::Object* call) {
    const auto known = signatures_.find(var.get());
    if (known != signatures_.end()) return known->second;
    const auto found = module_->functions.find(var);
    const std::string name = "`" + std::string(var->name_hint) + "`";
    if (found == module_->functions.end()) {
      ir::ThrowAt(call, "ValueError", "the module has no function " + name);
    }
    const auto func = (*found).second.as<tir::PrimFunc>();
    if (!func) {
      ir::ThrowAt(call, "TypeError",
                  name + " is a `" + (*found).second->GetTypeKey() +
                      "`, which `call_destination_passing` does not call");
    }
    Signature signature{tir::func_type_of(*func), {}};
    for (const tir::Var& param : (*func)->params) {
      const auto buffer = (*func)->buffer_map.find(param);
      const bool is_buffer = buffer != (*func)->buffer_map.end();
      const ffi::String& param_name = is_buffer ? (*buffer).second->name : param->name;
      signature.names.push_back(name + ": parameter `" + std::string(param_name) + "`");
    }
    return signatures_.emplace(var.get(), std::move(signature)).first->second;
  }

  relay::Function Infer(const ir::GlobalVar& var) {
    const auto known = done_.find(var.get());
    if (known != done_.end()) return known->second;
    active_.insert(var.get());
    const relay::Function before = module_->functions.at(var).as<relay::Function>().value();
    // A callee whose types are inferred in between notes its own assumptions.
    const ffi::Array<ir::PrimExpr> outer = context_->assumptions();
    context_->ClearAssumptions();
    TypeInferrer inferrer(this);
    const relay::Function typed = WithResult(inferrer.Run(before));
    const relay::Function after =
        WithAssumptions(typed, WithoutSizes(context_->assumptions(), inferrer.bound_sizes()));
    context_->ClearAssumptions();
    context_->Assume(outer);
    active_.erase(var.get());
    if (!after.same_as(before)) changed_.emplace(var.get(), after);
    if (!inferrer.bound_sizes().empty()) sizes_.emplace(var.get(), inferrer.bound_sizes());
    done_.emplace(var.get(), after);
    return after;
  }

  /*! \brief The function with the type of its result, which must agree with the body. */
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

  ir::IRModule module_;
  std::unique_ptr<relay::TypeContext> context_;
  std::unordered_map<const ir::GlobalVarNode*, relay::Function> done_;
  std::unordered_map<const ir::GlobalVarNode*, relay::Function> changed_;
  std::unordered_set<const ffi::Object*> active_;
  std::unordered_map<const ir::GlobalVarNode*, SizeSet> sizes_;
  std::unordered_map<const ir::GlobalVarNode*, Signature> signatures_;
};

/*! \brief Run a rule, and locate its errors at a node of the module. */
template <typename Rule>
auto WithErrorsAt(const ffi::Object* node, Rule rule) {
  try {
    return rule();
  } catch (const ffi::Error& error) {
    if (ir::ContextOf(error).has_value()) throw;
    ir::ThrowAt(node, error.kind().c_str(), error.message());
  }
}

void TypeInferrer::RewriteBinding(const relay::Binding& binding) {
  ir::RelayExpr value = VisitValue(binding->value);
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
    // A node that was constructed before its operands had types.
    if (const auto* tuple = visited.as<relay::TupleNode>()) {
      return ir::RelayExpr(relay::Tuple(tuple->fields, tuple->span));
    }
    if (const auto* item = visited.as<relay::TupleGetItemNode>()) {
      return ir::RelayExpr(relay::TupleGetItem(item->tuple_value, item->index, item->span));
    }
    return visited;
  });
}

ir::RelayExpr TypeInferrer::VisitWhile(const relay::WhileNode* op) {
  return WithErrorsAt(op, [&] { return BindingRewriter::VisitWhile(op); });
}

relay::Block TypeInferrer::VisitBranch(const relay::BlockNode* op) {
  relay::TypeContext* context = module_->context();
  const size_t mark = context->assumptions().size();
  relay::Block branch = BindingRewriter::VisitBranch(op);
  const auto assumed = context->AssumedSince(mark).value_or(ffi::Array<ir::PrimExpr>());
  context->ForgetSince(mark);
  for (const ir::PrimExpr& condition : assumed) {
    const bool is_checked = IsCheckedByBranch(condition) || DependsOn(condition, bound_sizes());
    if (!is_checked) context->Assume({condition});
  }
  return branch;
}

ir::RelayExpr TypeInferrer::VisitCall(const relay::CallNode* op) {
  static const ir::Op destination_passing = ir::get_op("relay.call_destination_passing");
  return WithErrorsAt(op, [&]() -> ir::RelayExpr {
    const ir::RelayExpr visited = BindingRewriter::VisitCall(op);
    const auto* call = visited.as<relay::CallNode>();
    if (call->op.same_as(destination_passing)) module_->CheckDestinationPassing(call);
    const auto callee = call->op.as<ir::GlobalVar>();
    const bool is_new = visited.get() != op;
    if (!is_new && visited->checked_type.has_value() && !(callee && module_->IsChanged(*callee))) {
      // The constructor has tried to prove these conditions already.
      if (call->assumptions.has_value()) module_->context()->Assume(call->assumptions.value());
      return visited;
    }
    if (callee) return TypedCall(ffi::GetRef<relay::Call>(call), *callee, op);
    // The constructor of a new call has inferred its type.
    return is_new ? visited
                  : pool().Make<relay::Call>(call->op, call->args, call->attrs, call->span);
  });
}

void TypeInferrer::CheckIsFree(const relay::CallNode* call, const ir::GlobalVar& callee,
                               const ir::Type& type) {
  const SizeSet sizes = module_->SizesIn(callee);
  if (!DependsOn(type, sizes)) return;
  ir::ThrowAt(call, "TypeError",
              "`" + std::string(callee->name_hint) +
                  "` returns a tensor whose size it binds itself, which only a function that no "
                  "other one calls returns; return the rows and their number, and call "
                  "`first_rows` here");
}

ir::RelayExpr TypeInferrer::TypedCall(const relay::Call& call, const ir::GlobalVar& callee,
                                      const relay::CallNode* before) {
  ffi::Array<ir::Type> types;
  for (const ir::RelayExpr& arg : call->args) {
    if (!arg->checked_type.has_value()) return call;
    types.push_back(arg->checked_type.value());
  }
  relay::TypeContext* context = module_->context();
  const ir::FuncType type = module_->TypeOf(callee, before);
  const size_t mark = context->assumptions().size();
  ir::Type result = relay::InferFunctionCall(type, types, context, module_->AssumptionsOf(callee));
  CheckIsFree(call.get(), callee, result);
  const bool is_known = call.get() == before && call->checked_type.has_value() &&
                        tschema::StructuralEqual(call->checked_type.value(), result);
  if (is_known) return call;
  return WithType(call, std::move(result), context->AssumedSince(mark));
}

}  // namespace

Pass InferType() {
  auto run = [](ir::IRModule module, const PassContext&) {
    return ModuleInferrer(std::move(module)).Run();
  };
  return MakeModulePass(run, 0, "InferType");
}

}  // namespace uir::transform
