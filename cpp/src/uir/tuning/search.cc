// A search with times by a function.
#include <tvm/ffi/error.h>
#include <uir/tuning/strategies.h>

#include <algorithm>

#include "./callback.h"

namespace uir::tuning {

namespace {

/*! \brief The proposals that a strategy makes at once. */
constexpr int64_t kBatch = 8;

}  // namespace

Trace search(SpaceFunctions space, SearchStrategyFunctions strategy, ffi::Function measure,
             int64_t trials) {
  if (trials < 1) TVM_FFI_THROW(ValueError) << "`trials` must be positive, got " << trials;
  Trace best = space->own_trace;
  double least = 1.0;
  for (int64_t left = trials; left > 0;) {
    const ffi::Array<Trace> proposals = strategy->Propose(std::min(kBatch, left));
    if (proposals.empty()) break;
    for (const Trace& trace : proposals) {
      const auto time =
          Returned<ffi::Optional<double>>(measure(trace), "measure", "a number or None");
      strategy->Tell(trace, time);
      if (!time.has_value() || time.value() >= least) continue;
      best = trace;
      least = time.value();
    }
    left -= static_cast<int64_t>(proposals.size());
  }
  return best;
}

}  // namespace uir::tuning
