// The features of candidates: the work of the loops that a trace makes of a kernel.
#include <tvm/ffi/error.h>
#include <uir/ir/module.h>
#include <uir/schedule/replay.h>
#include <uir/tuning/adapters.h>
#include <uir/tuning/features.h>

#include <cmath>
#include <optional>
#include <utility>

#include "./loop_counter.h"
#include "./traffic.h"

namespace uir::tuning {

namespace {

using Sizes = ffi::Map<ffi::String, int64_t>;

constexpr const char* kFunction = "main";

/*! \brief The kernel with the loops of a trace; none if the trace does not fit it. */
std::optional<tir::PrimFunc> Scheduled(const ir::IRModule& module, const Trace& trace) {
  try {
    const ir::IRModule made = schedule::replay(module, {{kFunction, trace}});
    return made->Lookup(kFunction).as<tir::PrimFunc>();
  } catch (const ffi::Error& error) {
    if (error.kind() != "ValueError") throw;
    return std::nullopt;
  }
}

ffi::Array<double> FeaturesOf(const tir::PrimFunc& func, const Sizes& sizes) {
  LoopCounter counter(sizes);
  counter.VisitStmt(func->body);
  const LoopCounts& counts = counter.counts();
  ffi::Array<double> made;
  for (const ByShape& one : {counts.operations, counts.loads, counts.stores}) {
    made.push_back(std::log2(1.0 + one.vector));
    made.push_back(std::log2(1.0 + one.scalar));
  }
  for (const double bytes : TrafficOf(counter.tree())) made.push_back(std::log2(1.0 + bytes));
  for (const double number : {counts.steps, counts.incomplete, counts.register_bytes,
                              counts.allocated_bytes, counts.parallel_steps}) {
    made.push_back(std::log2(1.0 + number));
  }
  return made;
}

}  // namespace

ffi::Array<ffi::String> feature_names() {
  return {"vector operations",
          "scalar operations",
          "vector loads",
          "scalar loads",
          "vector stores",
          "scalar stores",
          "bytes beyond 32 KiB",
          "bytes beyond 1 MiB",
          "bytes beyond 32 MiB",
          "steps of loops",
          "operations of incomplete steps",
          "bytes of registers",
          "allocated bytes",
          "parallel steps"};
}

Features features(tir::PrimFunc func, ffi::Array<Trace> candidates, ffi::Optional<Sizes> sizes) {
  const Sizes known = sizes.value_or(Sizes());
  const ir::IRModule module({{ir::GlobalVar(kFunction), std::move(func)}});
  Features made;
  for (const Trace& trace : candidates) {
    const std::optional<tir::PrimFunc> scheduled = Scheduled(module, trace);
    made.push_back(scheduled ? FeaturesOf(*scheduled, known) : ffi::Array<double>());
  }
  return made;
}

}  // namespace uir::tuning
