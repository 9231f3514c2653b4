// Replaces values that depend only on constants by constants; compiled code computes most of them.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <uir/ir/node_error.h>
#include <uir/target/target.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_passes.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../analysis/constant_values.h"
#include "../infra/pass_error.h"
#include "../rewrite/exact_elements.h"
#include "../rewrite/fold_program.h"

namespace uir::transform {

namespace {

constexpr const char* kPassName = "FoldConstant";

/*! \brief Compile for the whole architecture, so that all processors compute the same elements. */
ffi::Module Build(const ir::IRModule& module, const relay::Binding& first) {
  // The library of the driver is above that of passes.
  static const auto build = ffi::Function::GetGlobalRequired("uir.driver.build");
  const PassContextScope scope(PassContext(2, {}, {kPassName}, {}, {}));
  try {
    return build(module, target::Target("c", "generic"), nullptr, nullptr).cast<ffi::Module>();
  } catch (const ffi::Error& error) {
    if (error.kind() == kRaisedElsewhere) throw;
    ir::ThrowAt(first->value, error.kind().c_str(),
                "constant values, of which this is the first, do not compile; without `" +
                    std::string(kPassName) + "` they are computed in each call\n" +
                    error.message());
  }
}

/*! \brief The elements of an argument; `nullopt` if they are not known yet, or for a tuple. */
std::optional<ffi::Tensor> KnownElements(const ConstantValues& values, const ir::RelayExpr& arg) {
  if (const auto* constant = arg.as<relay::ConstantNode>()) return constant->data;
  const auto found = values.known.find(arg.get());
  if (found == values.known.end()) return std::nullopt;
  return found->second;
}

std::optional<ffi::Tensor> ElementsWithoutCompiler(const ConstantValues& values,
                                                   const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  if (call == nullptr) return std::nullopt;
  std::vector<ffi::Tensor> operands;
  for (const ir::RelayExpr& arg : call->args) {
    std::optional<ffi::Tensor> operand = KnownElements(values, arg);
    if (!operand) return std::nullopt;
    operands.push_back(*std::move(operand));
  }
  return ExactElements(call, operands);
}

/*! \brief Compute the results; `nullopt` if one fails, such as an element out of range. */
std::optional<Elements> ComputeElements(ConstantValues values) {
  for (const relay::Binding& binding : BindingsToCompute(values)) {
    if (auto elements = ElementsWithoutCompiler(values, binding->value)) {
      values.known.emplace(binding->var.get(), *std::move(elements));
    }
  }
  const std::vector<relay::Binding> bindings = BindingsToCompute(values);
  Elements elements;
  if (!bindings.empty()) {
    const FoldProgram program = MakeFoldProgram(values, bindings);
    const ffi::Module compiled = Build(program.module, bindings.front());
    try {
      elements = RunFoldProgram(program, compiled);
    } catch (const ffi::Error& error) {
      if (error.kind() == kRaisedElsewhere) throw;
      return std::nullopt;  // The call that needs the value fails, if there is one.
    }
  }
  for (const auto& [var, tensor] : values.known) elements.emplace(var, tensor);
  return elements;
}

/*! \brief Replaces constant values by constants, and removes the bindings that computed them. */
class ConstantReplacer : public BindingRewriter {
 public:
  ConstantReplacer(const ConstantValues& values, const Elements& elements)
      : values_(values), elements_(elements) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const ffi::Object* var = binding->var.get();
    if (values_.vars.count(var) == 0 || values_.needed_tuples.count(var) != 0) {
      return BindingRewriter::RewriteBinding(binding);
    }
    const auto found = elements_.find(var);
    if (found == elements_.end()) return;
    const ffi::Optional<ir::Span> span = binding->value->span;
    if (const auto tensor = found->second.as<ffi::Tensor>()) {
      return Replace(binding->var, relay::Constant(*tensor, span));
    }
    ffi::Array<ir::RelayExpr> fields;
    for (const ffi::Tensor& tensor : found->second.cast<ffi::Array<ffi::Tensor>>()) {
      fields.push_back(relay::Constant(tensor, span));
    }
    Emit(binding, relay::Tuple(std::move(fields), span));
  }

 private:
  const ConstantValues& values_;
  const Elements& elements_;
};

/*! \brief A function with values to fold; `nullopt` for kernels and other functions. */
std::optional<relay::Function> FunctionToFold(const ir::BaseFunc& func) {
  return func->GetAttr("primitive") == nullptr ? func.as<relay::Function>() : std::nullopt;
}

ir::IRModule FoldModule(const ir::IRModule& module, const FoldConstantOptions& options) {
  std::vector<relay::Function> found;
  for (const auto& [var, func] : module->functions) {
    if (const auto one = FunctionToFold(func)) found.push_back(*one);
  }
  const ConstantValues values =
      FindConstantValues(found, {options->max_bytes, options->max_growth});
  if (values.bindings.empty()) return module;
  const std::optional<Elements> elements = ComputeElements(values);
  if (!elements) return module;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const auto before = FunctionToFold(func);
    if (!before) continue;
    const relay::Function after = ConstantReplacer(values, *elements).Run(*before);
    is_changed = is_changed || !after.same_as(*before);
    functions.Set(var, after);
  }
  return is_changed ? ir::IRModule(std::move(functions), module->attrs) : module;
}

}  // namespace

void FoldConstantOptionsNode::PostInit() {
  const std::pair<const char*, int64_t> limits[] = {{"max_bytes", max_bytes},
                                                    {"max_growth", max_growth}};
  for (const auto& [name, value] : limits) {
    if (value >= 0) continue;
    TVM_FFI_THROW(ValueError) << "`" << kPassName << "." << name << "` must not be negative, got "
                              << value;
  }
}

Pass FoldConstant() {
  auto run = [](const ir::IRModule& module, const PassContext& context) {
    return FoldModule(module, OptionsOf<FoldConstantOptions>(context));
  };
  return MakeModulePass(run, 1, kPassName, {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
