// The whole text of a value: declarations, the value, metadata.
#include "./print.h"

#include <tvm/ffi/error.h>
#include <uir/ir/function.h>
#include <uir/ir/module.h>
#include <uir/ir/symbol.h>
#include <uir/script/script.h>
#include <uir/tir/stmt.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "./metadata.h"
#include "./sharing.h"

namespace uir::script {

namespace {

/*! \brief Writes one round. */
class RootPrinter {
 public:
  RootPrinter(Plan* plan, ffi::AnyView value, const PrintOptions& options)
      : printer_(plan), value_(value), options_(options) {
    PrinterState& state = printer_.state();
    state.targets = options.targets;
    state.value = value;
    if (!plan->is_measured) state.limit = kShortText;
  }

  PrinterState& state() { return printer_.state(); }
  size_t length() { return printer_.text().size(); }

  /*! \brief Write the value. */
  void Write() {
    if (const std::optional<ir::IRModule> module = value_.as<ir::IRModule>()) {
      PrintModule(module->get());
    } else {
      PrintValue();
    }
  }

  /*! \brief The whole text. */
  Printed Assemble() {
    PrinterState& state = printer_.state();
    Printed printed;
    printed.text = header_;
    const std::vector<size_t> starts = AppendDeclarations(
        options_.declarations ? state.declarations : state.shared_declarations, &printed.text);
    const size_t shift = printed.text.size();
    printed.text += printer_.text();
    for (const auto& [object, extent] : state.extents) {
      printed.extents[object] = {extent.begin + shift, extent.end + shift};
    }
    for (const auto& [object, extent] : state.declared_extents) {
      const size_t shift_of_line = ShiftOfLine(starts, extent.begin);
      printed.extents.try_emplace(object,
                                  Extent{extent.begin + shift_of_line, extent.end + shift_of_line});
    }
    AppendMetadata(state, &printed.text);
    printed.text.pop_back();
    return printed;
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
    if (value_.type_index() < kTVMFFIStaticObjectBegin) return PrintPlain();
    const ffi::Object* object = value_.cast<ffi::ObjectRef>().get();
    printer_.state().root = object;
    const PrintDefinitionFunction definition = FindDefinitionPrinter(object->GetTypeKey());
    if (definition != nullptr) {
      const auto* func = static_cast<const ir::BaseFuncNode*>(object);
      PrintAlone(definition, func);
    } else if (object->IsInstance<tir::StmtNode>()) {
      const Printer::Scope scope(&printer_);
      printer_.PrintStmt(object);
    } else if (object->IsInstance<ir::PrimExprNode>() && !options_.declarations) {
      printer_.PrintExpr(static_cast<const ir::PrimExprNode*>(object));
      printer_.EndLine();
    } else {
      // With declarations, the text must parse, so calls are written as `relay.Call(...)`.
      printer_.state().is_relay = object->IsInstance<ir::RelayExprNode>() && !options_.declarations;
      PrintPlain();
    }
  }

  void PrintAlone(PrintDefinitionFunction definition, const ir::BaseFuncNode* func) {
    const std::optional<ffi::String> symbol = ir::SymbolOf(func);
    const bool has_name = symbol.has_value() && IsIdentifier(*symbol);
    const std::string name = has_name ? std::string(*symbol) : "main";
    definition(&printer_, func, name, name);
    Note(func, 0);
  }

  void PrintPlain() {
    printer_.PrintValue(value_);
    printer_.EndLine();
  }

  // The parts.

  /*! \return Where each line of the declarations began. */
  std::vector<size_t> AppendDeclarations(const std::string& declarations, std::string* text) const {
    std::vector<size_t> starts;
    for (size_t at = 0; at < declarations.size();) {
      const size_t end = declarations.find('\n', at) + 1;
      if (is_class_) *text += "    ";
      text->append(declarations, at, end - at);
      starts.push_back(at);
      at = end;
    }
    if (is_class_ && !declarations.empty()) text->push_back('\n');
    return starts;
  }

  /*! \brief How far a byte of the declarations moved. */
  size_t ShiftOfLine(const std::vector<size_t>& starts, size_t at) const {
    const auto after = std::upper_bound(starts.begin(), starts.end(), at);
    return header_.size() + (is_class_ ? size_t{4} : 0) * (after - starts.begin());
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

namespace {

void FindSharedParts(ffi::AnyView value, const PrintOptions& options, Plan* plan) {
  Plan scratch;
  RootPrinter round(&scratch, value, {options.meta, options.declarations, nullptr});
  Measure measure;
  round.state().measure = &measure;
  round.state().limit = 0;
  round.Write();
  ShareParts(measure, round.length(), plan);
}

}  // namespace

Printed PrintText(ffi::AnyView value, const PrintOptions& options) {
  Plan plan;
  while (true) {
    plan.is_stale = false;
    RootPrinter round(&plan, value, options);
    round.Write();
    if (round.state().is_cut_off) {
      FindSharedParts(value, options, &plan);
    } else if (!plan.is_stale) {
      return round.Assemble();
    }
  }
}

ffi::String print(ffi::Any value, bool meta, bool declarations) {
  return ffi::String(PrintText(value, {meta, declarations, nullptr}).text);
}

}  // namespace uir::script
