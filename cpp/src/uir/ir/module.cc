// Modules: names and symbols that are unique, and functions by name.
#include <tvm/ffi/error.h>
#include <uir/ir/module.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

/*! \brief Which function exports which symbol; a second one is an error. */
class SymbolTable {
 public:
  void Add(const GlobalVar& var, const BaseFunc& func) {
    const std::optional<ffi::String> symbol = func->GetAttr("global_symbol").as<ffi::String>();
    if (!symbol) return;
    const auto [entry, added] = owners_.emplace(*symbol, var->name_hint);
    if (added) return;
    TVM_FFI_THROW(ValueError) << "IRModule: functions `" << entry->second << "` and `"
                              << var->name_hint << "` both export the symbol `" << *symbol << "`";
  }

 private:
  std::unordered_map<std::string, ffi::String> owners_;
};

[[noreturn]] void ThrowMissing(const IRModuleNode* module, const ffi::String& name) {
  std::vector<std::string> names;
  for (const auto& [known, var] : module->global_var_map_) names.emplace_back(known);
  std::sort(names.begin(), names.end());
  std::ostringstream listed;
  for (const std::string& known : names) {
    listed << (listed.tellp() > 0 ? ", " : "; there are ") << '`' << known << '`';
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

}  // namespace

bool IRModuleNode::SEqualReduce(const IRModuleNode* other, tschema::SEqualReducer equal) const {
  const SortedFunctions own(this);
  const SortedFunctions others(other);
  // Before any function is looked into, as each may call all the others.
  return equal.DefEqual(own.vars, others.vars) && equal(own.funcs, others.funcs) &&
         equal(attrs, other->attrs);
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

bool IRModuleNode::Contains(ffi::String name) const { return global_var_map_.count(name) != 0; }

GlobalVar IRModuleNode::GetGlobalVar(ffi::String name) const {
  const auto found = global_var_map_.find(name);
  if (found == global_var_map_.end()) ThrowMissing(this, name);
  return (*found).second;
}

BaseFunc IRModuleNode::Lookup(ffi::String name) const { return functions.at(GetGlobalVar(name)); }

IRModule with_function(IRModule module, GlobalVar var, BaseFunc func) {
  ffi::Map<GlobalVar, BaseFunc> functions = module->functions;
  functions.Set(std::move(var), std::move(func));
  return IRModule(std::move(functions), module->attrs);
}

IRModule without_function(IRModule module, GlobalVar var) {
  if (module->functions.count(var) == 0) {
    if (!module->Contains(var->name_hint)) ThrowMissing(module.get(), var->name_hint);
    TVM_FFI_THROW(ValueError) << "IRModule: `var` is another variable than that of the function `"
                              << var->name_hint << "`";
  }
  ffi::Map<GlobalVar, BaseFunc> functions = module->functions;
  functions.erase(var);
  return IRModule(std::move(functions), module->attrs);
}

}  // namespace uir::ir
