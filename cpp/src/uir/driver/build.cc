/*!
 * \file build.cc
 * \brief `lower` and `build`: passes, code generator and compiler, one after the other.
 */
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <uir/driver/build.h>
#include <uir/ir/function.h>
#include <uir/ir/symbol.h>
#include <uir/schedule/options.h>
#include <uir/schedule/replay.h>
#include <uir/target/target.h>
#include <uir/te/create.h>
#include <uir/tir/function.h>
#include <uir/transform/pass.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "./c_module.h"
#include "./callees.h"
#include "./processors.h"

namespace uir::driver {

namespace {

using Input = ffi::Variant<ir::IRModule, ir::BaseFunc, ffi::Array<ffi::ObjectRef>>;
using Pipeline = ffi::Optional<ffi::Array<transform::Pass>>;

using Rows = ffi::Array<ffi::Map<ffi::String, ffi::Any>>;
using Tuned = ffi::Optional<ffi::Variant<ffi::String, Rows>>;

/*! \brief The current context, with rows of parameters. */
transform::PassContext ContextWith(Rows rows) {
  transform::PassContext current = transform::CurrentPassContext();
  ffi::Map<ffi::String, ffi::Any> config = current->config;
  config.Set("Schedule.rows", std::move(rows));
  return transform::PassContext(current->opt_level, current->required_pass, current->disabled_pass,
                                current->instruments, std::move(config));
}

/*! \brief The pass of a pipeline before which that of a tuned file runs. */
const char* ReaderOf(const transform::Pass& replay) {
  return replay->pass_info->name == "ReplayLayouts" ? "AlterLayout" : "ClassifyBlocks";
}

/*! \brief Some passes, with one of a tuned file before its reader. */
ffi::Array<transform::Pass> WithReplay(const ffi::Array<transform::Pass>& passes,
                                       const transform::Pass& replay) {
  const char* reader = ReaderOf(replay);
  const auto first = std::find_if(passes.begin(), passes.end(), [&](const transform::Pass& pass) {
    return pass->pass_info->name == reader;
  });
  if (first == passes.end()) {
    TVM_FFI_THROW(ValueError) << "`tuned` has choices for the pass `" << reader
                              << "`, but the pipeline has no pass `" << reader << "`";
  }
  ffi::Array<transform::Pass> made(passes.begin(), first);
  made.push_back(replay);
  made.insert(made.end(), first, passes.end());
  return made;
}

/*! \brief The passes that lower a program, and the context that they run in. */
struct Lowering {
  ffi::Array<transform::Pass> passes;
  transform::PassContext context;
};

Lowering LoweringOf(ffi::Array<transform::Pass> passes, const Tuned& tuned,
                    const ffi::String& isa) {
  if (!tuned.has_value()) return {std::move(passes), transform::CurrentPassContext()};
  const auto path = tuned.value().as<ffi::String>();
  if (!path) return {std::move(passes), ContextWith(tuned.value().get<Rows>())};
  const auto replays = schedule::read_tuned(*path, isa);
  if (!replays.has_value()) return {std::move(passes), ContextWith(schedule::read_rows(*path))};
  for (const transform::Pass& replay : replays.value()) passes = WithReplay(passes, replay);
  return {std::move(passes), transform::CurrentPassContext()};
}

/*! \brief A module of one function, which other programs can call. */
ir::IRModule ModuleOf(ir::BaseFunc func) {
  if (!ir::IsPublic(func.get())) func = ir::with_attr(std::move(func), ir::kGlobalSymbol, "main");
  return ir::module_from_func(std::move(func));
}

ir::IRModule ModuleOf(const Input& input) {
  if (const auto module = input.as<ir::IRModule>()) return *module;
  if (auto func = input.as<ir::BaseFunc>()) return ModuleOf(*std::move(func));
  const auto args = input.get<ffi::Array<ffi::ObjectRef>>();
  if (args.empty()) {
    TVM_FFI_THROW(ValueError) << "`input` must not be empty: pass the tensors of a function";
  }
  return ModuleOf(te::create_prim_func(args));
}

/*! \brief The machine that is meant. */
target::Target TargetOf(const ffi::Optional<target::Target>& given) {
  return given.has_value() ? given.value() : target::Target();
}

/*! \brief Check that there is a function to call, since a library without one is a mistake. */
void CheckEntries(const ir::IRModule& module) {
  std::string names;
  for (const auto& [var, func] : module->functions) {
    if (ir::IsPublic(func.get())) return;
    names += (names.empty() ? "`" : ", `") + std::string(var->name_hint) + "`";
  }
  TVM_FFI_THROW(ValueError) << "build: no function of the module has the attribute `"
                            << ir::kGlobalSymbol << "`, so that none could be called"
                            << (names.empty() ? "; the module is empty" : ": " + names);
}

/*! \brief Whether the program runs once, so that to compile it takes longer than to run it. */
bool IsForOneRun(const ir::IRModule& module) {
  return module->GetAttr("runs_once").as<bool>().value_or(false);
}

}  // namespace

ir::IRModule lower(Input input, ffi::Optional<target::Target> target, Pipeline pipeline,
                   Tuned tuned) {
  const target::Target machine = TargetOf(target);
  if (!pipeline.has_value()) pipeline = default_pipeline(machine);
  const Lowering lowering = LoweringOf(pipeline.value(), tuned, machine->isa);
  const transform::Sequential passes(lowering.passes, 0, "lower");
  return transform::RunPass(passes, ModuleOf(input), lowering.context);
}

ffi::Module build(Input input, ffi::Optional<target::Target> target, Pipeline pipeline,
                  Tuned tuned) {
  const target::Target machine = TargetOf(target);
  ir::IRModule module = lower(std::move(input), machine, std::move(pipeline), std::move(tuned));
  CheckEntries(module);
  const std::string isa(machine->isa);
  std::vector<ExternSource> externs = ExternSourcesOf(module);
  CSource source;
  source.system = {ArchOf(isa), std::string(machine->glibc)};
  if (source.system.arch.empty()) CheckCallees(module, externs);
  source.text = target::emit_c(module, machine);
  source.flags = FlagsOf(isa);
  if (IsForOneRun(module)) source.flags.emplace_back("-O1");
  auto callees = GlobalCalleesOf(module);
  source.constants = target::constant_bytes(std::move(module));
  return ffi::Module(
      ffi::make_object<CModuleObj>(std::move(source), std::move(externs), std::move(callees)));
}

}  // namespace uir::driver
