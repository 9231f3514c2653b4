// Spaces, models and strategies: each answer of a user's function is checked here, for all callers.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <uir/tuning/interfaces.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "./callback.h"

namespace uir::tuning {

namespace {

using Numbers = ffi::Array<double>;

void CheckFinite(const Numbers& numbers, const std::string& what) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[static_cast<int64_t>(i)];
    if (std::isfinite(number)) continue;
    TVM_FFI_THROW(ValueError) << what << " " << i << " is " << number << ", which is not finite";
  }
}

void CheckCount(size_t made, size_t wanted, const char* function, const char* noun) {
  if (made == wanted) return;
  TVM_FFI_THROW(ValueError) << "`" << function << "` returned " << made << " " << noun << " for "
                            << wanted << " candidates";
}

/*! \brief Check that all rows but the empty ones have as many numbers as the first. */
void CheckRows(const ffi::Array<Numbers>& rows) {
  size_t width = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Numbers row = rows[static_cast<int64_t>(i)];
    if (row.empty()) continue;
    if (width == 0) width = row.size();
    if (row.size() != width) {
      TVM_FFI_THROW(ValueError) << "`features` returned " << width
                                << " numbers for a candidate and " << row.size()
                                << " for candidate " << i;
    }
    CheckFinite(row, "of candidate " + std::to_string(i) + ", feature");
  }
}

}  // namespace

ffi::Function SpaceFunctionsNode::Traces() const {
  return Part{"space", name}.Run(
      [&] { return Returned<ffi::Function>(on_traces(), "traces", "a function"); });
}

Trace SpaceFunctionsNode::Draw(int64_t seed) const {
  return Part{"space", name}.Run([&] { return Returned<Trace>(on_draw(seed), "draw", "a trace"); });
}

Trace SpaceFunctionsNode::Change(Trace trace, int64_t seed) const {
  return Part{"space", name}.Run(
      [&] { return Returned<Trace>(on_change(trace, seed), "change", "a trace"); });
}

ffi::Array<Numbers> SpaceFunctionsNode::FeaturesOf(ffi::Array<Trace> candidates) const {
  return Part{"space", name}.Run([&] {
    auto made = Returned<ffi::Array<Numbers>>(on_features(candidates), "features",
                                              "an array of arrays of numbers");
    CheckCount(made.size(), candidates.size(), "features", "rows");
    CheckRows(made);
    return made;
  });
}

Numbers CostModelFunctionsNode::Predict(ffi::Array<Numbers> features) const {
  return Part{"cost model", name}.Run([&] {
    auto scores = Returned<Numbers>(on_predict(features), "predict", "an array of numbers");
    CheckCount(scores.size(), features.size(), "predict", "scores");
    CheckFinite(scores, "score");
    return scores;
  });
}

void CostModelFunctionsNode::Update(ffi::Array<Numbers> features, Numbers times) const {
  return Part{"cost model", name}.Run([&] {
    CheckCount(times.size(), features.size(), "update", "times");
    for (const double time : times) CheckTime(time);
    on_update(features, times);
  });
}

ffi::Array<Trace> SearchStrategyFunctionsNode::Propose(int64_t count) const {
  if (count < 1) TVM_FFI_THROW(ValueError) << "`count` must be positive, got " << count;
  return Part{"strategy", name}.Run([&] {
    auto made = Returned<ffi::Array<Trace>>(on_propose(count), "propose", "an array of traces");
    if (static_cast<int64_t>(made.size()) > count) {
      TVM_FFI_THROW(ValueError) << "`propose` returned " << made.size()
                                << " candidates, of at most " << count;
    }
    ffi::Dict<ffi::String, bool> known = proposed;
    for (const Trace& trace : made) {
      const std::string text = TextOf(trace);
      if (known.count(text) != 0) {
        TVM_FFI_THROW(ValueError) << "`propose` returned a candidate again:\n" << text;
      }
      known.Set(text, true);
    }
    return made;
  });
}

void SearchStrategyFunctionsNode::Tell(Trace trace, ffi::Optional<double> time) const {
  return Part{"strategy", name}.Run([&] {
    if (time.has_value()) CheckTime(time.value());
    on_tell(trace, time);
  });
}

}  // namespace uir::tuning
