// The whole text of a value: declarations, the value, metadata.
#include "./print.h"

#include <tvm/ffi/error.h>
#include <uir/ir/function.h>
#include <uir/ir/module.h>
#include <uir/script/script.h>
#include <uir/tir/stmt.h>

#include <utility>

#include "./metadata.h"

namespace uir::script {

namespace {

/*! \brief Writes one round. */
class RootPrinter {
 public:
  RootPrinter(Plan* plan, ffi::AnyView value, const PrintOptions& options)
      : printer_(plan), value_(value), options_(options) {
    printer_.state().targets = options.targets;
  }

  Printed Run() {
    if (const std::optional<ir::IRModule> module = value_.as<ir::IRModule>()) {
      PrintModule(module->get());
    } else {
      PrintValue();
    }
    return Assemble();
  }

 private:
  // Modules.

  void PrintModule(const ir::IRModuleNode* module) {
    is_class_ = true;
    header_ = "@uir.script.ir_module";
    NameTable names;
    std::vector<std::string> idents;
    for (const auto& [var, func] : module->functions) {
      idents.push_back(names.Take(var->name_hint));
      printer_.state().functions[var.get()] = "Module." + idents.back();
    }
    PrintModuleAttrs(module);
    header_ += "\nclass Module:\n";
    printer_.indent() = 1;
    if (idents.empty()) printer_.Write("    pass\n");
    size_t index = 0;
    for (const auto& [var, func] : module->functions) {
      if (index > 0) printer_.EndLine();
      PrintFunction(var.get(), func.get(), idents[index++]);
    }
  }

  void PrintModuleAttrs(const ir::IRModuleNode* module) {
    if (!module->attrs.has_value() || module->attrs.value()->dict.empty()) return;
    printer_.PrintValue(module->attrs.value()->dict);
    header_ += "(attrs=" + std::exchange(printer_.text(), "") + ")";
  }

  void PrintFunction(const ir::GlobalVarNode* var, const ir::BaseFuncNode* func,
                     const std::string& ident) {
    const size_t begin = printer_.text().size() + 4;
    const PrintDefinitionFunction definition = FindDefinitionPrinter(func->GetTypeKey());
    if (definition != nullptr) {
      definition(&printer_, func, ident, var->name_hint);
    } else {
      printer_.BeginLine();
      const bool is_renamed = var->name_hint != ident;
      printer_.Write(ident + (is_renamed ? " = ir.function(" : " = "));
      if (is_renamed) {
        printer_.PrintValue(var->name_hint);
        printer_.Write(", ");
      }
      printer_.PrintValue(func);
      printer_.Write(is_renamed ? ")\n" : "\n");
    }
    Note(func, begin);
    Note(var, begin);
  }

  void Note(const ffi::Object* object, size_t begin) {
    if (options_.targets == nullptr || options_.targets->count(object) == 0) return;
    printer_.state().extents.try_emplace(object, Extent{begin, printer_.text().size()});
  }

  // Other values.

  void PrintValue() {
    if (value_.type_index() < kTVMFFIStaticObjectBegin) return PrintLine();
    const ffi::Object* object = value_.cast<ffi::ObjectRef>().get();
    printer_.state().root = object;
    const PrintDefinitionFunction definition = FindDefinitionPrinter(object->GetTypeKey());
    if (definition != nullptr) {
      const auto* func = static_cast<const ir::BaseFuncNode*>(object);
      PrintAlone(definition, func);
    } else if (object->IsInstance<tir::StmtNode>()) {
      const Printer::Scope scope(&printer_);
      printer_.PrintBody(object);
    } else if (object->IsInstance<ir::PrimExprNode>() && !options_.declarations) {
      printer_.PrintExpr(static_cast<const ir::PrimExprNode*>(object));
      printer_.EndLine();
    } else {
      PrintLine();
    }
  }

  void PrintAlone(PrintDefinitionFunction definition, const ir::BaseFuncNode* func) {
    const std::optional<ffi::String> symbol = func->GetAttr("global_symbol").as<ffi::String>();
    const bool has_name = symbol.has_value() && IsIdentifier(*symbol);
    const std::string name = has_name ? std::string(*symbol) : "main";
    definition(&printer_, func, name, name);
    Note(func, 0);
  }

  void PrintLine() {
    printer_.PrintValue(value_);
    printer_.EndLine();
  }

  // The parts.

  Printed Assemble() {
    PrinterState& state = printer_.state();
    Printed printed;
    printed.text = header_;
    if (options_.declarations) AppendDeclarations(state.declarations, &printed.text);
    const size_t shift = printed.text.size();
    printed.text += printer_.text();
    printed.extents = std::move(state.extents);
    for (auto& [object, extent] : printed.extents) {
      extent.begin += shift;
      extent.end += shift;
    }
    AppendMetadata(state, &printed.text);
    printed.text.pop_back();
    return printed;
  }

  void AppendDeclarations(const std::string& declarations, std::string* text) const {
    for (size_t at = 0; at < declarations.size();) {
      const size_t end = declarations.find('\n', at) + 1;
      if (is_class_) *text += "    ";
      text->append(declarations, at, end - at);
      at = end;
    }
    if (is_class_ && !declarations.empty()) text->push_back('\n');
  }

  void AppendMetadata(const PrinterState& state, std::string* text) const {
    if (state.metadata.empty()) return;
    *text += options_.meta ? "\n" + MetadataLine(state)
                           : "\n# `metadata` is left out, so that this text cannot be parsed\n";
  }

  Printer printer_;
  ffi::AnyView value_;
  PrintOptions options_;
  bool is_class_ = false;
  std::string header_;
};

}  // namespace

Printed PrintText(ffi::AnyView value, const PrintOptions& options) {
  Plan plan;
  while (true) {
    plan.is_stale = false;
    Printed printed = RootPrinter(&plan, value, options).Run();
    if (!plan.is_stale) return printed;
  }
}

ffi::String print(ffi::Any value, bool meta, bool declarations) {
  return ffi::String(PrintText(value, {meta, declarations, nullptr}).text);
}

}  // namespace uir::script
