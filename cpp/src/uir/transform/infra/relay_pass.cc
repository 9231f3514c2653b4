// Passes over each high-level function separately.
#include <uir/transform/pass_kind.h>
#include <uir/transform/relay_pass.h>

#include <utility>

#include "./run_on_each.h"

namespace uir::transform {

namespace {

ir::IRModule RunFunctionPass(const Pass& pass, ir::IRModule module, const PassContext& context) {
  return RunOnEach<relay::Function>(pass.as<FunctionPassNode>(), std::move(module), context);
}

UIR_TRANSFORM_REGISTER_PASS_KIND(FunctionPassNode, RunFunctionPass);

}  // namespace

Pass MakeFunctionPass(
    std::function<relay::Function(relay::Function, ir::IRModule, PassContext)> run, int opt_level,
    ffi::String name, ffi::Array<ffi::String> required) {
  PassInfo info(opt_level, std::move(name), std::move(required));
  return FunctionPass(std::move(info), ffi::Function::FromTyped(std::move(run)));
}

Pass MakeRelayPass(std::function<relay::Function(relay::Function)> run, int opt_level,
                   ffi::String name, ffi::Array<ffi::String> required) {
  auto run_on = [run = std::move(run)](relay::Function func, const ir::IRModule&,
                                       const PassContext&) { return run(std::move(func)); };
  return MakeFunctionPass(run_on, opt_level, std::move(name), std::move(required));
}

}  // namespace uir::transform
