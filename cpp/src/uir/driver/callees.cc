/*!
 * \file callees.cc
 * \brief Finds the functions outside of a program that it calls.
 */
#include "./callees.h"

#include <dlfcn.h>
#include <tschema/walk.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/function.h>
#include <uir/ir/near_names.h>
#include <uir/ir/op.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace uir::driver {

namespace {

/*! \brief The names that calls of some operators begin with. */
std::set<std::string> NamesIn(const ir::IRModule& module, const std::set<std::string>& operators) {
  std::set<std::string> names;
  for (const auto& [var, func] : module->functions) {
    const auto* prim = func.as<tir::PrimFuncNode>();
    if (prim == nullptr) continue;
    tschema::Walk(prim->body, [&](const tir::CallNode* call) {
      const auto* op = call->op.as<ir::OpNode>();
      if (op == nullptr || operators.count(std::string(op->name)) == 0) return;
      const auto* name = call->args.empty() ? nullptr : call->args[0].as<ir::StringImmNode>();
      if (name != nullptr) names.insert(std::string(name->value));
    });
  }
  return names;
}

/*! \brief The symbols of other libraries that calls name. */
std::set<std::string> SymbolsOf(const ir::IRModule& module) {
  std::set<std::string> symbols = NamesIn(module, {"tir.call_extern", "tir.call_pure_extern"});
  for (const auto& [var, func] : module->functions) {
    const auto* prim = func.as<tir::PrimFuncNode>();
    if (prim == nullptr) continue;
    tschema::Walk(prim->body, [&, &functions = module->functions](const tir::CallNode* call) {
      const auto callee = call->op.as<ir::GlobalVar>();
      const auto found = callee ? functions.find(*callee) : functions.end();
      if (found == functions.end()) return;
      const auto* external = (*found).second.as<ir::ExternFuncNode>();
      if (external != nullptr) symbols.insert(std::string(external->global_symbol));
    });
  }
  return symbols;
}

bool IsInName(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/*! \brief Whether a text has a name as a whole word. */
bool HasWord(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !IsInName(text[at - 1]);
    if (begins && (end == text.size() || !IsInName(text[end]))) return true;
  }
  return false;
}

/*! \brief Whether a source may define a symbol, which its compiler and the linker know better. */
bool MayDefine(const ExternSource& source, const std::string& symbol) {
  const auto known = std::find(source.symbols.begin(), source.symbols.end(), symbol);
  return known != source.symbols.end() || HasWord(source.text, symbol);
}

bool IsDefined(const std::string& symbol, const std::vector<ExternSource>& sources) {
  const bool has_source =
      std::any_of(sources.begin(), sources.end(),
                  [&](const ExternSource& source) { return MayDefine(source, symbol); });
  return has_source || dlsym(RTLD_DEFAULT, symbol.c_str()) != nullptr;
}

std::vector<std::string> GlobalNames() {
  std::vector<std::string> names;
  for (const ffi::String& name : ffi::Function::ListGlobalNames()) names.emplace_back(name);
  return names;
}

void CheckGlobal(const std::string& name) {
  if (ffi::Function::GetGlobal(name).has_value()) return;
  TVM_FFI_THROW(ValueError) << "global function `" << name << "` is not registered"
                            << ir::DidYouMean(name, GlobalNames());
}

}  // namespace

std::vector<std::string> GlobalCalleesOf(const ir::IRModule& module) {
  const std::set<std::string> names = NamesIn(module, {"tir.call_packed"});
  return {names.begin(), names.end()};
}

void CheckCallees(const ir::IRModule& module, const std::vector<ExternSource>& sources) {
  for (const std::string& name : GlobalCalleesOf(module)) CheckGlobal(name);
  for (const std::string& symbol : SymbolsOf(module)) {
    if (IsDefined(symbol, sources)) continue;
    std::vector<std::string> known = GlobalNames();
    for (const ExternSource& source : sources) {
      known.insert(known.end(), source.symbols.begin(), source.symbols.end());
    }
    TVM_FFI_THROW(ValueError) << "external function `" << symbol << "` has no source, is not a "
                              << "registered global function, and no loaded library defines it"
                              << ir::DidYouMean(symbol, known);
  }
}

}  // namespace uir::driver
