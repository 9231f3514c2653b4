// Removes unreachable functions.
#include <tschema/walk.h>
#include <tvm/ffi/error.h>
#include <uir/ir/function.h>
#include <uir/ir/symbol.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/pass.h>

#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

/*! \brief Whether a function is visible outside the module: it has a symbol, or is external. */
bool IsKnownOutside(const ir::BaseFunc& func) {
  return func.as<ir::ExternFuncNode>() != nullptr || ir::IsPublic(func.get());
}

class Reachable {
 public:
  explicit Reachable(const ir::IRModule& module) : module_(module) {}

  void Add(const ir::GlobalVar& var) {
    if (module_->functions.count(var) != 0 && found_.insert(var.get()).second) todo_.push_back(var);
  }

  /*! \brief Add all functions that the added ones call, directly or not. */
  void Close() {
    while (!todo_.empty()) {
      const ir::GlobalVar var = todo_.back();
      todo_.pop_back();
      tschema::Walk(module_->functions.at(var),
                    [this](const ir::GlobalVar& called) { Add(called); });
    }
  }

  bool Contains(const ir::GlobalVar& var) const { return found_.count(var.get()) != 0; }
  size_t size() const { return found_.size(); }

 private:
  const ir::IRModule& module_;
  std::unordered_set<const ffi::Object*> found_;
  std::vector<ir::GlobalVar> todo_;
};

ir::IRModule EliminateDeadCode(ir::IRModule module, const ffi::Array<ffi::String>& entries) {
  Reachable reachable(module);
  for (const ffi::String& entry : entries) reachable.Add(module->GetGlobalVar(entry));
  for (const auto& [var, func] : module->functions) {
    if (IsKnownOutside(func)) reachable.Add(var);
  }
  if (reachable.size() == 0) return module;
  reachable.Close();
  if (reachable.size() == module->functions.size()) return module;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
  for (const auto& [var, func] : module->functions) {
    if (reachable.Contains(var)) functions.Set(var, func);
  }
  return ir::IRModule(std::move(functions), module->attrs);
}

}  // namespace

Pass DeadCodeElimination(ffi::Array<ffi::String> entries) {
  auto run = [entries](ir::IRModule module, const PassContext&) {
    return EliminateDeadCode(std::move(module), entries);
  };
  return MakeModulePass(run, 0, "DeadCodeElimination");
}

}  // namespace uir::transform
