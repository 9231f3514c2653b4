// Forms that other languages register: functions over whole texts and values.
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/script/forms.h>
#include <uir/script/script.h>

#include <utility>

namespace uir::script {

void register_printer(ffi::String type_key, ffi::Function printer) {
  RegisterPrinter(type_key, [printer](Printer* target, const ffi::Object* node, Precedence) {
    const auto text = ffi::Function::FromTyped([target](ffi::AnyView part) {
      // Written to the end of the text, and taken from there.
      const size_t begin = target->text().size();
      const auto* expr = part.as<ir::PrimExprNode>();
      expr != nullptr ? target->PrintExpr(expr) : target->PrintValue(part);
      std::string printed = target->text().substr(begin);
      target->text().resize(begin);
      return ffi::String(printed);
    });
    target->Write(printer(node, text).cast<ffi::String>());
  });
}

}  // namespace uir::script
