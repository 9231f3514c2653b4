// Checks the bindings of high-level functions, their scopes and their types.
#include <tschema/structural_equal.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/walk.h>
#include <uir/ir/script_text.h>
#include <uir/ir/verifier.h>
#include <uir/relay/bounded.h>
#include <uir/relay/function.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/relay/type_context.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
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
      ForEachVariable(param->type_annotation,
                      [this](const ir::PrimExpr& dimension) { Bound(dimension.get()); });
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
    CheckSizes(binding, binding->value->checked_type);
    BindVar(binding->var, binding);
  }

  void VisitCall(const CallNode* call) override {
    RelayExprVisitor::VisitCall(call);
    if (!call->attrs.has_value()) return;
    const ir::Attrs attrs = call->attrs.value();
    if (const auto* passing = attrs.as<CallDestinationPassingAttrsNode>()) {
      CheckDimensions(call, passing->out_types, "output");
    } else if (const auto* required = attrs.as<RequireAttrsNode>()) {
      CheckDimensions(call, required->conditions, "condition");
    } else if (const auto* rows = attrs.as<FirstRowsAttrsNode>()) {
      BindSize(call, rows->size);
    } else {
      CheckDimensions(call, attrs, "attribute");
    }
  }

  /*! \brief Bind the size of a call of `first_rows`, up to the end of the block. */
  void BindSize(const CallNode* call, const ir::PrimExpr& size) {
    const auto [known, is_new] = verifier_->bindings().emplace(size.get(), call);
    const std::string name = "`" + ir::ScriptText(size) + "`";
    if (!is_new) {
      verifier_->Report(call, name + " is bound twice", {{known->second, "bound here"}});
    } else if (bound_.count(size.get()) != 0) {
      verifier_->Report(call, name + " is bound twice: a type of a parameter binds it");
    }
    Bound(size.get());
  }

  /*! \brief Check that the sizes that calls bind are in scope where a type has them. */
  void CheckSizes(const ffi::Object* place, const ffi::Optional<ir::Type>& type) {
    if (!type.has_value()) return;
    ForEachVariable(type.value(), [&](const ir::PrimExpr& dimension) {
      if (bound_.count(dimension.get()) != 0) return;
      if (verifier_->bindings().count(dimension.get()) == 0) return;
      verifier_->Report(place, "a type has the size `" + ir::ScriptText(dimension) +
                                   "` outside of the block that binds it");
    });
  }

  /*! \brief Check that parameters or earlier calls bind the dimensions in a part of a call. */
  void CheckDimensions(const CallNode* call, const ffi::Any& part, const std::string& what) {
    ForEachVariable(part, [&](const ir::PrimExpr& dimension) {
      const auto found = bound_.find(dimension.get());
      if (found != bound_.end()) {
        num_needed_ = std::max(num_needed_, found->second + 1);
        return;
      }
      verifier_->Report(call, "the " + what + " has the dimension `" + ir::ScriptText(dimension) +
                                  "`, which nothing before binds");
    });
  }

  /*! \brief Check an expression; a shared one only once while its variables are in scope. */
  void VisitRelayExpr(const ir::RelayExpr& expr) override {
    if (expr.use_count() == 1 || expr.as<VarNode>()) return RelayExprVisitor::VisitRelayExpr(expr);
    const auto found = checked_.find(expr.get());
    if (found == checked_.end()) {
      const size_t outer = std::exchange(num_needed_, 0);
      RelayExprVisitor::VisitRelayExpr(expr);
      checked_[expr.get()] = num_needed_;
      if (num_needed_ != 0) checked_with_[num_needed_ - 1].push_back(expr.get());
      num_needed_ = std::max(num_needed_, outer);
    } else {
      num_needed_ = std::max(num_needed_, found->second);
    }
  }

  void VisitVar(const VarNode* var) override {
    const auto found = bound_.find(var);
    if (found != bound_.end()) {
      num_needed_ = std::max(num_needed_, found->second + 1);
      return;
    }
    const bool is_bound_elsewhere = verifier_->bindings().count(var) != 0;
    verifier_->Report(var, "`" + std::string(var->name) + "` is used " +
                               (is_bound_elsewhere ? "outside of its scope" : "without a binding"));
  }

  void VisitConstant(const ConstantNode*) override {}

  void VisitWhile(const WhileNode* loop) override {
    VisitRelayExpr(loop->condition);
    for (const ir::RelayExpr& value : loop->initial) VisitRelayExpr(value);
    const size_t mark = order_.size();
    for (const Var& param : loop->params) BindVar(param, loop);
    VisitBlock(loop->body.get());
    Close(mark);
  }

  void VisitGlobalVar(const ir::GlobalVarNode* var) override {
    if (verifier_->module()->functions.count(ffi::GetRef<ir::GlobalVar>(var)) != 0) return;
    verifier_->Report(var, "the module has no function `" + std::string(var->name_hint) + "`");
  }

  void VisitFunction(const FunctionNode* func) override { Run(func); }

  /*! \brief Call a function with each variable in the dimensions of types. */
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
    Bound(var.get());
  }

  /*! \brief Note that a variable is in scope until the block ends. */
  void Bound(const ffi::Object* var) {
    if (!bound_.emplace(var, order_.size()).second) return;
    order_.push_back(var);
    checked_with_.emplace_back();
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
      for (const ffi::Object* expr : checked_with_.back()) checked_.erase(expr);
      checked_with_.pop_back();
      bound_.erase(order_.back());
      order_.pop_back();
    }
    num_needed_ = std::min(num_needed_, mark);
  }

  ir::Verifier* verifier_;
  /*! \brief The variables in scope, with their indices in `order_`. */
  std::unordered_map<const ffi::Object*, size_t> bound_;
  std::vector<const ffi::Object*> order_;
  /*! \brief The checked shared expressions, each with the length of the prefix of `order_` that
   * binds its variables. */
  std::unordered_map<const ffi::Object*, size_t> checked_;
  /*! \brief For each variable, the shared expressions for which it is the last needed one. */
  std::vector<std::vector<const ffi::Object*>> checked_with_;
  /*! \brief The length of the prefix that the present expression needs. */
  size_t num_needed_ = 0;
};

void CheckFunction(const ir::BaseFunc& func, ir::Verifier* verifier) {
  FunctionVerifier(verifier).Run(func.as<FunctionNode>());
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddFunctionChecker("uir.relay.Function", &CheckFunction); }

}  // namespace

}  // namespace uir::relay
