// Passes that take the whole module.
#include <uir/transform/pass.h>
#include <uir/transform/pass_kind.h>

#include <optional>
#include <utility>

#include "./pass_error.h"

namespace uir::transform {

namespace {

ir::IRModule RunModulePass(const Pass& pass, ir::IRModule module, const PassContext& context) {
  const auto* node = pass.as<ModulePassNode>();
  return WithErrorsIn({"pass", node->pass_info->name, "", module}, [&] {
    const ffi::Any result = node->pass_func(module, context);
    if (std::optional<ir::IRModule> changed = result.as<ir::IRModule>()) return *changed;
    TVM_FFI_THROW(TypeError) << "a module pass must return a `uir.ir.IRModule`, got `"
                             << result.GetTypeKey() << "`";
    TVM_FFI_UNREACHABLE();
  });
}

UIR_TRANSFORM_REGISTER_PASS_KIND(ModulePassNode, RunModulePass);

}  // namespace

Pass MakeModulePass(std::function<ir::IRModule(ir::IRModule, PassContext)> run, int opt_level,
                    ffi::String name, ffi::Array<ffi::String> required) {
  PassInfo info(opt_level, std::move(name), std::move(required));
  return ModulePass(std::move(info), ffi::Function::FromTyped(std::move(run)));
}

}  // namespace uir::transform
