// Replaces calls of operators by calls of tensor-level functions that compute them.
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/node_error.h>
#include <uir/ir/op.h>
#include <uir/ir/symbol.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/atom.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/relay_passes.h>

#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../analysis/bound_sizes.h"
#include "../analysis/views.h"
#include "../lower_ops/lower_kernel.h"
#include "../rewrite/function_call.h"
#include "../rewrite/function_names.h"
#include "../rewrite/outlined_function.h"

namespace uir::transform {

namespace {

bool IsPrimitive(const ir::BaseFunc& func) {
  return func.as<relay::FunctionNode>() != nullptr && func->GetAttr("primitive") != nullptr;
}

/*! \brief Whether a function is a kernel: `LowerOps` lowers it at its calls, then removes it. */
bool IsKernel(const ir::BaseFunc& func) { return IsPrimitive(func) && !ir::IsPublic(func.get()); }

/*! \brief The functions of a module that are not kernels. */
ffi::Map<ir::GlobalVar, ir::BaseFunc> OtherFunctions(const ir::IRModule& module) {
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
  for (const auto& [var, func] : module->functions) {
    if (!IsKernel(func)) functions.Set(var, func);
  }
  return functions;
}

/*! \brief The tensor-level functions made so far; equal kernels share one. */
class Kernels {
 public:
  explicit Kernels(const ffi::Map<ir::GlobalVar, ir::BaseFunc>& others) : names_(others) {}

  /*!
   * \brief The function of a kernel; None if it has no lowering.
   * \param missing Gets the name of the operator without a lowering.
   */
  ffi::Optional<ir::GlobalVar> Find(const relay::Function& kernel, const std::string& name,
                                    std::string* missing) {
    std::vector<Kernel>& known = known_[tschema::StructuralHash(kernel)];
    for (const Kernel& other : known) {
      if (!tschema::StructuralEqual(other.func, kernel)) continue;
      *missing = other.missing;
      return other.var;
    }
    LoweredKernel lowered = LowerKernel(kernel);
    *missing = lowered.missing;
    ffi::Optional<ir::GlobalVar> var;
    if (lowered.func.has_value()) {
      var = ir::GlobalVar(names_.New(name));
      functions_.emplace_back(var.value(), lowered.func.value());
    }
    known.push_back({kernel, var, *missing});
    return var;
  }

  const std::vector<std::pair<ir::GlobalVar, tir::PrimFunc>>& functions() const {
    return functions_;
  }

 private:
  struct Kernel {
    relay::Function func;
    ffi::Optional<ir::GlobalVar> var;
    std::string missing;
  };

  FunctionNames names_;
  std::unordered_map<uint64_t, std::vector<Kernel>> known_;
  std::vector<std::pair<ir::GlobalVar, tir::PrimFunc>> functions_;
};

/*! \brief The calls without a lowering, and the operators that lack it. */
class Problems {
 public:
  void Add(const ffi::ObjectRef& call, const ffi::ObjectRef& root, const std::string& op) {
    names_.insert(op);
    diagnostics_.push_back(ir::Diagnostic("`" + op + "` has no lowering", ir::Severity::kError,
                                          std::nullopt, call, root));
  }

  void ThrowIfAny() const {
    if (names_.empty()) return;
    std::string names;
    for (const std::string& name : names_) names += (names.empty() ? "`" : ", `") + name + "`";
    TVM_FFI_THROW(ValueError) << (names_.size() == 1 ? "an operator has" : "operators have")
                              << " no lowering: " << names << "\n"
                              << ir::render_diagnostics(diagnostics_, std::nullopt);
  }

 private:
  std::set<std::string> names_;
  ffi::Array<ir::Diagnostic> diagnostics_;
};

/*! \brief Replaces the calls of one function. */
class CallLowerer : public BindingRewriter {
 public:
  CallLowerer(ir::IRModule module, relay::Function root, Kernels* kernels, Problems* problems)
      : module_(std::move(module)),
        root_(std::move(root)),
        scope_(root_->params),
        kernels_(kernels),
        problems_(problems) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    BindingRewriter::RewriteBinding(binding);
    if (BoundSizeOf(binding->value) != nullptr) scope_.push_back(emitted().back()->var);
  }

  ir::RelayExpr VisitCall(const relay::CallNode* op) override {
    if (op->op.as<ir::OpNode>() != nullptr) CheckPrepared(op);
    const ir::RelayExpr value = BindingRewriter::VisitCall(op);
    const auto call = value.as<relay::Call>();
    if (!call) return value;
    if (const auto var = (*call)->op.as<ir::GlobalVar>()) {
      const auto callee = module_->functions.find(*var);
      if (callee == module_->functions.end() || !IsPrimitive((*callee).second)) return value;
      const auto kernel = (*callee).second.as<relay::Function>().value();
      return Lowered(*call, op, kernel, (*call)->args, (*var)->name_hint);
    }
    const auto callee = (*call)->op.as<ir::Op>();
    const bool is_check = (*call)->attrs.as<relay::RequireAttrs>().has_value();
    if (!callee || is_check || (*callee)->name == "relay.call_destination_passing") return value;
    // `LowerEntry` makes a view of the same memory, without a kernel.
    if (ViewCallOf(value) != nullptr || BoundSizeOf(value) != nullptr) return value;
    const OutlinedFunction outlined = OutlineCall(*call, scope_);
    const std::string name = (*callee)->name;
    return Lowered(*call, op, outlined.func, {outlined.operands.begin(), outlined.operands.end()},
                   name.substr(name.rfind('.') + 1));
  }

 private:
  static void CheckPrepared(const relay::CallNode* call) {
    if (!call->checked_type.has_value()) {
      ir::ThrowAt(call, "ValueError", "the call has no type: run `InferType` first");
    }
    for (const ir::RelayExpr& arg : call->args) {
      if (relay::IsAtom(arg)) continue;
      ir::ThrowAt(arg, "ValueError", "the operand has no binding: run `ToANormalForm` first");
    }
  }

  /*! \brief The expression that replaces a call. \param original The call in the module. */
  ir::RelayExpr Lowered(const relay::Call& call, const relay::CallNode* original,
                        const relay::Function& kernel, const ffi::Array<ir::RelayExpr>& operands,
                        const std::string& name) {
    const ir::Type type = call->checked_type.value();
    const auto* tuple = type.as<ir::TupleTypeNode>();
    if (tuple != nullptr && tuple->fields.empty()) return relay::Tuple(ffi::Array<ir::RelayExpr>());
    std::string missing;
    const ffi::Optional<ir::GlobalVar> var = kernels_->Find(kernel, name, &missing);
    if (!var.has_value()) {
      problems_->Add(ffi::GetRef<relay::Call>(original), root_, missing);
      return call;
    }
    const ffi::Array<ir::Type> outputs =
        tuple == nullptr ? ffi::Array<ir::Type>{type} : tuple->fields;
    const ir::RelayExpr made =
        relay::call_destination_passing(var.value(), operands, outputs, call->span);
    const ir::Type result = outputs.size() == 1 ? outputs[0] : type;
    const relay::Call typed = WithType(made.as<relay::Call>().value(), result, call->assumptions);
    // A call with one output is a tensor, which becomes the field of a one-element tuple.
    if (tuple == nullptr || outputs.size() != 1) return typed;
    return relay::Tuple(ffi::Array<ir::RelayExpr>{EmitNew(typed, name)});
  }

  ir::IRModule module_;
  relay::Function root_;
  /*! \brief The variables whose types bind dimensions: parameters, and calls of `first_rows`. */
  ffi::Array<relay::Var> scope_;
  Kernels* kernels_;
  Problems* problems_;
};

ir::IRModule LowerModule(const ir::IRModule& module, const PassContext&) {
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = OtherFunctions(module);
  Kernels kernels(functions);
  Problems problems;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const auto before = func.as<relay::Function>();
    if (!before || IsKernel(func)) continue;
    const relay::Function after = CallLowerer(module, *before, &kernels, &problems).Run(*before);
    functions.Set(var, after);
    is_changed = is_changed || !after.same_as(*before);
  }
  problems.ThrowIfAny();
  if (!is_changed) return module;
  for (const auto& [var, func] : kernels.functions()) functions.Set(var, func);
  return ir::IRModule(std::move(functions), module->attrs);
}

}  // namespace

Pass LowerOps() {
  return MakeModulePass(LowerModule, 0, "LowerOps", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
