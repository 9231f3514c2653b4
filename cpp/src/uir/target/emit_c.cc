// A lowered module as one text of C: the prelude, the functions, the entries.
#include <uir/ir/function.h>
#include <uir/target/target.h>
#include <uir/tir/function.h>

#include <algorithm>
#include <optional>
#include <set>
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

/*! \brief How many of its last buffers a function returns; none if it takes them all. */
std::optional<size_t> NumOutputs(ModuleContext* context, const Signature* signature) {
  const ffi::Any attribute = signature->func->GetAttr("num_outputs");
  if (attribute == nullptr) return std::nullopt;
  const std::optional<int64_t> count = attribute.as<int64_t>();
  const auto num_given = static_cast<int64_t>(signature->params.size() - signature->num_sizes);
  if (count && 1 <= *count && *count <= num_given) return static_cast<size_t>(*count);
  context->problems()->Report(signature->func, signature->func,
                              "attribute `num_outputs` must be from 1 to the number of "
                              "parameters, " +
                                  std::to_string(num_given));
  return std::nullopt;
}

/*! \brief Emits the entries of a module, of which each symbol has one. */
class EntryTable {
 public:
  explicit EntryTable(ModuleContext* context) : context_(context) {}

  void Add(const PublicFunction& function) {
    const std::optional<size_t> num_outputs = NumOutputs(context_, function.signature);
    if (!num_outputs) return AddEntry(function.signature, function.symbol, 0);
    AddEntry(function.signature, function.symbol + "_into", 0);
    AddEntry(function.signature, function.symbol, *num_outputs);
  }

  const std::string& text() const { return text_; }

 private:
  void AddEntry(const Signature* signature, const std::string& symbol, size_t num_outputs) {
    if (!symbols_.insert(symbol).second) {
      context_->problems()->Report(signature->func, signature->func,
                                   "two functions have the entry `" + symbol + "`");
    }
    text_ += "\n" + EntryEmitter(context_, signature, symbol, num_outputs).Run();
  }

  ModuleContext* context_;
  std::set<std::string> symbols_;
  std::string text_;
};

}  // namespace

ffi::String emit_c(ir::IRModule module, Target target) {
  ModuleContext context(std::move(module));
  const std::vector<PublicFunction> functions = PublicFunctions(&context);
  EntryTable entries(&context);
  const std::string static_functions = EmitFunctions(&context);
  for (const PublicFunction& function : functions) entries.Add(function);
  context.problems()->Raise();
  std::string text =
      "// Emitted by uir for the instruction set `" + std::string(target->isa) + "`.\n";
  text += context.prelude()->Text();
  for (const auto& [name, declaration] : context.externs()) text += "\n" + declaration + "\n";
  for (const int64_t index : context.used_constants()) {
    text += "\n" + DefineConstant(context.constants(), index);
  }
  return text + static_functions + entries.text();
}

}  // namespace uir::target
