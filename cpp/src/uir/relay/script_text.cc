// The script of a value, through the printer's global name: relay does not know the printer.
#include "./script_text.h"

#include <tvm/ffi/function.h>
#include <uir/ir/diagnostics.h>

namespace uir::relay {

std::string ScriptText(const ffi::Any& value) {
  const auto print = ffi::Function::GetGlobal("uir.script.print");
  if (!print) return ir::describe(value);
  return (*print)(value, false, false).cast<ffi::String>();
}

}  // namespace uir::relay
