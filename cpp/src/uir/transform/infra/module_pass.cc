// Passes over whole modules.
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
    return CheckedResult<ir::IRModule>(node->pass_func(module, context), "a module pass");
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
