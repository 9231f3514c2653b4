// Measures compiled functions; the only overhead is a call of tvm-ffi.
#include <tvm/ffi/error.h>
#include <uir/runtime/timing.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

namespace uir::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/*! \brief The time of some calls in seconds; their results are dropped. */
double TimeOf(const ffi::Function& func, ffi::PackedArgs args, int64_t calls) {
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < calls; ++i) {
    ffi::Any result;
    func.CallPacked(args, &result);
  }
  return Seconds(Clock::now() - start).count();
}

/*! \brief An estimate of the calls that a measurement of `least` seconds needs. */
int64_t MoreCalls(int64_t calls, double time, double least) {
  const double growth = time > 0 ? 1.1 * least / time : 2;
  return static_cast<int64_t>(
      std::ceil(static_cast<double>(calls) * std::clamp(growth, 1.1, 100.)));
}

/*! \brief Measure a function; the number of calls grows until each measurement takes long enough.
 */
ffi::Array<double> MeasureRuns(const ffi::Function& func, ffi::PackedArgs args, int64_t number,
                               int64_t repeat, double least) {
  TimeOf(func, args, 1);
  ffi::Array<double> times;
  for (int64_t i = 0; i < repeat; ++i) {
    double time = TimeOf(func, args, number);
    while (time < least) {
      number = MoreCalls(number, time, least);
      time = TimeOf(func, args, number);
    }
    times.push_back(time / static_cast<double>(number));
  }
  return times;
}

}  // namespace

ffi::Function time_evaluator(ffi::Module module, ffi::String name, int64_t number, int64_t repeat,
                             int64_t min_repeat_ms) {
  if (number <= 0 || repeat <= 0 || min_repeat_ms < 0) {
    TVM_FFI_THROW(ValueError) << "time_evaluator: `number` and `repeat` must be positive and "
                                 "`min_repeat_ms` not negative, got "
                              << number << ", " << repeat << " and " << min_repeat_ms;
  }
  const ffi::Optional<ffi::Function> func = module->GetFunction(name, true);
  if (!func.has_value()) {
    TVM_FFI_THROW(ValueError) << "time_evaluator: the module does not have a function `" << name
                              << "`";
  }
  const double least = static_cast<double>(min_repeat_ms) / 1000;
  return ffi::Function::FromPacked(
      [func = *func, module, number, repeat, least](ffi::PackedArgs args, ffi::Any* result) {
        *result = MeasureRuns(func, args, number, repeat, least);
      });
}

}  // namespace uir::runtime
