// Lays out the channels of tensors between convolutions in blocks.
//
// Works on a function that allocates tensors and calls other functions in order. The channels of a
// tensor lie in blocks if all functions that store to it can be made for blocks. A function that
// reads the tensor and does not support blocks gets a copy without blocks.
#include <uir/ir/function.h>
#include <uir/ir/symbol.h>
#include <uir/schedule/layouts.h>
#include <uir/schedule/passes.h>
#include <uir/transform/pass.h>

#include <set>
#include <utility>
#include <vector>

#include "./blocked_callees.h"
#include "./chain_module.h"
#include "./channel_layouts.h"

namespace uir::schedule {

namespace {

using Traces = ffi::Map<ffi::String, ffi::Array<ffi::String>>;

/*! \brief The attribute of a module with the layouts of chains by their hashes. */
constexpr const char* kLayouts = "layout_replay";

/*! \brief A length of sums that no convolution has, so that none is worth a copy. */
constexpr int64_t kNoCopies = 1 << 20;

/*! \brief The choices for a chain, first that without a search. */
std::vector<LayoutChoice> AllChoices() {
  const LayoutChoice by_rule;
  std::vector<LayoutChoice> choices = {by_rule, {0, 0}};
  for (const int64_t vectors : {int64_t{2}, int64_t{1}}) {
    for (const int64_t terms : {by_rule.copy_terms, int64_t{0}, int64_t{64}, kNoCopies}) {
      choices.push_back({vectors, terms});
    }
  }
  return choices;
}

/*! \brief The functions that programs call, which allocate tensors for others. */
std::vector<std::pair<ir::GlobalVar, tir::PrimFunc>> HostsOf(const ir::IRModule& module) {
  std::vector<std::pair<ir::GlobalVar, tir::PrimFunc>> hosts;
  for (const auto& [var, func] : module->functions) {
    const auto prim = func.as<tir::PrimFunc>();
    if (prim && ir::IsPublic(func.get())) hosts.emplace_back(var, *prim);
  }
  return hosts;
}

/*! \brief Choose the layouts of the chains that have a trace. */
void ChooseByTraces(const Traces& traces, const ir::IRModule& module, const tir::PrimFunc& host,
                    LayoutChooser* chooser) {
  for (const TensorChain& chain : chooser->Chains()) {
    const auto made = ModuleOf(module, host, chain);
    const auto lines = made ? traces.Get(made->hash) : std::nullopt;
    if (lines) LayoutChooser::Choose(chain, ParseLayout(*lines));
  }
}

ir::IRModule AlterModule(ir::IRModule module) {
  const ffi::Any attribute = module->GetAttr(kLayouts);
  const Traces traces = attribute.as<Traces>().value_or(Traces());
  if (attribute != nullptr) module = ir::module_with_attr(std::move(module), kLayouts, nullptr);
  BlockedCallees callees(module);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> changed;
  for (const auto& [var, host] : HostsOf(module)) {
    LayoutChooser chooser(host, &callees);
    if (!traces.empty()) ChooseByTraces(traces, module, host, &chooser);
    const tir::PrimFunc made = chooser.Run();
    if (!made.same_as(host)) changed.Set(var, made);
  }
  return changed.empty() ? module : callees.Finish(changed);
}

}  // namespace

transform::Pass AlterLayout() {
  auto run = [](ir::IRModule module, const transform::PassContext&) {
    return AlterModule(std::move(module));
  };
  return transform::MakeModulePass(run, 1, "AlterLayout");
}

transform::Pass ReplayLayouts(Traces traces) {
  for (const auto& [hash, lines] : traces) ParseLayout(lines);
  auto run = [traces = std::move(traces)](ir::IRModule module, const transform::PassContext&) {
    return traces.empty() ? module : ir::module_with_attr(std::move(module), kLayouts, traces);
  };
  return transform::MakeModulePass(run, 0, "ReplayLayouts");
}

ffi::Map<ffi::String, ir::IRModule> chains(ir::IRModule module) {
  BlockedCallees callees(module);
  ffi::Map<ffi::String, ir::IRModule> found;
  for (const auto& [var, host] : HostsOf(module)) {
    LayoutChooser chooser(host, &callees);  // Has the tensors of the chains.
    for (const TensorChain& chain : chooser.Chains()) {
      const auto made = ModuleOf(module, host, chain);
      if (made && chain_layouts(made->module).size() > 1) found.Set(made->hash, made->module);
    }
  }
  return found;
}

ffi::Array<ffi::Array<ffi::String>> chain_layouts(ir::IRModule chain) {
  BlockedCallees callees(chain);
  ffi::Array<ffi::Array<ffi::String>> layouts;
  std::set<BlockSizes> known;
  for (const LayoutChoice& choice : AllChoices()) {
    BlockSizes blocks;
    for (const auto& [var, host] : HostsOf(chain)) {
      LayoutChooser chooser(host, &callees);
      const std::vector<TensorChain> parts = chooser.Chains();
      for (const TensorChain& part : parts) LayoutChooser::Choose(part, choice);
      for (const int64_t block : chooser.Blocks(parts)) blocks.push_back(block);
    }
    if (known.insert(std::move(blocks)).second) layouts.push_back(PrintLayout(choice));
  }
  return layouts;
}

}  // namespace uir::schedule
