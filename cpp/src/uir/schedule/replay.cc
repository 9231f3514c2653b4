// Traces of modules, and recipes that take their choices from a trace.
#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/schedule/replay.h>
#include <uir/transform/pass.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "./decisions.h"

namespace uir::schedule {

namespace {

using Trace = ffi::Map<ffi::String, ffi::Array<ffi::String>>;

void CheckFunctions(const ir::IRModule& module, const Trace& trace) {
  std::vector<std::string> known;
  for (const auto& [var, func] : module->functions) known.emplace_back(var->name_hint);
  for (const auto& [name, lines] : trace) {
    if (std::find(known.begin(), known.end(), std::string(name)) != known.end()) continue;
    TVM_FFI_THROW(ValueError) << "the trace has lines for `" << name
                              << "`, but the module has no such function"
                              << ir::DidYouMean(std::string(name), known);
  }
}

ir::IRModule WithReplay(const ir::IRModule& module, const Trace& trace) {
  CheckFunctions(module, trace);
  ir::IRModule made = module;
  for (const auto& [var, func] : module->functions) {
    const auto prim_func = func.as<tir::PrimFunc>();
    if (!prim_func) continue;
    auto lines = trace.Get(var->name_hint).value_or(ffi::Array<ffi::String>());
    made = ir::with_function(std::move(made), var,
                             ir::with_attr(*prim_func, kReplay, std::move(lines)));
  }
  return made;
}

}  // namespace

Trace trace_of(ir::IRModule module) {
  Trace trace;
  for (const auto& [var, func] : module->functions) {
    const auto prim_func = func.as<tir::PrimFunc>();
    if (!prim_func) continue;
    if (const auto lines = LinesOf(*prim_func, kTrace)) trace.Set(var->name_hint, *lines);
  }
  return trace;
}

transform::Pass ReplaySchedule(Trace trace) {
  for (const auto& [name, lines] : trace) {
    for (const ffi::String& line : lines) ParseTraceLine(line);
  }
  auto run = [trace](const ir::IRModule& module, const transform::PassContext&) {
    return WithReplay(module, trace);
  };
  return transform::MakeModulePass(run, 0, "ReplaySchedule");
}

ir::IRModule replay(ir::IRModule module, Trace trace) {
  ffi::Array<transform::Pass> passes = {ReplaySchedule(std::move(trace))};
  for (const transform::Pass& pass : recipes("generic")) passes.push_back(pass);
  return transform::run_pass(transform::Sequential(passes, 0, "replay"), std::move(module));
}

}  // namespace uir::schedule
