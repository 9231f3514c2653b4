// Copies functions for each of several instruction sets.
#include <tschema/map.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/symbol.h>
#include <uir/tir/function.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/pass.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "../rewrite/binding_renamer.h"
#include "../rewrite/function_names.h"

namespace uir::transform {

namespace {

constexpr const char* kIsa = "isa";

using Functions = ffi::Map<ir::GlobalVar, ir::BaseFunc>;

/*! \brief The last part of an instruction set's name: `v4` of `x86-64-v4`. */
std::string EndOf(const std::string& isa) { return isa.substr(isa.rfind('-') + 1); }

bool HasVersions(const Functions& functions) {
  for (const auto& [var, func] : functions) {
    if (func->GetAttr(kIsa) != nullptr) return true;
  }
  return false;
}

/*! \brief Add the versions of all functions for one instruction set. */
void AddVersions(const Functions& functions, const ffi::String& isa, FunctionNames* names,
                 Functions* made) {
  std::unordered_map<const ffi::Object*, ir::GlobalVar> versions;
  for (const auto& [var, func] : functions) {
    if (func.as<tir::PrimFuncNode>() == nullptr) continue;
    const std::string name = std::string(var->name_hint) + "_" + EndOf(std::string(isa));
    versions.emplace(var.get(), ir::GlobalVar(names->New(name)));
  }
  const auto replace = [&](const ir::GlobalVarNode* var) -> ffi::Optional<ir::GlobalVar> {
    const auto found = versions.find(var);
    if (found == versions.end()) return std::nullopt;
    return found->second;
  };
  for (const auto& [var, func] : functions) {
    const auto found = versions.find(var.get());
    if (found == versions.end()) continue;
    const tir::PrimFunc calling = tschema::Map(func, replace).as<tir::PrimFunc>().value();
    const tir::PrimFunc copy = BindingRenamer(Renaming::kAll).Run(calling);
    const ffi::Any symbol = func->GetAttr(ir::kGlobalSymbol);
    made->Set(found->second,
              ir::with_attrs(
                  copy, {{kIsa, isa}, {ir::kGlobalSymbol, nullptr}, {ir::kVersionOf, symbol}}));
  }
}

ir::IRModule Multiversion(const ir::IRModule& module, const ffi::Array<ffi::String>& isas) {
  if (isas.empty() || HasVersions(module->functions)) return module;
  FunctionNames names(module->functions);
  Functions made;
  for (const auto& [var, func] : module->functions) {
    const bool has_versions = func.as<tir::PrimFuncNode>() != nullptr;
    made.Set(var, has_versions ? ir::with_attr(func, kIsa, "generic") : func);
  }
  for (const ffi::String& isa : isas) AddVersions(module->functions, isa, &names, &made);
  return ir::IRModule(std::move(made), module->attrs);
}

}  // namespace

Pass MultiversionFunctions(ffi::Array<ffi::String> isas) {
  auto run = [isas](const ir::IRModule& module, const PassContext&) {
    return Multiversion(module, isas);
  };
  return MakeModulePass(run, 0, "MultiversionFunctions");
}

}  // namespace uir::transform
