// Profiles: compiled code reports the calls of its kernels to the recorder of the calling thread.
#include <tvm/ffi/error.h>
#include <uir/runtime/profile.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kSwitch = "uir_profile_v1";

/*! \brief A kernel in the layout of emitted code (target/profile_helpers.cc). */
struct Kernel {
  const char* name;
  const char* source;
};

/*! \brief The calls of a kernel. */
struct Calls {
  /*! \brief Their times in seconds. */
  std::vector<double> times;
  int64_t flops = 0;
  int64_t bytes = 0;
};

/*! \brief Records the kernel calls of a thread. */
class Recorder {
 public:
  Recorder() : before_(std::exchange(current_, this)) {}
  ~Recorder() { current_ = before_; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /*! \brief Record a call from emitted code: its start and end in ns, its operations and bytes. */
  static void Take(const Kernel* kernel, const int64_t* numbers) {
    if (current_ == nullptr) return;
    Calls& calls = current_->calls_[kernel];
    calls.times.push_back(static_cast<double>(numbers[1] - numbers[0]) * 1e-9);
    calls.flops = numbers[2] < 0 ? -1 : calls.flops + numbers[2];
    calls.bytes = numbers[3] < 0 ? -1 : calls.bytes + numbers[3];
  }

  /*! \brief The kernels, by decreasing total time. */
  ffi::Array<KernelProfile> Kernels() const {
    std::vector<KernelProfile> kernels;
    for (const auto& [kernel, calls] : calls_) kernels.push_back(ProfileOf(*kernel, calls));
    std::sort(kernels.begin(), kernels.end(), [](const auto& one, const auto& other) {
      return one->total != other->total ? one->total > other->total : one->name < other->name;
    });
    return {kernels.begin(), kernels.end()};
  }

 private:
  static KernelProfile ProfileOf(const Kernel& kernel, const Calls& calls) {
    std::vector<double> times = calls.times;
    std::sort(times.begin(), times.end());
    double total = 0;
    for (const double time : times) total += time;
    const size_t middle = times.size() / 2;
    const double median =
        times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
    return {kernel.name, kernel.source, static_cast<int64_t>(times.size()), total, times[0], median,
            calls.flops, calls.bytes};
  }

  static thread_local Recorder* current_;
  Recorder* before_;
  std::unordered_map<const Kernel*, Calls> calls_;
};

thread_local Recorder* Recorder::current_ = nullptr;

/*! \brief The functions of a module and its imports that switch profiling on and off. */
class Switches {
 public:
  explicit Switches(const ffi::Module& module) { Find(module); }

  bool empty() const { return switches_.empty(); }

  void On() {
    for (const ffi::Function& each : switches_) each(reinterpret_cast<void*>(&Recorder::Take));
  }
  void Off() {
    for (const ffi::Function& each : switches_) each(nullptr);
  }

 private:
  void Find(const ffi::Module& module) {
    if (!seen_.insert(module.get()).second) return;
    const ffi::Optional<ffi::Function> found = module->GetFunction(kSwitch, false);
    if (found.has_value()) switches_.push_back(*found);
    for (const ffi::Any& imported : module->imports()) Find(imported.cast<ffi::Module>());
  }

  std::vector<ffi::Function> switches_;
  std::unordered_set<const ffi::Object*> seen_;
};

/*! \brief Profiles during its lifetime. */
class Listening {
 public:
  explicit Listening(Switches* switches) : switches_(switches) { switches->On(); }
  ~Listening() { switches_->Off(); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  Switches* switches_;
};

void Call(const ffi::Function& func, ffi::PackedArgs args) {
  ffi::Any result;
  func.CallPacked(args, &result);
}

Profile MeasureKernels(const ffi::String& name, const ffi::Function& func, Switches* switches,
                       int64_t number, ffi::PackedArgs args) {
  Call(func, args);
  const Recorder recorder;
  const Listening listening(switches);
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < number; ++i) Call(func, args);
  const double total = std::chrono::duration<double>(Clock::now() - start).count();
  return {name, number, total, recorder.Kernels()};
}

double Rate(int64_t count, double time) {
  return count < 0 || time <= 0 ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(count) / time * 1e-9;
}

}  // namespace

double KernelProfileNode::GflopsPerSecond() const { return Rate(flops, total); }

double KernelProfileNode::GbytesPerSecond() const { return Rate(bytes_moved, total); }

ffi::Function profile(ffi::Module module, ffi::String name, int64_t number) {
  if (number <= 0) {
    TVM_FFI_THROW(ValueError) << "profile: `number` must be positive, got " << number;
  }
  const ffi::Optional<ffi::Function> func = module->GetFunction(name, true);
  if (!func.has_value()) {
    TVM_FFI_THROW(ValueError) << "profile: the module does not have a function `" << name << "`";
  }
  Switches switches(module);
  if (switches.empty()) {
    TVM_FFI_THROW(ValueError) << "profile: the module has no kernels: it is of kind `"
                              << module->kind() << "`, or none of its functions computes tensors";
  }
  return ffi::Function::FromPacked([name, func = *func, module, switches, number](
                                       ffi::PackedArgs args, ffi::Any* result) mutable {
    *result = MeasureKernels(name, func, &switches, number, args);
  });
}

}  // namespace uir::runtime
