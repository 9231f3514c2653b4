// The script of a value, through the printer's global name: ir does not know the printer.
#include <tvm/ffi/function.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/script_text.h>

namespace uir::ir {

std::string ScriptText(const ffi::Any& value) {
  const auto print = ffi::Function::GetGlobal("uir.script.print");
  if (!print) return describe(value);
  return (*print)(value, false, false).cast<ffi::String>();
}

std::string ExtentText(const PrimExpr& extent) {
  const auto* constant = extent.as<IntImmNode>();
  return constant == nullptr ? ScriptText(extent) : std::to_string(constant->value);
}

}  // namespace uir::ir
