// Merges equal private functions.
#include <tschema/map.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/symbol.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/pass.h>

#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

/*! \brief The earlier equal function of each duplicate. */
using Replacements = std::unordered_map<const ffi::Object*, ir::GlobalVar>;

/*! \brief Find the private functions that are structurally equal to an earlier one. */
Replacements FindDuplicates(const ffi::Map<ir::GlobalVar, ir::BaseFunc>& functions) {
  Replacements replacements;
  std::unordered_map<uint64_t, std::vector<std::pair<ir::GlobalVar, ir::BaseFunc>>> known;
  for (const auto& [var, func] : functions) {
    if (func.as<ir::ExternFuncNode>() != nullptr || ir::IsPublic(func.get())) continue;
    auto& candidates = known[tschema::StructuralHash(func)];
    bool is_new = true;
    for (const auto& [other_var, other] : candidates) {
      if (!tschema::StructuralEqual(func, other)) continue;
      replacements.emplace(var.get(), other_var);
      is_new = false;
      break;
    }
    if (is_new) candidates.emplace_back(var, func);
  }
  return replacements;
}

ffi::Map<ir::GlobalVar, ir::BaseFunc> WithoutDuplicates(
    const ffi::Map<ir::GlobalVar, ir::BaseFunc>& functions, const Replacements& replacements) {
  const auto replace = [&](const ir::GlobalVarNode* var) -> ffi::Optional<ir::GlobalVar> {
    const auto found = replacements.find(var);
    if (found == replacements.end()) return std::nullopt;
    return found->second;
  };
  ffi::Map<ir::GlobalVar, ir::BaseFunc> kept;
  for (const auto& [var, func] : functions) {
    if (replacements.count(var.get()) == 0) kept.Set(var, tschema::Map(func, replace));
  }
  return kept;
}

ir::IRModule Deduplicate(const ir::IRModule& module) {
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  // Replacing calls of duplicates may make their callers equal.
  for (;;) {
    const Replacements replacements = FindDuplicates(functions);
    if (replacements.empty()) break;
    functions = WithoutDuplicates(functions, replacements);
  }
  if (functions.same_as(module->functions)) return module;
  return ir::IRModule(std::move(functions), module->attrs);
}

}  // namespace

Pass DeduplicateFunctions() {
  auto run = [](const ir::IRModule& module, const PassContext&) { return Deduplicate(module); };
  return MakeModulePass(run, 0, "DeduplicateFunctions");
}

}  // namespace uir::transform
