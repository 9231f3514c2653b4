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

}  // namespace uir::ir
