// Functions in the order of the text: those shared by all versions, then a part for each version.
#include "./emit_versions.h"

#include <uir/ir/function.h>
#include <uir/ir/symbol.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "./function_emitter.h"

namespace uir::target {

namespace {

/*! \brief An instruction set that functions may have versions for. */
struct InstructionSet {
  const char* name;
  /*! \brief The end of the names of its helpers. */
  const char* suffix;
  /*! \brief Its constant in the text. */
  const char* constant;
  /*! \brief Its features beyond `generic`, as compilers name them. */
  const char* features;
};

/*! \brief The instruction sets, the newest first. */
constexpr InstructionSet kVersionedSets[] = {
    {"x86-64-v4", "_v4", "kX86_64_v4",
     "avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"},
    {"x86-64-v3", "_v3", "kX86_64_v3", "avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,popcnt"},
    {"generic", "_generic", "kGeneric", ""},
};

/*! \brief The instruction set that a function is for; empty if all versions share it. */
std::string IsaOf(const ir::BaseFuncNode* func) {
  return std::string(func->GetAttr("isa").as<ffi::String>().value_or(""));
}

/*! \brief The declarations of functions that are called before they are defined. */
std::string DeclareEarly(ModuleContext* context, const std::vector<const Signature*>& functions) {
  std::string text;
  for (const Signature* signature : context->early()) {
    if (std::find(functions.begin(), functions.end(), signature) == functions.end()) continue;
    std::vector<std::string> names;
    for (size_t i = 0; i < signature->params.size(); ++i)
      names.push_back("arg" + std::to_string(i));
    text += "\n" + HeadOf(*signature, context->prelude(), names) + ";\n";
  }
  return text;
}

/*! \brief Emit some functions. */
std::string Emit(ModuleContext* context, const std::vector<const Signature*>& functions) {
  std::string text = DeclareEarly(context, functions);
  for (const Signature* signature : functions) {
    text += "\n" + FunctionEmitter(context, signature).Run();
  }
  return text;
}

/*! \brief Emit the functions of a module without versions. */
TranslationUnits EmitUnits(ModuleContext* context) {
  std::vector<EmittedFunction> functions;
  for (const Signature* signature : context->order()) {
    context->BeginFunction();
    std::string text = FunctionEmitter(context, signature).Run();
    functions.push_back(
        {signature, std::move(text), context->callees(), context->uses_first_unit()});
  }
  TranslationUnits units = Distribute(functions, context->early());
  units.first = DeclareEarly(context, context->order()) + units.first;
  return units;
}

/*! \brief The text between the lines that let the compiler use more instructions. */
std::string WithFeatures(const std::string& features, const std::string& text) {
  if (features.empty()) return text;
  // Clang 18 to 21 use vectors of 64 bytes only with the feature `evex512`.
  const bool is_wide = features.find("avx512") != std::string::npos;
  const std::string begin =
      "\n#if defined(__clang__)" +
      std::string(is_wide ? " && __clang_major__ >= 18 && __clang_major__ <= 21\n"
                            "#pragma clang attribute push(__attribute__((target(\"" +
                                features +
                                ",evex512\"))), apply_to = function)\n#elif defined(__clang__)\n"
                          : "\n") +
      "#pragma clang attribute push(__attribute__((target(\"" + features +
      "\"))), apply_to = function)\n#else\n#pragma GCC push_options\n#pragma GCC target(\"" +
      features + "\")\n#endif\n";
  return begin + text +
         "\n#if defined(__clang__)\n#pragma clang attribute pop\n#else\n"
         "#pragma GCC pop_options\n#endif\n";
}

std::string EmitVersion(ModuleContext* context, const InstructionSet& isa,
                        const std::vector<const Signature*>& functions) {
  if (functions.empty()) return "";
  Prelude helpers(context->prelude(), isa.suffix);
  context->UseHelpers(&helpers);
  const std::string text = Emit(context, functions);
  context->UseHelpers(nullptr);
  const std::string title =
      std::string("\n// The functions for ") +
      (*isa.features == '\0' ? "all processors.\n" : std::string("`") + isa.name + "`.\n");
  return title + WithFeatures(isa.features, helpers.FunctionsText() + text);
}

/*! \brief The type of pointers to a function, around the name of such a pointer. */
std::string PointerTo(const Signature& signature, Prelude* prelude, const std::string& name) {
  std::string types;
  for (const Parameter& param : signature.params) types += (types.empty() ? "" : ", ") + param.type;
  if (signature.result) {
    types += (types.empty() ? "" : ", ") + prelude->TypeOf(*signature.result) + "*";
  }
  return "int32_t (*" + name + ")(" + (types.empty() ? "void" : types) + ")";
}

/*! \brief The versions of a public function, by instruction set. */
using Versions = std::map<std::string, const Signature*>;

/*! \brief The versions of public functions, by symbol. */
std::map<std::string, Versions> FindVersions(ModuleContext* context) {
  std::map<std::string, Versions> found;
  for (const auto& [var, func] : context->module()->functions) {
    auto symbol = func->GetAttr(ir::kVersionOf).as<ffi::String>();
    if (!symbol) symbol = ir::SymbolOf(func.get());
    const Signature* signature = symbol ? context->SignatureOf(var.get()) : nullptr;
    if (signature != nullptr) found[std::string(*symbol)][IsaOf(func.get())] = signature;
  }
  return found;
}

/*! \brief Emits pointers to the versions that the processor runs. */
class ChoiceEmitter {
 public:
  explicit ChoiceEmitter(ModuleContext* context) : context_(context) {}

  void Add(const std::string& symbol, const Versions& versions, FunctionsText* functions) {
    const auto generic = versions.find("generic");
    if (generic == versions.end() || versions.size() == 1) return;
    const std::string name = context_->TakeName(symbol + "_chosen");
    const auto pointer_to = [&](const Signature& version, const std::string& pointer) {
      return PointerTo(version, context_->prelude(), pointer);
    };
    pointers_ += "static " + pointer_to(*generic->second, name) + ";\n";
    const std::string type = pointer_to(*generic->second, "");
    functions->callees[generic->second] = name;
    for (const InstructionSet& isa : kVersionedSets) {
      const auto version = versions.find(isa.name);
      if (version == versions.end()) continue;
      // A version may store through a pointer that another one only reads.
      const bool is_alike = pointer_to(*version->second, "") == type;
      chosen_[isa.constant] += "    " + name + " = " + (is_alike ? "" : "(" + type + ")") +
                               version->second->name + ";\n";
    }
  }

  std::string Text() const {
    std::string text = "\n// The functions that this processor runs best.\n" + pointers_;
    text += "\n__attribute__((constructor)) static void choose_versions(void) {\n";
    text += "  isa = find_isa();\n";
    std::string keyword = "  if";
    for (const InstructionSet& isa : kVersionedSets) {
      const auto lines = chosen_.find(isa.constant);
      if (lines == chosen_.end()) continue;
      const bool is_last = *isa.features == '\0';
      text += is_last ? "  } else {\n" : keyword + " (isa >= " + isa.constant + ") {\n";
      text += lines->second;
      keyword = "  } else if";
    }
    return text + "  }\n}\n";
  }

 private:
  ModuleContext* context_;
  std::string pointers_;
  /*! \brief The lines that choose a version, by the constant of its instruction set. */
  std::map<std::string, std::string> chosen_;
};

}  // namespace

bool HasVersions(const ir::IRModule& module) {
  const auto& functions = module->functions;
  return std::any_of(functions.begin(), functions.end(), [](const auto& function) {
    return function.second->GetAttr(ir::kVersionOf) != nullptr;
  });
}

FunctionsText EmitFunctions(ModuleContext* context) {
  const std::map<std::string, Versions> versions = FindVersions(context);
  FunctionsText made;
  for (const Signature* signature : context->order()) made.callees[signature] = signature->name;
  if (!HasVersions(context->module())) {
    made.units = EmitUnits(context);
    return made;
  }
  std::map<std::string, std::vector<const Signature*>> by_isa;
  for (const Signature* signature : context->order())
    by_isa[IsaOf(signature->func)].push_back(signature);
  std::string& text = made.units.first;
  text = Emit(context, by_isa[""]);
  for (const InstructionSet& isa : kVersionedSets) {
    text += EmitVersion(context, isa, by_isa[isa.name]);
  }
  context->prelude()->Use("check_isa");
  ChoiceEmitter choice(context);
  for (const auto& [symbol, each] : versions) choice.Add(symbol, each, &made);
  text += choice.Text();
  return made;
}

}  // namespace uir::target
