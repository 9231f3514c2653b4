// Throws one error with all violations in a module.
#include <uir/ir/verify.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/pass.h>

#include <string>

namespace uir::transform {

namespace {

ir::IRModule CheckWellFormed(ir::IRModule module, const PassContext&) {
  const ffi::Array<ir::Diagnostic> problems = ir::verify(module);
  if (problems.empty()) return module;
  const std::string count =
      problems.size() == 1 ? "1 problem" : std::to_string(problems.size()) + " problems";
  TVM_FFI_THROW(ValueError) << "the module is not well-formed, it has " << count << ":\n"
                            << ir::render_diagnostics(problems, std::nullopt);
  TVM_FFI_UNREACHABLE();
}

}  // namespace

Pass VerifyWellFormed() { return MakeModulePass(CheckWellFormed, 0, "VerifyWellFormed"); }

}  // namespace uir::transform
