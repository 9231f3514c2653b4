/*!
 * \file pipeline.cc
 * \brief The passes between a program and the code generator, in order.
 */
#include <uir/driver/build.h>
#include <uir/schedule/passes.h>
#include <uir/schedule/replay.h>
#include <uir/transform/check_passes.h>
#include <uir/transform/entry_passes.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/module_passes.h>
#include <uir/transform/relay_passes.h>
#include <uir/transform/tir_passes.h>

#include <string>

#include "./processors.h"

namespace uir::driver {

namespace {

using Passes = ffi::Array<transform::Pass>;

/*! \brief From functions on whole tensors to functions on their elements. */
void AddGraph(const std::string& isa, Passes* passes) {
  // Requires values that are bound to variables and have types.
  passes->push_back(transform::DecomposeOps());
  passes->push_back(transform::FuseAttention());
  passes->push_back(transform::FuseQuantize());
  // These passes run compiled code, which is not possible for another machine.
  if (ArchOf(isa).empty()) {
    passes->push_back(transform::FoldAffineIntoWeights());
    passes->push_back(transform::FoldConstant());
  }
  passes->push_back(transform::SimplifyExpr());
  passes->push_back(transform::EliminateCommonSubexpr());
  passes->push_back(transform::DeadCode());
  passes->push_back(transform::FuseOps());
  passes->push_back(transform::LowerOps());
  passes->push_back(transform::DeduplicateFunctions());
  passes->push_back(transform::LowerEntry());
  passes->push_back(schedule::AlterLayout());
  passes->push_back(transform::PlanMemory());
  passes->push_back(schedule::PackWeights());
  passes->push_back(transform::BindConstants());
}

/*! \brief The schedules of loops for an instruction set. */
void AddSchedule(ffi::String isa, const ffi::String& division, Passes* passes) {
  // Later passes simplify `x // x` and the like, as if no divisor were 0.
  passes->push_back(transform::CheckDivisors(division, "data"));
  if (isa == "x86-64") {
    passes->push_back(transform::MultiversionFunctions({"x86-64-v4", "x86-64-v3"}));
    isa = "generic";
  }
  passes->push_back(transform::CountWork());
  for (const transform::Pass& recipe : schedule::recipes(isa)) passes->push_back(recipe);
}

/*! \brief From blocks and multi-dimensional buffers to the input of a code generator. */
void AddLowering(const target::Target& machine, Passes* passes) {
  passes->push_back(transform::LowerObjectFields());
  passes->push_back(transform::LowerBlocks());
  passes->push_back(transform::LoopPartition());
  passes->push_back(transform::Simplify());
  if (machine->checks == "bounds") passes->push_back(transform::CheckIndices());
  passes->push_back(transform::FlattenBuffer());
  passes->push_back(transform::VectorizeLoop());
  passes->push_back(transform::UnrollLoop());
  passes->push_back(transform::Simplify());
  passes->push_back(transform::WidenBFloat16());
  passes->push_back(transform::CommonSubexprElim());
  passes->push_back(transform::StorageRewrite());
  passes->push_back(transform::NarrowDataType());
  passes->push_back(transform::RemoveNoOp());
  passes->push_back(transform::CheckDivisors(machine->division, "all"));
  passes->push_back(transform::LowerParallel());
  passes->push_back(transform::VerifyWellFormed());
}

}  // namespace

// All targets are C so far.
Passes default_pipeline(ffi::Optional<target::Target> target) {
  Passes passes;
  const target::Target machine = target.has_value() ? target.value() : target::Target();
  AddGraph(machine->isa, &passes);
  AddSchedule(machine->isa, machine->division, &passes);
  AddLowering(machine, &passes);
  return passes;
}

}  // namespace uir::driver
