// The threads of the process, and loops on them.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#define _GNU_SOURCE 1
#define SHARED static
#include "./output.c"

//! helper run_on_threads
// Runs iterations with their captures; returns 0, or -1 with the error of tvm-ffi set.
typedef int32_t (*RunIterations)(void* captures, int64_t begin, int64_t extent);

// Runs iterations on the threads of the process.
SHARED int32_t parallel_for(RunIterations run, void* captures, int64_t begin, int64_t extent);

//! helper pool_state: tvm_ffi fail run_on_threads
//! in the first unit
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

// Threads for loops: one pool for all libraries of the process. A run has more parts than threads.
// Each thread takes the next one until none is left, and a thread that sleeps is not waited for.

enum { kPoolMaxThreads = 1024, kPoolPartsPerThread = 4, kPoolSpins = 4000 };

static struct {
  // The number of the run in the upper half, whether it is open, and the workers that are in it.
  _Alignas(64) uint64_t state;
  int32_t wakes;  // changes when workers that are parked shall look at the state
  int32_t num_parked;
  _Alignas(64) int64_t next_part;
  // The run. It changes only while no worker can be in one.
  _Alignas(64) RunIterations run;
  void* captures;
  int64_t begin;
  int64_t extent;
  int64_t num_parts;
  // The first part that failed, else their number, and its error.
  pthread_mutex_t error_lock;
  int64_t failed_part;
  void* error;
  // Only one run at a time has workers.
  int32_t is_busy;
  int32_t num_threads;  // with the caller; 0 before the first run, and in a forked process
} pool = {.error_lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool pool_is_inside;

static const uint64_t kPoolOpen = (uint64_t)1 << 31;

static inline void pool_relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

//! helper pool_park: pool_state
//! in the first unit
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>

static void pool_park(int32_t wakes) {
  syscall(SYS_futex, &pool.wakes, FUTEX_WAIT_PRIVATE, wakes, NULL, NULL, 0);
}

static void pool_wake(void) {
  __atomic_fetch_add(&pool.wakes, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &pool.wakes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
#else
static pthread_mutex_t pool_park_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_park_changed = PTHREAD_COND_INITIALIZER;

static void pool_park(int32_t wakes) {
  pthread_mutex_lock(&pool_park_lock);
  while (pool.wakes == wakes) pthread_cond_wait(&pool_park_changed, &pool_park_lock);
  pthread_mutex_unlock(&pool_park_lock);
}

static void pool_wake(void) {
  pthread_mutex_lock(&pool_park_lock);
  __atomic_fetch_add(&pool.wakes, 1, __ATOMIC_SEQ_CST);
  pthread_cond_broadcast(&pool_park_changed);
  pthread_mutex_unlock(&pool_park_lock);
}
#endif

//! helper pool_worker: pool_park
//! in the first unit
extern void TVMFFIErrorMoveFromRaised(void** error);
extern void TVMFFIErrorSetRaised(void* error);
extern int TVMFFIObjectDecRef(void* object);

// Takes the error of this thread to the run, unless an earlier part failed.
static void pool_keep_error(int64_t part) {
  void* error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  pthread_mutex_lock(&pool.error_lock);
  if (part < pool.failed_part) {
    void* later = pool.error;
    pool.error = error;
    pool.failed_part = part;
    error = later;
  }
  pthread_mutex_unlock(&pool.error_lock);
  if (error != NULL) TVMFFIObjectDecRef(error);
  // No further part begins; those before this one have begun.
  __atomic_store_n(&pool.next_part, pool.num_parts, __ATOMIC_RELAXED);
}

static void pool_run_parts(void) {
  const int64_t size = pool.extent / pool.num_parts, rest = pool.extent % pool.num_parts;
  for (;;) {
    const int64_t part = __atomic_fetch_add(&pool.next_part, 1, __ATOMIC_RELAXED);
    if (part >= pool.num_parts) return;
    const int64_t begin = pool.begin + part * size + (part < rest ? part : rest);
    if (pool.run(pool.captures, begin, size + (part < rest)) != 0) pool_keep_error(part);
  }
}

// Enters the open run if it is not the last one of this worker.
static bool pool_enter(uint32_t* last) {
  uint64_t state = __atomic_load_n(&pool.state, __ATOMIC_SEQ_CST);
  while ((state & kPoolOpen) != 0 && (uint32_t)(state >> 32) != *last) {
    if (__atomic_compare_exchange_n(&pool.state, &state, state + 1, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      *last = (uint32_t)(state >> 32);
      return true;
    }
  }
  return false;
}

static void pool_wait(uint32_t* last) {
  for (int i = 0; i < kPoolSpins; ++i) {
    if (pool_enter(last)) return;
    pool_relax();
  }
  for (;;) {
    const int32_t wakes = __atomic_load_n(&pool.wakes, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&pool.num_parked, 1, __ATOMIC_SEQ_CST);
    // Who opens a run looks for parked workers afterwards.
    const bool is_entered = pool_enter(last);
    if (!is_entered) pool_park(wakes);
    __atomic_fetch_sub(&pool.num_parked, 1, __ATOMIC_SEQ_CST);
    if (is_entered) return;
  }
}

static void* pool_work(void* unused) {
  pool_is_inside = true;
  for (uint32_t last = 0;;) {
    pool_wait(&last);
    pool_run_parts();
    __atomic_fetch_sub(&pool.state, 1, __ATOMIC_SEQ_CST);
  }
  return unused;
}

//! helper pool_start: pool_worker
//! in the first unit
#include <signal.h>
#include <stdio.h>

static int32_t pool_num_cores(void) {
#ifdef __linux__
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return CPU_COUNT(&cores);
#endif
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > kPoolMaxThreads ? kPoolMaxThreads : (int32_t)count;
}

// The cores whose time a container may use, of those that the process may run on.
static int32_t pool_num_usable_cores(void) {
  const int32_t cores = pool_num_cores();
  long long quota = 0, period = 0;
  FILE* limit = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (limit == NULL) return cores;
  // Without a limit, the first word is not a number.
  const bool is_limited = fscanf(limit, "%lld %lld", &quota, &period) == 2;
  fclose(limit);
  if (!is_limited || quota < 1 || period < 1 || quota / period >= cores) return cores;
  return (int32_t)((quota + period - 1) / period);
}

static int32_t pool_read_num_threads(int32_t* num_threads) {
  const char* text = getenv("UIR_NUM_THREADS");
  if (text == NULL || *text == 0) {
    const char* others = getenv("OMP_NUM_THREADS");
    const long wanted = others == NULL ? 0 : strtol(others, NULL, 10);
    *num_threads =
        wanted >= 1 && wanted <= kPoolMaxThreads ? (int32_t)wanted : pool_num_usable_cores();
    return 0;
  }
  char* end = NULL;
  const long count = strtol(text, &end, 10);
  if (*end != 0 || count < 1 || count > kPoolMaxThreads) {
    return fail("ValueError", "`UIR_NUM_THREADS` must be a number from 1 to %d, got `%.40s`",
                kPoolMaxThreads, text);
  }
  *num_threads = (int32_t)count;
  return 0;
}

// A forked process has only the thread that forked; it starts its own ones.
static void pool_forget_workers(void) {
  pthread_mutex_init(&pool.error_lock, NULL);
  pool.state = 0;
  pool.num_parked = 0;
  pool.num_threads = 0;
  pool.is_busy = 0;
}

// Starts the workers. Where no more are to be had, the rest does their work.
static int32_t pool_start_workers(void) {
  static bool is_watching_forks;
  int32_t num_threads = 1;
  if (pool_read_num_threads(&num_threads) != 0) return -1;
  if (!is_watching_forks) pthread_atfork(NULL, NULL, pool_forget_workers);
  is_watching_forks = true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the threads of the program
  pool.num_threads = 1;
  for (pthread_t thread; pool.num_threads < num_threads; ++pool.num_threads) {
    if (pthread_create(&thread, NULL, pool_work, NULL) != 0) break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return 0;
}

//! helper pool_run: pool_start
//! in the first unit
// Runs the parts on all threads, and returns when all are done.
static int32_t pool_run_together(void) {
  const uint64_t number = (__atomic_load_n(&pool.state, __ATOMIC_SEQ_CST) >> 32) + 1;
  __atomic_store_n(&pool.state, number << 32 | kPoolOpen, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&pool.num_parked, __ATOMIC_SEQ_CST) != 0) pool_wake();
  pool_is_inside = true;
  pool_run_parts();
  pool_is_inside = false;
  uint64_t state = __atomic_and_fetch(&pool.state, ~kPoolOpen, __ATOMIC_SEQ_CST);
  for (int i = 0; (uint32_t)state != 0; ++i) {
    i < kPoolSpins ? pool_relax() : (void)sched_yield();
    state = __atomic_load_n(&pool.state, __ATOMIC_SEQ_CST);
  }
  if (pool.failed_part == pool.num_parts) return 0;
  TVMFFIErrorSetRaised(pool.error);
  TVMFFIObjectDecRef(pool.error);
  pool.error = NULL;
  return -1;
}

// `uir.pool.v1`: runs iterations on several threads. A run inside of another one, and one while
// another thread has a run, is serial: the cores are busy, and to wait might be to wait
// for oneself.
static int32_t run_in_pool(RunIterations run, void* captures, int64_t begin, int64_t extent) {
  if (extent <= 1 || pool_is_inside ||
      __atomic_exchange_n(&pool.is_busy, 1, __ATOMIC_ACQUIRE) != 0) {
    return run(captures, begin, extent);
  }
  int32_t status = pool.num_threads == 0 ? pool_start_workers() : 0;
  if (status == 0 && pool.num_threads == 1) {
    status = run(captures, begin, extent);
  } else if (status == 0) {
    const int64_t num_parts = pool.num_threads * kPoolPartsPerThread;
    pool.run = run;
    pool.captures = captures;
    pool.begin = begin;
    pool.extent = extent;
    pool.num_parts = extent < num_parts ? extent : num_parts;
    pool.failed_part = pool.num_parts;
    pool.next_part = 0;
    status = pool_run_together();
  }
  __atomic_store_n(&pool.is_busy, 0, __ATOMIC_RELEASE);
  return status;
}

//! helper parallel_for: tvm_ffi_calls pool_run
//! in the first unit
#include <dlfcn.h>

typedef int32_t (*ParallelFor)(RunIterations, void*, int64_t, int64_t);

extern int TVMFFIFunctionCreate(void* self,
                                int32_t (*call)(void*, const TVMFFIAny*, int32_t, TVMFFIAny*),
                                void (*deleter)(void*), void** function);
extern int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, void* function, int override);

static int32_t pool_get(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kPointer, .v_ptr = (void*)run_in_pool};
  return 0;
}

// Registers the pool of this library, unless another one was faster. Threads run its code, so that
// it stays loaded, as the program itself does, which `dlopen` does not find.
static int32_t pool_register(const TVMFFIByteArray* name) {
  Dl_info library;
  if (dladdr((void*)pool_get, &library) != 0) {
    dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
  void* function = NULL;
  if (TVMFFIFunctionCreate(NULL, pool_get, NULL, &function) != 0) return -1;
  if (TVMFFIFunctionSetGlobal(name, function, 0) != 0) {
    void* error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    TVMFFIObjectDecRef(error);
  }
  TVMFFIObjectDecRef(function);
  return 0;
}

static int32_t pool_find(ParallelFor* found) {
  static const TVMFFIByteArray name = {"uir.pool.v1", 11};
  void* function = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0) return -1;
  if (function == NULL) {
    if (pool_register(&name) != 0 || TVMFFIFunctionGetGlobal(&name, &function) != 0) return -1;
  }
  TVMFFIAny result = {.type_index = kNone};
  const int status = TVMFFIFunctionCall(function, NULL, 0, &result);
  TVMFFIObjectDecRef(function);
  *found = (ParallelFor)result.v_ptr;
  return status;
}

static ParallelFor pool_found;

// tvm-ffi's table of functions has no lock: the pool is looked up while the library is loaded.
__attribute__((constructor)) static void pool_find_at_load(void) {
  if (pool_find(&pool_found) == 0) return;
  void* error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIObjectDecRef(error);
}

SHARED int32_t parallel_for(RunIterations run, void* captures, int64_t begin, int64_t extent) {
  if (pool_found == NULL) return fail("RuntimeError", "tvm-ffi has no `%s`", "uir.pool.v1");
  return pool_found(run, captures, begin, extent);
}
