// Kernels by their structure, and recipes that take their choices from traces of kernels.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/schedule/replay.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/stmt.h>
#include <uir/transform/pass.h>

#include <cstdint>
#include <string>
#include <utility>

#include "./decisions.h"
#include "./hash_text.h"
#include "./parameters.h"

namespace uir::schedule {

namespace {

/*!
 * \brief The version of what traces mean.
 *
 * Increase it when the same trace gives other loops, so that measured times hold no longer.
 */
constexpr int64_t kLoweringVersion = 3;

using Traces = ffi::Map<ffi::String, ffi::Array<ffi::String>>;

/*! \brief The names of the buffers that a function stores to, in order. */
ffi::Array<ffi::String> StoredNames(const tir::PrimFunc& func) {
  ffi::Array<ffi::String> names;
  tschema::Walk(func->body,
                [&](const tir::BufferStoreNode* store) { names.push_back(store->buffer->name); });
  return names;
}

bool IsFor(const tir::PrimFunc& func, const std::string& isa) {
  const auto own = func->GetAttr("isa").as<ffi::String>();
  return tir::HasNoAliases(func.get()) && (!own || ResolveInstructionSet(*own) == isa);
}

tir::PrimFunc WithTrace(tir::PrimFunc func, const Traces& traces, const std::string& isa) {
  if (!IsFor(func, isa)) return func;
  const auto lines = traces.Get(kernel_hash(func));
  return lines ? WithAttributes(std::move(func), {{kReplay, *lines}}) : func;
}

}  // namespace

ffi::String kernel_hash(tir::PrimFunc func) {
  // Loops over buffers that may overlap are not scheduled.
  const bool has_no_aliases = tir::HasNoAliases(func.get());
  const ffi::Array<ffi::String> names = StoredNames(func);
  return HashText({WithoutAttributes(func), names, has_no_aliases});
}

int64_t lowering_version() { return kLoweringVersion; }

transform::Pass ReplayKernels(Traces traces, ffi::String isa) {
  for (const auto& [hash, lines] : traces) {
    for (const ffi::String& line : lines) ParseTraceLine(line);
  }
  auto run = [traces = std::move(traces), isa = ResolveInstructionSet(isa)](
                 tir::PrimFunc func, const ir::IRModule&, const transform::PassContext&) {
    return WithTrace(std::move(func), traces, isa);
  };
  return transform::MakePrimFuncPass(run, 0, "ReplayKernels");
}

}  // namespace uir::schedule
