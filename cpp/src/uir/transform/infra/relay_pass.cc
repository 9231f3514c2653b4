// Passes that take each high-level function by itself.
#include <uir/transform/relay_pass.h>

#include <optional>
#include <utility>

namespace uir::transform {

Pass MakeRelayPass(std::function<relay::Function(relay::Function)> run, int opt_level,
                   ffi::String name, ffi::Array<ffi::String> required) {
  auto run_all = [run = std::move(run)](ir::IRModule module, const PassContext&) {
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
    bool is_changed = false;
    for (const auto& [var, func] : module->functions) {
      const std::optional<relay::Function> before = func.as<relay::Function>();
      if (!before) continue;
      relay::Function after = run(*before);
      if (after.same_as(*before)) continue;
      is_changed = true;
      functions.Set(var, std::move(after));
    }
    return is_changed ? ir::IRModule(std::move(functions), module->attrs) : module;
  };
  return MakeModulePass(run_all, opt_level, std::move(name), std::move(required));
}

}  // namespace uir::transform
