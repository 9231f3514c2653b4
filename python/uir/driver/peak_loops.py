"""The C of two loops that do one thing as fast as the machine can.

`arithmetic` keeps sums in registers, and multiplies and adds. `memory` reads an array that caches
do not hold. Both return a rate, for one thread.
"""

from __future__ import annotations

__all__ = ["PEAK_LOOPS"]

FEW, MANY = 12, 24
"""Sums for machines with 16 and 32 vector registers, which hide the latency of an addition."""

READS = 8


def _lines(form: str, begin: int, end: int) -> str:
    return " ".join(form.format(place) for place in range(begin, end))


def _by_registers(form: str) -> str:
    return f"{_lines(form, 0, FEW)}\n#if REGISTERS == 32\n{_lines(form, FEW, MANY)}\n#endif"


PEAK_LOOPS = f"""
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef struct {{ int32_t type_index; uint32_t pad; union {{ int64_t i; double d; }} v; }} Any;

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
#if defined(__AVX512F__) || defined(__aarch64__)
#define REGISTERS 32
#define SUMS {MANY}
#else
#define REGISTERS 16
#define SUMS {FEW}
#endif

typedef float floats __attribute__((vector_size(BYTES)));
typedef int64_t words __attribute__((vector_size(BYTES)));

static volatile float factor = 0.5f, term = 1.0f, sink;
static volatile int64_t word_sink;

/* Time of this thread alone: other work of the machine does not count. */
static double now(void) {{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}}

static int give(Any* result, double rate) {{
  result->type_index = 3;
  result->v.d = rate;
  return 0;
}}

/* Operations a second; the argument is how long to count, in seconds. */
int __tvm_ffi_arithmetic(void* self, const Any* args, int32_t count, Any* result) {{
  const int64_t steps = 20000;
  const floats a = (floats){{0}} + factor, b = (floats){{0}} + term;
  {_by_registers("floats s{0} = b * (float){0};")}
  const double start = now();
  double time;
  int64_t rounds = 0;
  do {{
    for (int64_t i = 0; i < steps; ++i) {{
      {_by_registers("s{0} = s{0} * a + b;")}
    }}
    ++rounds;
    time = now() - start;
  }} while (time < args[0].v.d);
  floats sum = b;
  {_by_registers("sum += s{0};")}
  sink = sum[0];
  return give(result, (double)(rounds * steps) * SUMS * (BYTES / 4) * 2 / time);
}}

/* Bytes a second in the fastest pass; the arguments are the bytes to read, and how often. -1
   without the memory. */
int __tvm_ffi_memory(void* self, const Any* args, int32_t count, Any* result) {{
  const int64_t vectors = args[0].v.i / BYTES / {READS} * {READS}, passes = args[1].v.i;
  words* array = aligned_alloc(BYTES, (size_t)(vectors * BYTES));
  if (array == NULL) return give(result, -1);
  /* Pages that were never written to may share one page of zeros. */
  for (int64_t i = 0; i < vectors; ++i) array[i] = (words){{0}} + i;
  {_lines("words s{0} = {{0}};", 0, READS)}
  double least = 1e30;
  for (int64_t pass = 0; pass < passes; ++pass) {{
    const double start = now();
    for (int64_t i = 0; i < vectors; i += {READS}) {{
      {_lines("s{0} ^= array[i + {0}];", 0, READS)}
    }}
    {_lines("word_sink = s{0}[0];", 0, READS)}
    const double time = now() - start;
    least = time < least ? time : least;
  }}
  free(array);
  return give(result, (double)(vectors * BYTES) / least);
}}
"""
