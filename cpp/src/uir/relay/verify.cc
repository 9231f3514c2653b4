// What is wrong with a high-level function: bindings, and where they hold.
#include <tschema/structural_equal.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/walk.h>
#include <uir/ir/script_text.h>
#include <uir/ir/verifier.h>
#include <uir/relay/function.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/relay/type_context.h>

#include <string>
#include <unordered_set>
#include <vector>

namespace uir::relay {

namespace {

std::string Quoted(const Var& var) { return "`" + std::string(var->name) + "`"; }

class FunctionVerifier : private RelayExprVisitor {
 public:
  explicit FunctionVerifier(ir::Verifier* verifier) : verifier_(verifier) {}

  void Run(const FunctionNode* func) {
    const size_t mark = order_.size();
    for (const Var& param : func->params) {
      BindVar(param, param.get());
      ForEachVariable(param->type_annotation, [this](const ir::PrimExpr& dimension) {
        if (bound_.insert(dimension.get()).second) order_.push_back(dimension.get());
      });
    }
    VisitBlock(func->body.get());
    Close(mark);
  }

 private:
  void VisitBlock(const BlockNode* block) override {
    const size_t mark = order_.size();
    for (const Binding& binding : block->bindings) VisitBinding(binding.get());
    VisitRelayExpr(block->result);
    Close(mark);
  }

  void VisitBinding(const BindingNode* binding) override {
    VisitRelayExpr(binding->value);
    CheckType(binding);
    BindVar(binding->var, binding);
  }

  void VisitCall(const CallNode* call) override {
    RelayExprVisitor::VisitCall(call);
    const auto* attrs = call->attrs.has_value()
                            ? call->attrs.value().as<CallDestinationPassingAttrsNode>()
                            : nullptr;
    if (attrs == nullptr) return;
    ForEachVariable(attrs->out_types, [&](const ir::PrimExpr& dimension) {
      if (bound_.count(dimension.get()) != 0) return;
      verifier_->Report(call, "the output has the dimension `" + ir::ScriptText(dimension) +
                                  "`, which the types of the parameters do not bind");
    });
  }

  void VisitVar(const VarNode* var) override {
    if (bound_.count(var) != 0) return;
    const bool is_bound_elsewhere = verifier_->bindings().count(var) != 0;
    verifier_->Report(var, "`" + std::string(var->name) + "` is used " +
                               (is_bound_elsewhere ? "outside of its scope" : "without a binding"));
  }

  void VisitConstant(const ConstantNode*) override {}

  void VisitGlobalVar(const ir::GlobalVarNode* var) override {
    if (verifier_->module()->functions.count(ffi::GetRef<ir::GlobalVar>(var)) != 0) return;
    verifier_->Report(var, "the module has no function `" + std::string(var->name_hint) + "`");
  }

  void VisitFunction(const FunctionNode* func) override { Run(func); }

  /*! \brief Call a function with each variable in the dimensions of a type or of several. */
  template <typename Function>
  static void ForEachVariable(const ffi::Any& types, Function function) {
    TypeContext* const context = CurrentTypeContext();
    tschema::Walk(types, [&](const ir::PrimExprNode* dimension) {
      const auto expr = ffi::GetRef<ir::PrimExpr>(dimension);
      if (context->IsVariable(expr)) function(expr);
    });
  }

  void BindVar(const Var& var, const ffi::Object* place) {
    const auto [known, is_new] = verifier_->bindings().emplace(var.get(), place);
    if (!is_new) {
      verifier_->Report(place, Quoted(var) + " is bound twice", {{known->second, "bound here"}});
    }
    if (bound_.insert(var.get()).second) order_.push_back(var.get());
  }

  void CheckType(const BindingNode* binding) {
    const ffi::Optional<ir::Type> type = binding->var->type_annotation;
    const ffi::Optional<ir::Type> found = binding->value->checked_type;
    if (!type.has_value() || !found.has_value()) return;
    if (type.value().same_as(found.value())) return;
    if (tschema::StructuralEqual(type.value(), found.value())) return;
    verifier_->Report(binding, Quoted(binding->var) + " has the type `" +
                                   ir::ScriptText(type.value()) + "`, its value `" +
                                   ir::ScriptText(found.value()) + "`");
  }

  void Close(size_t mark) {
    while (order_.size() > mark) {
      bound_.erase(order_.back());
      order_.pop_back();
    }
  }

  ir::Verifier* verifier_;
  std::unordered_set<const ffi::Object*> bound_;
  std::vector<const ffi::Object*> order_;
};

void CheckFunction(const ir::BaseFunc& func, ir::Verifier* verifier) {
  FunctionVerifier(verifier).Run(func.as<FunctionNode>());
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddFunctionChecker("uir.relay.Function", &CheckFunction); }

}  // namespace

}  // namespace uir::relay
