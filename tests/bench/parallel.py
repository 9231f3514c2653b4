"""Parallel loops: what it costs to run one, and what a second thread gains.

Prints, in microseconds and against OpenMP of the same compiler, `pool.fork_join`, a loop of two
iterations that 2 threads run at the same time, and `pool.empty`, one that has nothing to do, where
the caller waits for no thread; then `pool.add.4m`, the milliseconds of a sum of 4 million floats on
2 threads, against 1.
Each is measured in processes of their own, as a process has one pool; times are those of the clock,
the least of several rounds.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import tvm_ffi
from report import report
from tvm_ffi import libinfo

from uir import script, transform
from uir.ir import IRModule
from uir.target import Target, emit_c

COUNT, ROUNDS, TURNS = 4_000_000, 30, 5_000
PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def add(A: tir.Buffer((n,), "float32"), B: tir.Buffer((n,), "float32"),
            C: tir.Buffer((n,), "float32")):
        n = tir.SizeVar("n", "int64")
        for i in tir.parallel(n):
            C[i] = A[i] + B[i]
"""
LOOPS = """
#include <omp.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static int32_t nothing(void* captures, int64_t begin, int64_t extent) { return 0; }

// Returns when the other thread is here too.
static int32_t meet(void* arrived, int64_t begin, int64_t extent) {
  __atomic_fetch_add((int*)arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n((int*)arrived, __ATOMIC_ACQUIRE) % 2 != 0) pool_relax();
  return 0;
}

double pool_seconds(int turns, int is_meeting) {
  int arrived = 0;
  const double start = now();
  for (int i = 0; i < turns; ++i) parallel_for(is_meeting ? meet : nothing, &arrived, 0, 2);
  return (now() - start) / turns;
}

double openmp_seconds(int turns, int is_meeting) {
  int arrived = 0;
  const double start = now();
  for (int i = 0; i < turns; ++i) {
#pragma omp parallel for num_threads(2) schedule(static)
    for (int part = 0; part < 2; ++part) (is_meeting ? meet : nothing)(&arrived, part, 1);
  }
  return (now() - start) / turns;
}
"""


def build(folder: Path) -> Path:
    """Compile the program and the loops."""
    module = script.parse(PROGRAM)
    assert isinstance(module, IRModule)
    text = emit_c(transform.LowerParallel()(transform.FlattenBuffer()(module)), Target())
    (folder / "kernels.c").write_text(text + LOOPS)
    ffi = Path(libinfo.find_libtvm_ffi())
    command = ["cc", "-std=gnu11", "-O2", "-march=native", "-fwrapv", "-fno-strict-aliasing"]
    command += ["-fPIC", "-shared", "-fopenmp", "kernels.c", "-o", "kernels.so"]
    command += [f"-L{ffi.parent}", f"-l:{ffi.name}", f"-Wl,-rpath,{ffi.parent}", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "kernels.so"


def seconds_of_add(library: Path) -> float:
    """Add in this process, and check the sum."""
    add = tvm_ffi.load_module(str(library))["add"]
    a, b = np.random.default_rng(0).random((2, COUNT), dtype="float32")
    c = np.zeros_like(a)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        add(a, b, c)
        times.append(time.perf_counter() - start)
    assert np.array_equal(c, a + b)
    return min(times)


def seconds_of_loop(library: Path, what: str) -> float:
    """Run loops of two iterations in this process, of a side, that meet or are empty."""
    side, kind = what.split(".")
    run = ctypes.CDLL(str(library))[f"{side}_seconds"]
    run.restype = ctypes.c_double
    return min(run(TURNS, kind == "fork_join") for _ in range(ROUNDS))


def measured(library: Path, what: str, num_threads: int) -> float:
    """Measure in a new process with a number of threads; return seconds."""
    command = [sys.executable, __file__, str(library), what]
    environment = {**os.environ, "UIR_NUM_THREADS": str(num_threads)}
    return float(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)


def main() -> None:
    """Print the figures, or one of them in a process of its own."""
    if len(sys.argv) == 3:
        library, what = Path(sys.argv[1]), sys.argv[2]
        print(seconds_of_add(library) if what == "add" else seconds_of_loop(library, what))
        return
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        for kind in ("fork_join", "empty"):
            sides = [f"{side}.{kind}" for side in ("pool", "openmp")]
            loops = [1e6 * measured(library, what, 2) for what in sides]
            report(f"pool.{kind}", *loops, "us")
        sums = [1e3 * measured(library, "add", count) for count in (2, 1)]
        report("pool.add.4m", *sums, "ms")


if __name__ == "__main__":
    main()
