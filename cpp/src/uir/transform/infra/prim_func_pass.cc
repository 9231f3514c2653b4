// Passes that take each tensor-level function by itself.
#include <uir/transform/pass.h>
#include <uir/transform/pass_kind.h>

#include <optional>
#include <utility>
#include <vector>

#include "./pass_error.h"

namespace uir::transform {

namespace {

/*! \brief What a pass makes of one function; errors name the pass and the function. */
tir::PrimFunc RunOn(const PrimFuncPassNode* pass, const ir::GlobalVar& var,
                    const tir::PrimFunc& func, const ir::IRModule& module,
                    const PassContext& context) {
  return WithErrorsIn({"pass", pass->pass_info->name, var->name_hint, func}, [&] {
    return CheckedResult<tir::PrimFunc>(pass->pass_func(func, module, context),
                                        "a pass over functions");
  });
}

ir::IRModule RunPrimFuncPass(const Pass& pass, ir::IRModule module, const PassContext& context) {
  const auto* node = pass.as<PrimFuncPassNode>();
  std::vector<std::pair<ir::GlobalVar, tir::PrimFunc>> changed;
  for (const auto& [var, func] : module->functions) {
    const std::optional<tir::PrimFunc> before = func.as<tir::PrimFunc>();
    if (!before) continue;
    tir::PrimFunc after = RunOn(node, var, *before, module, context);
    if (!after.same_as(*before)) changed.emplace_back(var, std::move(after));
  }
  if (changed.empty()) return module;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  for (auto& [var, func] : changed) functions.Set(std::move(var), std::move(func));
  return WithErrorsIn({"pass", node->pass_info->name, "", {}},
                      [&] { return ir::IRModule(std::move(functions), module->attrs); });
}

UIR_TRANSFORM_REGISTER_PASS_KIND(PrimFuncPassNode, RunPrimFuncPass);

}  // namespace

Pass MakePrimFuncPass(std::function<tir::PrimFunc(tir::PrimFunc, ir::IRModule, PassContext)> run,
                      int opt_level, ffi::String name, ffi::Array<ffi::String> required) {
  PassInfo info(opt_level, std::move(name), std::move(required));
  return PrimFuncPass(std::move(info), ffi::Function::FromTyped(std::move(run)));
}

}  // namespace uir::transform
