// Checks a module by the rules for functions of all dialects, then by those of each dialect.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/node_path.h>
#include <uir/ir/symbol.h>
#include <uir/ir/type_name.h>
#include <uir/ir/verifier.h>
#include <uir/ir/verify.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace uir::ir {

namespace {

/*! \brief Checkers in the order in which they run. */
using Stages = std::multimap<int, FunctionChecker>;

/*! \brief The checkers of all dialects. */
class CheckerRegistry {
 public:
  /*! \brief The only registry; never destroyed, because libraries may outlive static objects. */
  static CheckerRegistry& Global() {
    static CheckerRegistry* const registry = new CheckerRegistry();
    return *registry;
  }

  void Add(const char* type_key, FunctionChecker checker, int stage) {
    const std::lock_guard<std::mutex> lock(mutex_);
    checkers_[type_key].emplace(stage, checker);
  }

  /*! \brief The checkers of a function's type, or of its nearest ancestor with checkers. */
  Stages Find(const ffi::Object* func) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(func->type_index());
    for (int32_t depth = info->type_depth; depth >= 0; --depth) {
      const TVMFFITypeInfo* type = depth == info->type_depth ? info : info->type_ancestors[depth];
      const auto found = checkers_.find(std::string(type->type_key.data, type->type_key.size));
      if (found != checkers_.end()) return found->second;
    }
    return {};
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, Stages> checkers_;
};

/*! \brief The functions of a module in the order of their names. */
std::vector<std::pair<GlobalVar, BaseFunc>> Sorted(const IRModule& module) {
  std::vector<std::pair<GlobalVar, BaseFunc>> functions(module->functions.begin(),
                                                        module->functions.end());
  std::sort(functions.begin(), functions.end(), [](const auto& one, const auto& other) {
    return one.first->name_hint < other.first->name_hint;
  });
  return functions;
}

}  // namespace

void AddFunctionChecker(const char* type_key, FunctionChecker checker, int stage) noexcept {
  CheckerRegistry::Global().Add(type_key, checker, stage);
}

void Verifier::Report(const ffi::Object* node, std::string message, std::vector<Place> places) {
  problems_.push_back({root_, node, std::move(message), std::move(places)});
}

void Verifier::CheckName(const GlobalVar& var, const BaseFunc& func) {
  const auto named = module_->global_var_map_.find(var->name_hint);
  if (named == module_->global_var_map_.end() || !(*named).second.same_as(var)) {
    Report(var.get(), "`" + std::string(var->name_hint) +
                          "` is not the variable by which the "
                          "module knows a function of that name");
  }
  const ffi::Any attribute = func->GetAttr(kGlobalSymbol);
  if (attribute == nullptr) return;
  const std::optional<ffi::String> symbol = attribute.as<ffi::String>();
  if (!symbol) {
    return Report(func.get(), "attribute `global_symbol` of `" + std::string(var->name_hint) +
                                  "` must be a string, got `" + TypeNameOf(attribute) + "`");
  }
  const auto [entry, added] = symbols_.emplace(*symbol, var);
  if (added) return;
  Report(func.get(), "functions `" + std::string(entry->second->name_hint) + "` and `" +
                         std::string(var->name_hint) + "` both export the symbol `" +
                         std::string(*symbol) + "`");
}

ffi::Array<Diagnostic> Verifier::Run() {
  for (const auto& [var, func] : Sorted(module_)) {
    root_ = module_;
    CheckName(var, func);
    root_ = func;
    const size_t before = problems_.size();
    for (const auto& [stage, checker] : CheckerRegistry::Global().Find(func.get())) {
      if (problems_.size() == before) checker(func, this);
    }
  }
  return Diagnostics();
}

ffi::Array<Diagnostic> Verifier::Diagnostics() const {
  if (problems_.empty()) return {};
  std::vector<const ffi::Object*> nodes;
  for (const Problem& problem : problems_) nodes.push_back(problem.node);
  const auto paths = FindPaths(module_.get(), nodes);
  ffi::Array<Diagnostic> diagnostics;
  for (const Problem& problem : problems_) {
    ffi::Array<Note> notes;
    for (const Place& place : problem.places) {
      notes.push_back(Note(place.message, std::nullopt, ffi::GetRef<ffi::ObjectRef>(place.node)));
    }
    const auto path = paths.find(problem.node);
    if (path != paths.end() && !path->second.empty()) {
      notes.push_back(Note("at `" + path->second + "`"));
    }
    diagnostics.push_back(Diagnostic(problem.message, Severity::kError, std::nullopt,
                                     ffi::GetRef<ffi::ObjectRef>(problem.node), problem.root,
                                     std::move(notes)));
  }
  return diagnostics;
}

ffi::Array<Diagnostic> verify(IRModule module) { return Verifier(std::move(module)).Run(); }

}  // namespace uir::ir
