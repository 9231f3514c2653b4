// High-level functions: signatures, straight-line bindings, branches and loops.
#include <tschema/structural_equal.h>
#include <uir/ir/symbol.h>
#include <uir/relay/function.h>
#include <uir/script/forms.h>

#include <optional>
#include <string>
#include <utility>

#include "./print_parts.h"
#include "./print_relay.h"
#include "./printer_state.h"

namespace uir::script {

namespace {

class RelayFunctionPrinter {
 public:
  RelayFunctionPrinter(Printer* printer, const relay::FunctionNode* func)
      : printer_(printer), func_(func) {}

  void Print(const std::string& name, const ffi::String& real_name) {
    const Printer::Scope scope(printer_);
    const bool was_relay = std::exchange(printer_->state().is_relay, true);
    const std::optional<ffi::String> symbol = ir::SymbolOf(func_);
    PrintDecorator(printer_, "@relay.function", name, real_name, symbol.has_value());
    PrintSignature(name);
    ++printer_->indent();
    PrintFunctionAttrs(printer_, "relay.func_attr(", func_,
                       symbol.has_value() && *symbol == real_name);
    PrintBindings(func_->body->bindings);
    printer_->BeginLine();
    printer_->Write("return ");
    PrintRelay(printer_, func_->body->result);
    printer_->EndLine();
    --printer_->indent();
    printer_->state().is_relay = was_relay;
  }

 private:
  void PrintSignature(const std::string& name) {
    std::string declarations;
    printer_->BeginLine();
    printer_->Write("def " + name + "(");
    printer_->state().shape_declarations = &declarations;
    const char* separator = "";
    for (const relay::Var& param : func_->params) {
      printer_->Write(separator);
      printer_->Write(printer_->Bind(param.get(), param->name) + ": ");
      printer_->PrintValue(param->type_annotation.value());
      separator = ", ";
    }
    printer_->Write(')');
    if (func_->ret_type.has_value()) {
      printer_->Write(" -> ");
      printer_->PrintValue(func_->ret_type.value());
    }
    printer_->state().shape_declarations = nullptr;
    printer_->Write(":\n");
    printer_->Write(declarations);
  }

  void PrintBindings(const ffi::Array<relay::Binding>& bindings) {
    for (const relay::Binding& binding : bindings) {
      const size_t begin = printer_->text().size() + printer_->indent() * size_t{4};
      if (const auto* branch = binding->value.as<relay::IfNode>()) {
        PrintBranches(binding, branch);
      } else if (const auto* loop = binding->value.as<relay::WhileNode>()) {
        PrintLoop(binding, loop);
      } else {
        PrintBinding(binding);
      }
      printer_->Note(binding.get(), begin);
      printer_->Note(binding->value.get(), begin);
    }
  }

  void PrintBinding(const relay::Binding& binding) {
    printer_->BeginLine();
    // The value is outside of the variable's scope.
    const size_t begin = printer_->text().size();
    PrintRelay(printer_, binding->value);
    const size_t end = printer_->text().size();
    PrintAnnotation(binding);
    const std::string annotation = printer_->text().substr(end);
    printer_->text().resize(end);
    const std::string name = printer_->Bind(binding->var.get(), binding->var->name);
    printer_->Insert(begin, name + annotation + " = ", binding->var.get());
    printer_->EndLine();
  }

  /*! \brief The type of a variable, where it does not follow from the value. */
  void PrintAnnotation(const relay::Binding& binding) {
    const ffi::Optional<ir::Type> type = binding->var->type_annotation;
    const auto* call = binding->value.as<CallNode>();
    const bool is_inferred = call == nullptr || call->op.as<ir::GlobalVarNode>() == nullptr;
    const ffi::Optional<ir::Type> inferred =
        is_inferred ? binding->value->checked_type : ffi::Optional<ir::Type>();
    if (type.has_value() == inferred.has_value() &&
        (!type.has_value() || tschema::StructuralEqual(type.value(), inferred.value()))) {
      return;
    }
    printer_->Write(": ");
    printer_->PrintValue(type);
  }

  void PrintBranches(const relay::Binding& binding, const relay::IfNode* branch) {
    printer_->BeginLine();
    printer_->Write("if ");
    PrintRelay(printer_, branch->condition);
    printer_->Write(":\n");
    const std::string name = NameOf(binding);
    PrintBranch(binding, branch->true_branch, name);
    printer_->BeginLine();
    printer_->Write("else:\n");
    PrintBranch(binding, branch->false_branch, name);
    printer_->BindReserved(binding->var.get(), name);
  }

  /*! \brief The name of a variable that is in scope only after its value. */
  std::string NameOf(const relay::Binding& binding) {
    return printer_->IsKnown(binding->var.get())
               ? printer_->Bind(binding->var.get(), binding->var->name)
               : printer_->state().names.Take(binding->var->name);
  }

  /*! \brief `for s, i in relay.loop(condition, [x, y]):` and a body that assigns a tuple. */
  void PrintLoop(const relay::Binding& binding, const relay::WhileNode* loop) {
    printer_->BeginLine();
    const size_t begin = printer_->text().size();
    printer_->Write(" in relay.loop(");
    PrintRelay(printer_, loop->condition);
    printer_->Write(", [");
    PrintRelayElements(printer_, loop->initial);
    printer_->Write("]):\n");
    const std::string name = NameOf(binding);
    PrintSteps(binding, loop, name, begin);
    printer_->BindReserved(binding->var.get(), name);
  }

  /*! \brief Insert the names of a loop's variables before its header's rest, and print its body. */
  void PrintSteps(const relay::Binding& binding, const relay::WhileNode* loop,
                  const std::string& name, size_t begin) {
    const Printer::Scope scope(printer_);
    std::string params;
    for (const relay::Var& param : loop->params) {
      params += (params.empty() ? "" : ", ") + printer_->Bind(param.get(), param->name);
    }
    printer_->Insert(begin, "for " + params, nullptr);
    PrintBranch(binding, loop->body, name);
  }

  void PrintBranch(const relay::Binding& binding, const relay::Block& block,
                   const std::string& name) {
    const Printer::Scope scope(printer_);
    ++printer_->indent();
    PrintBindings(block->bindings);
    printer_->BeginLine();
    printer_->Write(name);
    PrintAnnotation(binding);
    printer_->Write(" = ");
    PrintRelay(printer_, block->result);
    printer_->EndLine();
    --printer_->indent();
  }

  Printer* printer_;
  const relay::FunctionNode* func_;
};

void PrintRelayDefinition(Printer* printer, const ffi::Object* func, const std::string& name,
                          const ffi::String& real_name) {
  RelayFunctionPrinter(printer, static_cast<const relay::FunctionNode*>(func))
      .Print(name, real_name);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterDefinitionPrinter("uir.relay.Function", &PrintRelayDefinition);
}

}  // namespace

}  // namespace uir::script
