// Modules: functions by name, with unique names and symbols.
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/error.h>
#include <uir/ir/module.h>
#include <uir/ir/near_names.h>
#include <uir/ir/symbol.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

/*! \brief The exporting function of each symbol; throws for a second one. */
class SymbolTable {
 public:
  void Add(const GlobalVar& var, const BaseFunc& func) {
    const std::optional<ffi::String> symbol = SymbolOf(func.get());
    if (!symbol) return;
    const auto [entry, added] = owners_.emplace(*symbol, var->name_hint);
    if (added) return;
    TVM_FFI_THROW(ValueError) << "IRModule: functions `" << entry->second << "` and `"
                              << var->name_hint << "` both export the symbol `" << *symbol << "`";
  }

 private:
  std::unordered_map<std::string, ffi::String> owners_;
};

std::vector<std::string> SortedNames(const IRModuleNode* module) {
  std::vector<std::string> names;
  for (const auto& [known, var] : module->global_var_map_) names.emplace_back(known);
  std::sort(names.begin(), names.end());
  return names;
}

/*! \brief Throw an error for an unknown function, with the known or the similar names. */
[[noreturn]] void ThrowMissing(const IRModuleNode* module, const ffi::String& name) {
  constexpr size_t kMaxListed = 20;
  const std::vector<std::string> names = SortedNames(module);
  std::ostringstream listed;
  if (names.size() > kMaxListed) {
    listed << DidYouMean(std::string_view(name.data(), name.size()), names);
  } else {
    for (const std::string& known : names) {
      listed << (listed.tellp() > 0 ? ", " : "; there are ") << '`' << known << '`';
    }
  }
  TVM_FFI_THROW(ValueError) << "IRModule: there is no function `" << name << "`" << listed.str();
  TVM_FFI_UNREACHABLE();
}

/*! \brief The functions of a module in the order of their names. */
struct SortedFunctions {
  explicit SortedFunctions(const IRModuleNode* module) {
    std::vector<std::pair<GlobalVar, BaseFunc>> sorted;
    for (const auto& [var, func] : module->functions) sorted.emplace_back(var, func);
    std::sort(sorted.begin(), sorted.end(), [](const auto& one, const auto& other) {
      return one.first->name_hint < other.first->name_hint;
    });
    for (auto& [var, func] : sorted) {
      vars.push_back(std::move(var));
      funcs.push_back(std::move(func));
    }
  }

  ffi::Array<GlobalVar> vars;
  ffi::Array<BaseFunc> funcs;
};

/*!
 * \brief Changes a module, and checks only the changed functions.
 *
 * It writes the module in place if that has one reference, and a copy otherwise.
 */
class ModuleUpdate {
 public:
  explicit ModuleUpdate(IRModule module) : module_(std::move(module)) {}

  ModuleUpdate& Set(const GlobalVar& var, const BaseFunc& func) {
    const auto known = module_->functions.find(var);
    if (known == module_->functions.end()) {
      CheckName(var);
      CheckSymbol(var, func);
      IRModuleNode* node = Writable();
      node->global_var_map_.Set(var->name_hint, var);
      node->functions.Set(var, func);
    } else if (!(*known).second.same_as(func)) {
      if (SymbolOf(func.get()) != SymbolOf((*known).second.get())) CheckSymbol(var, func);
      Writable()->functions.Set(var, func);
    }
    return *this;
  }

  ModuleUpdate& Erase(const GlobalVar& var) {
    IRModuleNode* node = Writable();
    node->global_var_map_.erase(var->name_hint);
    node->functions.erase(var);
    return *this;
  }

  IRModule Take() { return std::move(module_); }

 private:
  IRModuleNode* Writable() {
    if (!module_.unique()) module_ = clone_module(module_);
    return const_cast<IRModuleNode*>(module_.get());
  }

  void CheckName(const GlobalVar& var) const {
    if (!module_->Contains(var->name_hint)) return;
    TVM_FFI_THROW(ValueError) << "IRModule: two functions are called `" << var->name_hint << "`";
  }

  void CheckSymbol(const GlobalVar& var, const BaseFunc& func) const {
    if (!SymbolOf(func.get())) return;
    SymbolTable symbols;
    for (const auto& [known, other] : module_->functions) {
      if (!known.same_as(var)) symbols.Add(known, other);
    }
    symbols.Add(var, func);
  }

  IRModule module_;
};

}  // namespace

bool IRModuleNode::SEqualReduce(const IRModuleNode* other, tschema::SEqualReducer equal) const {
  const SortedFunctions own(this);
  const SortedFunctions others(other);
  if (own.vars.size() != others.vars.size()) {
    equal.DefEqual(own.vars, others.vars);  // Records the path to the missing function.
    return false;
  }
  // All names before all bodies, because a body may refer to any function.
  for (size_t i = 0; i < own.vars.size(); ++i) {
    if (!equal.DefEqual(own.vars[i], others.vars[i])) return false;
  }
  for (size_t i = 0; i < own.funcs.size(); ++i) {
    if (!equal(own.funcs[i], others.funcs[i])) return false;
  }
  return equal(attrs, other->attrs);
}

void IRModuleNode::SHashReduce(tschema::SHashReducer hash_reduce) const {
  const SortedFunctions own(this);
  hash_reduce.DefHash(own.vars);
  hash_reduce(own.funcs);
  hash_reduce(attrs);
}

void IRModuleNode::PostInit() {
  if (!attrs.has_value()) attrs = DictAttrs(ffi::Map<ffi::String, ffi::Any>());
  SymbolTable symbols;
  ffi::Map<ffi::String, GlobalVar> vars;
  for (const auto& [var, func] : functions) {
    if (vars.count(var->name_hint) != 0) {
      TVM_FFI_THROW(ValueError) << "IRModule: two functions are called `" << var->name_hint << "`";
    }
    vars.Set(var->name_hint, var);
    symbols.Add(var, func);
  }
  global_var_map_ = std::move(vars);
}

ffi::Any IRModuleNode::GetAttr(ffi::String key) const {
  const ffi::Map<ffi::String, ffi::Any>& dict = attrs.value()->dict;
  const auto found = dict.find(key);
  return found == dict.end() ? ffi::Any() : (*found).second;
}

bool IRModuleNode::Contains(ffi::String name) const { return global_var_map_.count(name) != 0; }

GlobalVar IRModuleNode::GetGlobalVar(ffi::String name) const {
  const auto found = global_var_map_.find(name);
  if (found == global_var_map_.end()) ThrowMissing(this, name);
  return (*found).second;
}

BaseFunc IRModuleNode::Lookup(ffi::String name) const { return functions.at(GetGlobalVar(name)); }

IRModule with_function(IRModule module, GlobalVar var, BaseFunc func) {
  return ModuleUpdate(std::move(module)).Set(var, func).Take();
}

IRModule with_functions(IRModule module, ffi::Map<GlobalVar, BaseFunc> functions) {
  ModuleUpdate update(std::move(module));
  for (const auto& [var, func] : functions) update.Set(var, func);
  return update.Take();
}

IRModule without_function(IRModule module, GlobalVar var) {
  if (module->functions.count(var) == 0) {
    if (!module->Contains(var->name_hint)) ThrowMissing(module.get(), var->name_hint);
    TVM_FFI_THROW(ValueError) << "IRModule: `var` is another variable than that of the function `"
                              << var->name_hint << "`";
  }
  return ModuleUpdate(std::move(module)).Erase(var).Take();
}

IRModule clone_module(IRModule module) {
  return ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<IRModule>(
      ffi::make_object<IRModuleNode>(*module.get()));
}

IRModule module_from_func(BaseFunc func, ffi::Optional<ffi::String> name) {
  if (!name.has_value()) name = SymbolOf(func.get()).value_or("main");
  return IRModule({{GlobalVar(name.value()), std::move(func)}});
}

IRModule module_with_attr(IRModule module, ffi::String key, ffi::Any value) {
  ffi::Map<ffi::String, ffi::Any> dict = module->attrs.value()->dict;
  if (value == nullptr) {
    dict.erase(key);
  } else {
    dict.Set(std::move(key), std::move(value));
  }
  IRModule updated = clone_module(std::move(module));
  const_cast<IRModuleNode*>(updated.get())->attrs = DictAttrs(std::move(dict));
  return updated;
}

}  // namespace uir::ir
