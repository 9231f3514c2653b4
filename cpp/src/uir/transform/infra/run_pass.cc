// Runs a pass with the runner of its class, between the calls of instruments.
#include <tschema/stack_guard.h>
#include <tvm/ffi/error.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_kind.h>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "./instruments.h"

namespace uir::transform {

namespace {

/*! \brief The functions that run passes, by the class of the pass. */
class PassKinds {
 public:
  /*! \brief The only table. It is never destroyed, because passes outlive static objects. */
  static PassKinds& Global() {
    static auto* const kinds = new PassKinds();
    return *kinds;
  }

  void Add(int32_t (*type_index)(), PassRunner runner) {
    const std::lock_guard<std::mutex> lock(mutex_);
    late_.emplace_back(type_index, runner);
  }

  PassRunner Find(const Pass& pass) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [type_index, runner] : std::exchange(late_, {})) {
      runners_.emplace(type_index(), runner);
    }
    const auto found = runners_.find(pass->type_index());
    if (found != runners_.end()) return found->second;
    TVM_FFI_THROW(TypeError) << "pass `" << pass->pass_info->name << "` is a `"
                             << pass->GetTypeKey() << "`, a class without a registered runner";
    TVM_FFI_UNREACHABLE();
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<int32_t (*)(), PassRunner>> late_;
  std::unordered_map<int32_t, PassRunner> runners_;
};

}  // namespace

void AddPassKind(int32_t (*type_index)(), PassRunner runner) noexcept {
  PassKinds::Global().Add(type_index, runner);
}

ir::IRModule RunPass(const Pass& pass, ir::IRModule module, const PassContext& context) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return RunPass(pass, std::move(module), context); });
  }
  const PassRunner runner = PassKinds::Global().Find(pass);
  if (!BeforePass(context, module, pass->pass_info)) return module;
  module = runner(pass, std::move(module), context);
  AfterPass(context, module, pass->pass_info);
  return module;
}

ir::IRModule run_pass(Pass to_run, ir::IRModule module) {
  return RunPass(to_run, std::move(module), CurrentPassContext());
}

}  // namespace uir::transform
