// Sequences of passes: skips disabled passes, and runs required ones first.
#include <tvm/ffi/error.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_kind.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "./instruments.h"
#include "./pass_names.h"

namespace uir::transform {

namespace {

/*! \brief Whether a sequence runs a pass: disabled names, then required ones, then the level. */
bool IsEnabled(const PassInfo& info, const PassContext& context) {
  if (HasName(context->disabled_pass, info->name)) return false;
  if (HasName(context->required_pass, info->name)) return true;
  return context->opt_level >= info->opt_level;
}

/*! \brief Runs the required passes of a pass, each after its own required passes. */
class Requirements {
 public:
  explicit Requirements(const PassContext& context) : context_(context) {}

  ir::IRModule Run(const PassInfo& info, ir::IRModule module) {
    Enter(info->name);
    for (const ffi::String& name : info->required) {
      const Pass pass = Make(name);
      module = Run(pass->pass_info, std::move(module));
      module = RunPass(pass, std::move(module), context_);
    }
    names_.pop_back();
    return module;
  }

 private:
  void Enter(const ffi::String& name) {
    const bool is_cycle = std::find(names_.begin(), names_.end(), name) != names_.end();
    names_.push_back(name);
    if (!is_cycle) return;
    std::ostringstream cycle;
    for (const ffi::String& one : names_)
      cycle << (cycle.tellp() > 0 ? " -> `" : "`") << one << '`';
    TVM_FFI_THROW(ValueError) << "passes require each other: " << cycle.str();
  }

  Pass Make(const ffi::String& name) const {
    try {
      return make_pass(name, {});
    } catch (const ffi::Error& error) {
      throw ffi::Error(error.kind(),
                       "pass `" + std::string(names_.back()) + "` requires `" + std::string(name) +
                           "`: " + error.message(),
                       error.backtrace(), error.cause_chain(), error.extra_context());
    }
  }

  const PassContext& context_;
  std::vector<ffi::String> names_;
};

ir::IRModule RunSequential(const Pass& pass, ir::IRModule module, const PassContext& context) {
  CheckPassNames(context);
  for (const Pass& one : pass.as<SequentialNode>()->passes) {
    if (!IsEnabled(one->pass_info, context)) continue;
    module = Requirements(context).Run(one->pass_info, std::move(module));
    module = RunPass(one, std::move(module), context);
  }
  return module;
}

UIR_TRANSFORM_REGISTER_PASS_KIND(SequentialNode, RunSequential);

}  // namespace

void SequentialNode::PostInit() { pass_info = PassInfo(opt_level, name, required); }

}  // namespace uir::transform
