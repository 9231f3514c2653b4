"""Several callers at once: what their sum is worth, and how long the slowest call takes.

Prints, for a product of two matrices of 384 x 384 on all threads that the process has:

- `threads.callers.<n>`: calls per second of `n` threads of one process, against one thread;
- `threads.libraries.2`: of two threads that call a library each;
- `threads.processes.2`: of two processes, each with all threads, against one process;
- `threads.latency.<n>`: the slowest call of `n` callers, against three times their mean;
- `threads.memory.resident`: resident memory after 2,000 calls of two products with a random number
  of rows, against that after the first 100; `threads.memory.peak`: how far memory grows in the
  largest of these calls, against 1.3 times the bytes of the first product and of the result.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from report import report

import uir

SECONDS = 2.0
SIZE = 384
PROGRAM = f"""
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor(({SIZE}, {SIZE}), "float32"),
             y: relay.Tensor(({SIZE}, {SIZE}), "float32")):
        return relay.matmul(x, y)
"""
CALLS, FIRST, LARGEST = 2000, 100, 20_000
CHAIN = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 256), "float32"), w: relay.Tensor((256, 256), "float32")):
        n = tir.SizeVar("n", "int64")
        y = relay.relu(relay.matmul(x, w))
        return relay.matmul(y, w)
"""


class Calls(NamedTuple):
    """What callers did: calls in each second, and the longest and mean time of a call."""

    per_second: float
    longest: float
    mean: float


class Caller(threading.Thread):
    """Calls a function until it is told to stop, and checks each result."""

    def __init__(self, function: Any, start: threading.Barrier) -> None:
        super().__init__()
        self.function, self.begin, self.is_stopped = function, start, False
        numbers = np.random.default_rng(0)
        self.operands = numbers.standard_normal((2, SIZE, SIZE), np.float32)
        self.times: list[float] = []

    def run(self) -> None:
        x, y = self.operands
        expected = np.from_dlpack(self.function(x, y)).tobytes()
        self.begin.wait()
        while not self.is_stopped:
            start = time.perf_counter()
            found = self.function(x, y)
            self.times.append(time.perf_counter() - start)
            if len(self.times) % 64 == 0 and np.from_dlpack(found).tobytes() != expected:
                raise AssertionError("a call beside others has other bits")


def run_callers(functions: list[Any], seconds: float = SECONDS) -> Calls:
    """Call each function in a thread of its own."""
    barrier = threading.Barrier(len(functions) + 1)
    callers = [Caller(function, barrier) for function in functions]
    for caller in callers:
        caller.start()
    barrier.wait()
    start = time.perf_counter()
    time.sleep(seconds)
    for caller in callers:
        caller.is_stopped = True
    for caller in callers:
        caller.join()
    elapsed = time.perf_counter() - start
    times = [one for caller in callers for one in caller.times]
    return Calls(len(times) / elapsed, max(times), sum(times) / len(times))


def product() -> Any:
    """Return the product from a library of its own."""
    return uir.build(uir.script.parse(PROGRAM))["main"]


def measure_callers() -> None:
    """Print the rows of the callers of one process."""
    function = product()
    for count in (2, 4):
        alone, together = run_callers([function]), run_callers([function] * count)
        report(f"threads.callers.{count}", together.per_second, alone.per_second, "calls/s",
               more_is_better=True)  # fmt: skip
        report(f"threads.latency.{count}", together.longest * 1e3, together.mean * 3e3, "ms")
    alone, together = run_callers([function]), run_callers([function, product()])
    report("threads.libraries.2", together.per_second, alone.per_second, "calls/s",
           more_is_better=True)  # fmt: skip


def measure_processes() -> None:
    """Print the row of two processes."""
    rates = []
    for count in (1, 2):
        command = [sys.executable, __file__, "process"]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
        rates.append(sum(json.loads(one.communicate()[0]) for one in running))
    report("threads.processes.2", rates[1], rates[0], "calls/s", more_is_better=True)


def memory(field: str) -> int:
    """Return a field of the memory of the process, in bytes: `VmRSS` now, `VmHWM` at its peak."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(field))
    return int(line.split()[1]) * 1024


def peak_of(call: Callable[[], object]) -> int:
    """Return how many bytes memory grows in a call."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # The peak begins anew.
    before = memory("VmRSS")
    call()
    return memory("VmHWM") - before


def measure_memory() -> None:
    """Print the rows of memory."""
    function = uir.build(uir.script.parse(CHAIN))["main"]
    numbers = np.random.default_rng(0)
    x, weights = np.ones((LARGEST, 256), np.float32), np.ones((256, 256), np.float32)
    function(x[:1], weights)
    report("threads.memory.peak", peak_of(lambda: function(x, weights)) / 1e6,
           1.3 * 2 * x.nbytes / 1e6, "MB")  # fmt: skip
    first = 0
    for index in range(CALLS):
        if index == FIRST:
            first = memory("VmRSS")
        function(x[: numbers.integers(1, LARGEST // 20)], weights)
    report("threads.memory.resident", memory("VmRSS") / 1e6, first / 1e6, "MB")


def main() -> None:
    """Print all rows."""
    if sys.argv[1:] == ["process"]:
        print(run_callers([product()]).per_second)
    else:
        measure_callers()
        measure_processes()
        measure_memory()


if __name__ == "__main__":
    main()
