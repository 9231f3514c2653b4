// Passes over each tensor-level function separately.
#include <uir/transform/pass.h>
#include <uir/transform/pass_kind.h>

#include <utility>

#include "./run_on_each.h"

namespace uir::transform {

namespace {

ir::IRModule RunPrimFuncPass(const Pass& pass, ir::IRModule module, const PassContext& context) {
  return RunOnEach<tir::PrimFunc>(pass.as<PrimFuncPassNode>(), std::move(module), context);
}

UIR_TRANSFORM_REGISTER_PASS_KIND(PrimFuncPassNode, RunPrimFuncPass);

}  // namespace

Pass MakePrimFuncPass(std::function<tir::PrimFunc(tir::PrimFunc, ir::IRModule, PassContext)> run,
                      int opt_level, ffi::String name, ffi::Array<ffi::String> required) {
  PassInfo info(opt_level, std::move(name), std::move(required));
  return PrimFuncPass(std::move(info), ffi::Function::FromTyped(std::move(run)));
}

}  // namespace uir::transform
