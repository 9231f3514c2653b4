// The threads of the process, and loops on them.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#define _GNU_SOURCE 1
#define SHARED static
#include "./cores.c"
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
  int32_t num_wanted;   // threads of a run with the caller; 0 until it is known
  bool is_chosen;       // whether the program has set it
  bool is_counted;      // whether it is the number of cores, which may change
  int64_t counted_at;   // the second in which they were counted
  int32_t worker;       // the first worker, as Linux numbers threads; 0 before it runs
  int32_t num_started;  // with the caller; 0 before the first run, and in a forked process
  int32_t num_used;     // by the run: workers have the numbers from 1
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

// Enters the open run if it is not the last one of this worker, and not for fewer threads.
static bool pool_enter(int32_t worker, uint32_t* last) {
  uint64_t state = __atomic_load_n(&pool.state, __ATOMIC_SEQ_CST);
  while ((state & kPoolOpen) != 0 && (uint32_t)(state >> 32) != *last) {
    if (worker >= __atomic_load_n(&pool.num_used, __ATOMIC_RELAXED)) return false;
    if (__atomic_compare_exchange_n(&pool.state, &state, state + 1, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      *last = (uint32_t)(state >> 32);
      return true;
    }
  }
  return false;
}

static void pool_wait(int32_t worker, uint32_t* last) {
  for (int i = 0; i < kPoolSpins; ++i) {
    if (pool_enter(worker, last)) return;
    pool_relax();
  }
  for (;;) {
    const int32_t wakes = __atomic_load_n(&pool.wakes, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&pool.num_parked, 1, __ATOMIC_SEQ_CST);
    // Who opens a run looks for parked workers afterwards.
    const bool is_entered = pool_enter(worker, last);
    if (!is_entered) pool_park(wakes);
    __atomic_fetch_sub(&pool.num_parked, 1, __ATOMIC_SEQ_CST);
    if (is_entered) return;
  }
}

static void* pool_work(void* number) {
  pool_is_inside = true;
#ifdef __linux__
  if ((intptr_t)number == 1) {
    __atomic_store_n(&pool.worker, (int32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
  }
#endif
  for (uint32_t last = 0;;) {
    pool_wait((int32_t)(intptr_t)number, &last);
    pool_run_parts();
    __atomic_fetch_sub(&pool.state, 1, __ATOMIC_SEQ_CST);
  }
  return number;
}

//! helper pool_num_threads: pool_state num_cores
//! in the first unit
#include <time.h>

static int64_t pool_second(void) {
#ifdef CLOCK_MONOTONIC_COARSE
  const clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec;
}

static int32_t pool_num_cores(void) {
  __atomic_store_n(&pool.counted_at, pool_second(), __ATOMIC_RELAXED);
  // A program may bind its own threads to one core each, so the workers' affinity counts.
  const int32_t cores = num_cores(__atomic_load_n(&pool.worker, __ATOMIC_RELAXED));
  return cores < kPoolMaxThreads ? cores : kPoolMaxThreads;
}

static int32_t pool_read_num_threads(int32_t* num_threads) {
  const char* text = getenv("UIR_NUM_THREADS");
  if (text == NULL || *text == 0) {
    const char* others = getenv("OMP_NUM_THREADS");
    const long wanted = others == NULL ? 0 : strtol(others, NULL, 10);
    pool.is_counted = wanted < 1 || wanted > kPoolMaxThreads;
    *num_threads = pool.is_counted ? pool_num_cores() : (int32_t)wanted;
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

// Whether the cores are to be counted: at most once a second, as affinities and quotas change.
static bool pool_counts_cores(void) {
  return pool.is_counted && !pool.is_chosen &&
         __atomic_load_n(&pool.counted_at, __ATOMIC_RELAXED) != pool_second();
}

// The number of threads of a run; read when it is first asked for.
static int32_t pool_get_num_threads(int32_t* num_threads) {
  int32_t known = __atomic_load_n(&pool.num_wanted, __ATOMIC_RELAXED);
  *num_threads = known;
  if (known != 0 && !pool_counts_cores()) return 0;
  if (known != 0) {
    *num_threads = pool_num_cores();
  } else if (pool_read_num_threads(num_threads) != 0) {
    return -1;
  }
  // Who sets it meanwhile wins.
  if (!__atomic_compare_exchange_n(&pool.num_wanted, &known, *num_threads, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED)) {
    *num_threads = known;
  }
  return 0;
}

// Sets the number of threads of later runs.
static int32_t pool_set_num_threads(int64_t num_threads) {
  if (num_threads < 1 || num_threads > kPoolMaxThreads) {
    return fail("ValueError", "the number of threads must be from 1 to %d, got %lld",
                kPoolMaxThreads, (long long)num_threads);
  }
  pool.is_chosen = true;
  __atomic_store_n(&pool.num_wanted, (int32_t)num_threads, __ATOMIC_RELAXED);
  return 0;
}

//! helper pool_start: pool_worker pool_num_threads
//! in the first unit
#include <signal.h>

// A forked process has only the thread that forked; it starts its own ones.
static void pool_forget_workers(void) {
  pthread_mutex_init(&pool.error_lock, NULL);
  pool.state = 0;
  pool.num_parked = 0;
  pool.num_started = 0;
  pool.worker = 0;
  pool.is_busy = 0;
  if (!pool.is_chosen) pool.num_wanted = 0;
}

// Starts the workers that a run of so many threads lacks. Where no more are to be had, the rest
// does their work.
static void pool_start_workers(int32_t num_threads) {
  static bool is_watching_forks;
  if (!is_watching_forks) pthread_atfork(NULL, NULL, pool_forget_workers);
  is_watching_forks = true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the threads of the program
  if (pool.num_started == 0) pool.num_started = 1;
  for (pthread_t thread; pool.num_started < num_threads; ++pool.num_started) {
    if (pthread_create(&thread, NULL, pool_work, (void*)(intptr_t)pool.num_started) != 0) break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
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

// `uir.pool.v2`: runs iterations on several threads. A run inside of another one, and one while
// another thread has a run, is serial: the cores are busy, and to wait might be to wait
// for oneself.
static int32_t run_in_pool(RunIterations run, void* captures, int64_t begin, int64_t extent) {
  if (extent <= 1 || pool_is_inside ||
      __atomic_exchange_n(&pool.is_busy, 1, __ATOMIC_ACQUIRE) != 0) {
    return run(captures, begin, extent);
  }
  int32_t num_threads = 1;
  int32_t status = pool_get_num_threads(&num_threads);
  if (status == 0 && pool.num_started < num_threads) pool_start_workers(num_threads);
  if (num_threads > pool.num_started) num_threads = pool.num_started;
  if (status == 0 && num_threads == 1) {
    status = run(captures, begin, extent);
  } else if (status == 0) {
    const int64_t num_parts = num_threads * kPoolPartsPerThread;
    __atomic_store_n(&pool.num_used, num_threads, __ATOMIC_RELAXED);
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

// `uir.pool.num_threads`: returns the number of threads, after it has set the argument, if any.
static int32_t pool_num_threads(void* self, const TVMFFIAny* args, int32_t num_args,
                                TVMFFIAny* result) {
  (void)self;
  int32_t num_threads = 0;
  if (num_args > 0 && args[0].type_index != kInt) {
    return fail("TypeError", "the number of threads must be an integer");
  }
  if (num_args > 0 && pool_set_num_threads(args[0].v_int64) != 0) return -1;
  if (pool_get_num_threads(&num_threads) != 0) return -1;
  *result = (TVMFFIAny){.type_index = kInt, .v_int64 = num_threads};
  return 0;
}

// Registers a function, unless another library was faster.
static int32_t pool_register(const TVMFFIByteArray* name,
                             int32_t (*call)(void*, const TVMFFIAny*, int32_t, TVMFFIAny*)) {
  void* function = NULL;
  if (TVMFFIFunctionCreate(NULL, call, NULL, &function) != 0) return -1;
  if (TVMFFIFunctionSetGlobal(name, function, 0) != 0) {
    void* error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    TVMFFIObjectDecRef(error);
  }
  TVMFFIObjectDecRef(function);
  return 0;
}

// Makes the pool of this library that of the process. Threads run its code, so that it stays
// loaded, as the program itself does, which `dlopen` does not find.
static int32_t pool_offer(const TVMFFIByteArray* name) {
  static const TVMFFIByteArray num_threads = {"uir.pool.num_threads", 20};
  Dl_info library;
  if (dladdr((void*)pool_get, &library) != 0) {
    dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
  return pool_register(name, pool_get) != 0 ? -1 : pool_register(&num_threads, pool_num_threads);
}

static int32_t pool_find(ParallelFor* found) {
  static const TVMFFIByteArray name = {"uir.pool.v2", 11};
  void* function = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0) return -1;
  if (function == NULL) {
    if (pool_offer(&name) != 0 || TVMFFIFunctionGetGlobal(&name, &function) != 0) return -1;
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
  if (pool_found == NULL) return fail("RuntimeError", "tvm-ffi has no `%s`", "uir.pool.v2");
  return pool_found(run, captures, begin, extent);
}
