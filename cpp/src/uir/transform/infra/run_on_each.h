/*!
 * \file run_on_each.h
 * \brief Passes over each function of one class separately.
 */
#ifndef UIR_TRANSFORM_INFRA_RUN_ON_EACH_H_
#define UIR_TRANSFORM_INFRA_RUN_ON_EACH_H_

#include <uir/ir/module.h>
#include <uir/transform/context.h>

#include <optional>
#include <utility>
#include <vector>

#include "./pass_error.h"

namespace uir::transform {

/*!
 * \brief Run a pass on each function of the class `Func`; errors name the pass and the function.
 * \return The module with the changed functions; the module itself without any.
 */
template <typename Func, typename PassNode>
ir::IRModule RunOnEach(const PassNode* pass, ir::IRModule module, const PassContext& context) {
  const ffi::String& name = pass->pass_info->name;
  std::vector<std::pair<ir::GlobalVar, Func>> changed;
  for (const auto& [var, func] : module->functions) {
    const std::optional<Func> before = func.template as<Func>();
    if (!before) continue;
    Func after = WithErrorsIn({"pass", name, var->name_hint, func}, [&] {
      return CheckedResult<Func>(pass->pass_func(*before, module, context),
                                 "a pass over functions");
    });
    if (!after.same_as(*before)) changed.emplace_back(var, std::move(after));
  }
  if (changed.empty()) return module;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  for (auto& [var, func] : changed) functions.Set(std::move(var), std::move(func));
  return WithErrorsIn({"pass", name, "", {}},
                      [&] { return ir::IRModule(std::move(functions), module->attrs); });
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_RUN_ON_EACH_H_
