// Tensor-level functions: the signature, the buffers of its handles, the attributes, the body.
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/symbol.h>
#include <uir/script/forms.h>
#include <uir/tir/function.h>

#include <utility>

#include "./print_parts.h"
#include "./printer_state.h"

namespace uir::script {

namespace {

/*! \brief A parameter as the signature writes it. */
struct Param {
  const tir::VarNode* var;
  /*! \brief The buffer of the parameter, or null. */
  const tir::BufferNode* buffer;
  /*! \brief Whether the signature states the buffer, and no text the handle. */
  bool is_buffer;
  std::string name;
};

class DefinitionPrinter {
 public:
  DefinitionPrinter(Printer* printer, const tir::PrimFuncNode* func)
      : printer_(printer), func_(func) {}

  void Print(const std::string& name, const ffi::String& real_name) {
    const Printer::Scope scope(printer_);
    const std::optional<ffi::String> symbol = ir::SymbolOf(func_);
    PrintDecorator(printer_, "@tir.prim_func", name, real_name, symbol.has_value());
    BindParams();
    PrintSignature(name);
    ++printer_->indent();
    const size_t place = printer_->text().size();
    PrintMatches();
    printer_->Insert(place, shape_declarations_);
    PrintFunctionAttrs(printer_, "tir.func_attr(", func_,
                       symbol.has_value() && *symbol == real_name);
    printer_->state().body = func_->body.get();
    printer_->PrintStmt(func_->body.get());
    --printer_->indent();
  }

 private:
  void BindParams() {
    for (const tir::Var& var : func_->params) {
      const auto found = func_->buffer_map.find(var);
      const bool has_buffer = found != func_->buffer_map.end();
      const tir::BufferNode* buffer = has_buffer ? (*found).second.get() : nullptr;
      const bool is_buffer = has_buffer && var->dtype == ir::kHandle &&
                             !printer_->IsKnown(buffer) && printer_->Hide(var.get());
      params_.push_back({var.get(), buffer, is_buffer, ""});
      params_.back().name =
          is_buffer ? printer_->Bind(buffer, buffer->name) : printer_->Bind(var.get(), var->name);
    }
  }

  void PrintSignature(const std::string& name) {
    printer_->BeginLine();
    printer_->Write("def " + name + "(");
    const char* separator = "";
    for (const Param& param : params_) {
      printer_->Print(separator, param.name, ": ");
      param.is_buffer ? PrintBuffer(param) : PrintVar(param);
      separator = ", ";
    }
    printer_->Write(')');
    PrintResult();
    printer_->Write(":\n");
  }

  void PrintBuffer(const Param& param) {
    printer_->Write("tir.Buffer(");
    PrintArguments(param);
    printer_->Write(')');
  }

  void PrintArguments(const Param& param) {
    printer_->state().shape_declarations = &shape_declarations_;
    PrintBufferArguments(printer_, param.buffer, param.name);
    printer_->state().shape_declarations = nullptr;
  }

  void PrintVar(const Param& param) {
    if (PrintVarType(printer_, param.var)) return;
    printer_->DeclareNextTime(param.var);
    printer_->WriteDTypeName(param.var->dtype);
  }

  void PrintResult() {
    const ir::Type type = func_->ret_type.value();
    const auto* tuple = type.as<ir::TupleTypeNode>();
    if (tuple != nullptr && tuple->fields.empty()) return;
    printer_->Write(" -> ");
    if (const auto* plain = type.as<ir::PrimTypeNode>()) {
      printer_->WriteDTypeName(plain->dtype);
    } else {
      printer_->PrintValue(type);
    }
  }

  void PrintMatches() {
    for (Param& param : params_) {
      if (param.buffer == nullptr || param.is_buffer) continue;
      const std::string handle = param.name;
      const bool is_known = printer_->IsKnown(param.buffer);
      param.name = printer_->Bind(param.buffer, param.buffer->name);
      printer_->BeginLine();
      if (is_known) {
        printer_->Print("tir.match_buffer(", handle, ", ", param.name);
      } else {
        printer_->Print(param.name, " = tir.match_buffer(", handle, ", ");
        --printer_->indent();
        PrintArguments(param);
        ++printer_->indent();
      }
      printer_->Write(")\n");
    }
  }

  Printer* printer_;
  const tir::PrimFuncNode* func_;
  std::vector<Param> params_;
  std::string shape_declarations_;
};

void PrintPrimDefinition(Printer* printer, const ffi::Object* func, const std::string& name,
                         const ffi::String& real_name) {
  DefinitionPrinter(printer, static_cast<const tir::PrimFuncNode*>(func)).Print(name, real_name);
}

TVM_FFI_STATIC_INIT_BLOCK() { RegisterDefinitionPrinter("uir.tir.PrimFunc", &PrintPrimDefinition); }

}  // namespace

void PrintDecorator(Printer* printer, const char* decorator, const std::string& name,
                    const ffi::String& real_name, bool is_public) {
  printer->BeginLine();
  printer->Write(Text(decorator));
  const bool is_renamed = real_name != name;
  if (!is_public || is_renamed) {
    printer->Write(is_public ? "(" : is_renamed ? "(private=True, " : "(private=True");
    if (is_renamed) printer->Print("name=", real_name);
    printer->Write(')');
  }
  printer->EndLine();
}

void PrintFunctionAttrs(Printer* printer, const char* form, const ir::BaseFuncNode* func,
                        bool is_symbol_stated) {
  ffi::Map<ffi::String, ffi::Any> attrs = func->attrs.value()->dict;
  if (is_symbol_stated) attrs.erase(ir::kGlobalSymbol);
  if (!attrs.empty()) printer->PrintLine(Text(form), attrs, ")");
}

}  // namespace uir::script
