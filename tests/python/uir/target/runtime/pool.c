// Loops on threads: every iteration runs once, the first error is the error, and runs may nest.
//
// In: UIR_NUM_THREADS. It stands on tvm-ffi, which keeps errors and the global function of the
// pool.
#include "uir/target/runtime/pool.c"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                            \
  do {                                                              \
    if (condition) break;                                           \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    exit(1);                                                        \
  } while (false)

enum { kExtent = 10000 };

typedef struct {
  int64_t counts[kExtent];
  int64_t fails_from;
} Loop;

static int32_t count(void* captures, int64_t begin, int64_t extent) {
  Loop* loop = captures;
  for (int64_t i = begin; i < begin + extent; ++i) {
    if (i >= loop->fails_from) return fail("ValueError", "iteration %lld", (long long)i);
    ++loop->counts[i];
  }
  return 0;
}

static void check_each_runs_once(void) {
  static Loop loop = {.fails_from = kExtent};
  for (int64_t extent = 0; extent <= kExtent; extent = extent * 7 + 1) {
    memset(loop.counts, 0, sizeof(loop.counts));
    CHECK(parallel_for(count, &loop, 0, extent) == 0);
    for (int64_t i = 0; i < kExtent; ++i) CHECK(loop.counts[i] == (i < extent));
  }
  memset(loop.counts, 0, sizeof(loop.counts));
  CHECK(parallel_for(count, &loop, 1000, 9) == 0);
  CHECK(loop.counts[999] == 0 && loop.counts[1000] == 1 && loop.counts[1009] == 0);
}

// The header of objects of tvm-ffi, and how their errors begin.
typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray kind;
  TVMFFIByteArray message;
} Error;

static void check_the_first_error_is_raised(void) {
  static Loop loop = {.fails_from = 10};
  for (int i = 0; i < 100; ++i) {
    CHECK(parallel_for(count, &loop, 0, kExtent) != 0);
    void* raised = NULL;
    TVMFFIErrorMoveFromRaised(&raised);
    CHECK(raised != NULL && strcmp(((Error*)raised)->message.data, "iteration 10") == 0);
    TVMFFIObjectDecRef(raised);
  }
  loop.fails_from = kExtent;
  CHECK(parallel_for(count, &loop, 0, kExtent) == 0);
}

static int32_t count_rows(void* captures, int64_t begin, int64_t extent) {
  Loop* loops = captures;
  for (int64_t i = begin; i < begin + extent; ++i) {
    if (parallel_for(count, &loops[i], 0, kExtent) != 0) return -1;
  }
  return 0;
}

static void check_runs_nest(void) {
  static Loop loops[8];
  for (int i = 0; i < 8; ++i) loops[i].fails_from = kExtent;
  CHECK(parallel_for(count_rows, loops, 0, 8) == 0);
  for (int i = 0; i < 8 * kExtent; ++i) CHECK(loops[i / kExtent].counts[i % kExtent] == 1);
}

static void* run_often(void* loop) {
  for (int i = 0; i < 50; ++i) CHECK(parallel_for(count, loop, 0, kExtent) == 0);
  return NULL;
}

static void check_threads_run_at_once(void) {
  static Loop loops[3];
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) {
    loops[i].fails_from = kExtent;
    CHECK(pthread_create(&threads[i], NULL, run_often, &loops[i]) == 0);
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 3 * kExtent; ++i) CHECK(loops[i / kExtent].counts[i % kExtent] == 50);
}

static int32_t ask_pool(int64_t num_threads, int64_t* found) {
  const TVMFFIAny arg = {.type_index = kInt, .v_int64 = num_threads};
  TVMFFIAny result = {.type_index = kNone};
  const int32_t status = pool_num_threads(NULL, &arg, num_threads < 0 ? 0 : 1, &result);
  *found = result.v_int64;
  return status;
}

static void check_the_number_of_threads_changes(void) {
  static Loop loop = {.fails_from = kExtent};
  int64_t found = 0;
  CHECK(ask_pool(-1, &found) == 0 && found == 3);
  for (int64_t turn = 1; turn <= 40; ++turn) {
    const int64_t wanted = turn % 5 + 1;
    CHECK(ask_pool(wanted, &found) == 0 && found == wanted);
    CHECK(parallel_for(count, &loop, 0, kExtent) == 0);
    CHECK(pool.num_used <= 5);
    for (int64_t i = 0; i < kExtent; ++i) CHECK(loop.counts[i] == turn);
  }
  CHECK(ask_pool(0, &found) != 0);
  CHECK(ask_pool(-1, &found) == 0 && found == 1);
  CHECK(ask_pool(3, &found) == 0);
}

int main(void) {
  check_each_runs_once();
  check_the_first_error_is_raised();
  check_runs_nest();
  check_threads_run_at_once();
  check_the_number_of_threads_changes();
  puts("done");
}
