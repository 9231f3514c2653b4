// A lowered module as one text of C: the prelude, the functions, the entries.
#include <uir/ir/function.h>
#include <uir/target/target.h>
#include <uir/tir/function.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "./emit_entry.h"
#include "./function_emitter.h"
#include "./signature.h"

namespace uir::target {

namespace {

/*! \brief A function that tvm-ffi may call. */
struct PublicFunction {
  std::string symbol;
  const Signature* signature;
};

std::vector<std::pair<ir::GlobalVar, ir::BaseFunc>> Sorted(const ir::IRModule& module) {
  std::vector<std::pair<ir::GlobalVar, ir::BaseFunc>> functions(module->functions.begin(),
                                                                module->functions.end());
  std::sort(functions.begin(), functions.end(), [](const auto& one, const auto& other) {
    return one.first->name_hint < other.first->name_hint;
  });
  return functions;
}

/*! \brief Find the functions to emit: those that are public, and what these call. */
std::vector<PublicFunction> PublicFunctions(ModuleContext* context) {
  std::vector<PublicFunction> found;
  for (const auto& [var, func] : Sorted(context->module())) {
    const std::optional<ffi::String> symbol = func->GetAttr("global_symbol").as<ffi::String>();
    if (func->IsInstance<ir::ExternFuncNode>()) continue;
    if (!func->IsInstance<tir::PrimFuncNode>()) {
      context->problems()->Report(func.get(), func.get(),
                                  "function `" + std::string(var->name_hint) +
                                      "` is a function on tensors; run `LowerOps` and "
                                      "`LowerEntry` before");
    } else if (symbol && Identifier(std::string(*symbol)) != std::string(*symbol)) {
      context->problems()->Report(func.get(), func.get(),
                                  "the symbol `" + std::string(*symbol) + "` is not a name in C");
    } else if (symbol) {
      found.push_back({std::string(*symbol), context->SignatureOf(var.get())});
    }
  }
  return found;
}

std::string EmitFunctions(ModuleContext* context) {
  std::string text;
  for (const Signature* signature : context->early()) {
    std::vector<std::string> names;
    for (size_t i = 0; i < signature->params.size(); ++i)
      names.push_back("arg" + std::to_string(i));
    text += "\n" + HeadOf(*signature, context->prelude(), names) + ";\n";
  }
  for (const Signature* signature : context->order()) {
    text += "\n" + FunctionEmitter(context, signature).Run();
  }
  return text;
}

std::string EmitEntries(ModuleContext* context, const std::vector<PublicFunction>& functions) {
  std::string text;
  for (const PublicFunction& function : functions) {
    const std::string& symbol = function.symbol;
    const std::optional<int64_t> num_outputs =
        function.signature->func->GetAttr("num_outputs").as<int64_t>();
    const std::string into = num_outputs ? symbol + "_into" : symbol;
    text += "\n" + EntryEmitter(context, function.signature, into, 0).Run();
    if (!num_outputs) continue;
    const auto num_allocated = static_cast<size_t>(*num_outputs);
    text += "\n" + EntryEmitter(context, function.signature, symbol, num_allocated).Run();
  }
  return text;
}

}  // namespace

ffi::String emit_c(ir::IRModule module, Target target) {
  ModuleContext context(std::move(module));
  const std::vector<PublicFunction> functions = PublicFunctions(&context);
  const std::string body = EmitFunctions(&context) + EmitEntries(&context, functions);
  context.problems()->Raise();
  std::string text =
      "// Emitted by uir for the instruction set `" + std::string(target->isa) + "`.\n";
  text += context.prelude()->Text();
  for (const auto& [name, declaration] : context.externs()) text += "\n" + declaration + "\n";
  for (const int64_t index : context.used_constants()) {
    text += "\n" + DefineConstant(context.constants(), index);
  }
  return text + body;
}

}  // namespace uir::target
