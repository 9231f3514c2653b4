// Objects by their fields: in the forms that declarations state, or as calls of their types.
#include <uir/script/printer.h>
#include <uir/tir/var.h>

#include "./declared_form.h"
#include "./metadata.h"
#include "./print_parts.h"
#include "./type_fields.h"

namespace uir::script {

namespace {

/*! \brief Print the call; fields at their defaults are left out. */
void PrintCall(Printer* printer, const TypeFields& type, const DeclaredForm& form,
               const std::vector<ffi::Any>& values) {
  printer->Print(form.path, "(");
  const char* separator = "";
  bool is_positional = true;
  for (const DeclaredForm::Argument& written : form.arguments) {
    const TypeFields::Argument& argument = type.arguments[written.index];
    const ffi::Any& value = values[written.index];
    if (argument.IsDefault(value)) {
      is_positional = false;
      continue;
    }
    printer->Write(separator);
    if (!is_positional || !written.is_positional) printer->Print(written.name, "=");
    printer->PrintValue(value, argument.field->type);
    separator = ", ";
  }
  printer->Write(')');
}

}  // namespace

void Printer::PrintGeneric(const ffi::Object* object) {
  const TypeFields& type = TypeFields::Of(object->type_index());
  if (!type.is_written) return PrintMetadata(this, object);
  const bool is_call = type.form && type.form->kind == DeclaredForm::Kind::kCall;
  PrintCall(this, type, is_call ? *type.form : type.by_fields, type.Read(object));
}

void PrintDeclaredStmt(Printer* printer, const ffi::Object* stmt, const TypeFields& type) {
  const DeclaredForm& form = *type.form;
  const std::vector<ffi::Any> values = type.Read(stmt);
  const auto* var = form.target ? values[*form.target].as<tir::VarNode>() : nullptr;
  printer->BeginLine();
  if (form.kind == DeclaredForm::Kind::kFor) printer->Write("for ");
  if (form.kind == DeclaredForm::Kind::kWith) printer->Write("with ");
  size_t place = printer->text().size();
  if (form.kind == DeclaredForm::Kind::kFor) printer->Write(" in ");
  if (form.kind == DeclaredForm::Kind::kAssign) printer->Write(" = ");
  PrintCall(printer, type, form, values);
  if (form.kind == DeclaredForm::Kind::kWith && var != nullptr) {
    printer->Write(" as ");
    place = printer->text().size();
  }
  printer->Write(form.suite ? ":\n" : "\n");
  const auto bind = [&] {
    if (var == nullptr) return;
    if (var->dtype != form.TargetType(type, values)) printer->Declare(var);
    printer->Insert(place, printer->BindVar(var), var);
  };
  if (!form.suite) return bind();
  const Printer::Scope scope(printer);
  bind();
  printer->PrintSuite(values[*form.suite].cast<ffi::ObjectRef>().get());
}

}  // namespace uir::script
