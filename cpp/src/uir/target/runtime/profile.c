// The time of kernels, while a profiler listens.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "./entry.c"

//! helper profile_kernel: tvm_ffi raise_error
#include <time.h>

// The time of kernels, which costs a load and a branch while no profiler listens.
typedef struct {
  const char* name;
  const char* source;
} Kernel;

// What gets a call of a kernel: its begin and end in nanoseconds, operations and bytes.
typedef void (*TakeCall)(const Kernel* kernel, const int64_t* numbers);

// One for all objects that are linked into a library.
__attribute__((visibility("hidden"), weak)) TakeCall profile_take;
__attribute__((visibility("hidden"), weak)) int64_t num_profilers;

typedef struct {
  const Kernel* kernel;
  int64_t begin;  // 0 if no profiler listens
  int64_t flops;
  int64_t bytes;
} KernelCall;

static int64_t profile_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t profile_begin(void) {
  return __builtin_expect(__atomic_load_n(&num_profilers, __ATOMIC_ACQUIRE) == 0, 1)
             ? 0
             : profile_clock();
}

__attribute__((noinline, cold)) static void profile_report(const Kernel* kernel, int64_t begin,
                                                           int64_t flops, int64_t bytes) {
  const int64_t numbers[] = {begin, profile_clock(), flops, bytes};
  profile_take(kernel, numbers);
}

static inline void profile_end(const KernelCall* call) {
  if (__builtin_expect(call->begin == 0, 1)) return;
  profile_report(call->kernel, call->begin, call->flops, call->bytes);
}

// Times the function that it stands in, however that ends.
#define profile_kernel(name, source, flops, bytes) \
  static const Kernel _kernel = {name, source};    \
  __attribute__((cleanup(profile_end), unused))    \
  const KernelCall _call = {&_kernel, profile_begin(), flops, bytes}

// Begins to report the calls of kernels to a function, or ends that with None.
__attribute__((weak)) ENTRY __tvm_ffi_uir_profile_v1(void* self, const TVMFFIAny* args,
                                                     int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)result;
  if (num_args != 1 || (args[0].type_index != kNone && args[0].type_index != kPointer)) {
    return raise_error("TypeError", "uir_profile_v1: expected a pointer or None");
  }
  if (args[0].type_index == kPointer) {
    __atomic_store_n(&profile_take, (TakeCall)args[0].v_ptr, __ATOMIC_RELEASE);
    __atomic_fetch_add(&num_profilers, 1, __ATOMIC_ACQ_REL);
  } else {
    __atomic_fetch_sub(&num_profilers, 1, __ATOMIC_ACQ_REL);
  }
  return 0;
}
