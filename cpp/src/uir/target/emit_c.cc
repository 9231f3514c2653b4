// A lowered module as one text of C: the prelude, the functions, the entries.
#include <uir/ir/function.h>
#include <uir/ir/symbol.h>
#include <uir/target/c_flags.h>
#include <uir/target/target.h>
#include <uir/target/unit_condition.h>
#include <uir/tir/function.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "./c_types.h"
#include "./emit_entry.h"
#include "./emit_metadata.h"
#include "./emit_versions.h"
#include "./signature.h"
#include "./translation_units.h"

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

/*! \brief Find the functions to emit: the public ones and their callees. */
std::vector<PublicFunction> PublicFunctions(ModuleContext* context) {
  std::vector<PublicFunction> found;
  for (const auto& [var, func] : Sorted(context->module())) {
    const std::optional<ffi::String> symbol = ir::SymbolOf(func.get());
    if (func->IsInstance<ir::ExternFuncNode>()) continue;
    if (!func->IsInstance<tir::PrimFuncNode>()) {
      context->problems()->Report(func.get(), func.get(),
                                  "function `" + std::string(var->name_hint) +
                                      "` is a function on tensors; run `LowerOps` and "
                                      "`LowerEntry` before");
    } else if (symbol && !IsIdentifier(std::string(*symbol))) {
      context->problems()->Report(func.get(), func.get(),
                                  "the symbol `" + std::string(*symbol) + "` is not a name in C");
    } else if (symbol) {
      found.push_back({std::string(*symbol), context->SignatureOf(var.get())});
    }
  }
  return found;
}

/*! \brief The number of last buffers that a function returns; none if it takes all of them. */
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

/*! \brief Whether a function that returns tensors may be called with tensors to write to, too. */
bool HasIntoEntry(const Signature* signature) {
  return signature->func->GetAttr("has_into_entry").as<bool>().value_or(true);
}

/*! \brief Emits the entries of a module, of which each symbol has one. */
class EntryTable {
 public:
  explicit EntryTable(ModuleContext* context) : context_(context) {}

  /*! \brief Add the entries of a function, which call it by a name in C. */
  void Add(const PublicFunction& function, const std::string& callee) {
    const std::optional<size_t> num_outputs = NumOutputs(context_, function.signature);
    metadata_ += "\n" + MetadataEntry(context_, *function.signature, function.symbol,
                                      num_outputs.value_or(0));
    if (!num_outputs) return AddEntry(function.signature, callee, function.symbol, 0);
    if (HasIntoEntry(function.signature)) {
      AddEntry(function.signature, callee, function.symbol + "_into", 0);
    }
    AddEntry(function.signature, callee, function.symbol, *num_outputs);
  }

  std::string Text() const { return text_ + metadata_; }

 private:
  void AddEntry(const Signature* signature, const std::string& callee, const std::string& symbol,
                size_t num_outputs) {
    if (!symbols_.insert(symbol).second) {
      context_->problems()->Report(signature->func, signature->func,
                                   "two functions have the entry `" + symbol + "`");
    }
    text_ += "\n" + EntryEmitter(context_, signature, callee, symbol, num_outputs).Run();
  }

  ModuleContext* context_;
  std::set<std::string> symbols_;
  std::string text_;
  /*! \brief The functions that describe entries. */
  std::string metadata_;
};

/*! \brief The helper by which entries check that the processor has the instructions of a text. */
std::string MachineCheck(const ir::IRModule& module, const Target& target) {
  if (HasVersions(module)) return "check_isa";
  const bool has_check =
      target->isa == "native" || target->isa == "x86-64-v3" || target->isa == "x86-64-v4";
  return has_check ? "check_instructions" : "";
}

/*! \brief The global functions, constants and types of objects that the functions use. */
std::string SharedState(ModuleContext* context) {
  std::string text;
  for (const auto& [name, in_c] : context->packed()) {
    text += "\nstatic packed_function " + in_c + " = {" + StringLiteral(name) + ", NULL};\n";
  }
  for (const int64_t index : context->used_constants()) {
    text += "\n" + DefineConstant(context->constants(), index);
  }
  return text + context->objects()->Text();
}

}  // namespace

ffi::String emit_c(ir::IRModule module, Target target) {
  const bool checks_bounds = target->checks == "bounds";
  ModuleContext context(module, MachineCheck(module, target), checks_bounds);
  CheckConstantBytes(context.constants(), target->isa);
  const std::vector<PublicFunction> functions = PublicFunctions(&context);
  EntryTable entries(&context);
  const FunctionsText functions_text = EmitFunctions(&context);
  for (const PublicFunction& function : functions) {
    entries.Add(function, functions_text.callees.at(function.signature));
  }
  context.problems()->Raise();
  const TranslationUnits& units = functions_text.units;
  const bool has_units = !units.others.empty();
  std::string text = "// Emitted by uir for the instruction set `" + std::string(target->isa) +
                     "`.\n// Compile it with";
  for (const char* flag : kCFlags) text += std::string(" ") + flag;
  text += ".\n";
  text += context.prelude()->HeadText();
  if (has_units) text += UnitMacros(units);
  text += context.prelude()->FunctionsText(has_units);
  for (const auto& [name, declaration] : context.externs()) text += "\n" + declaration + "\n";
  std::string first = SharedState(&context) + units.first + entries.Text();
  if (!has_units) return text + first;
  text += "\n" + units.declarations;
  for (size_t i = 0; i < units.others.size(); ++i) text += InUnit(i + 1, units.others[i]);
  return text + InUnit(0, first);
}

}  // namespace uir::target
