"""Workers on this machine: a measurer for each, in a thread, and compilers on the other cores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock, Semaphore

from uir_nodes.ir import IRModule

from ...driver.processor import core_count
from ..context import Context
from ..kernels import Kernel
from ..measure import Measured, Measurer, ProcessMeasurer
from ..shares import KernelTime, kernel_times
from .workers import Settings, Task, Workers

__all__ = ["LocalWorkers"]

_MOST_COMPILERS = 8
"""The most processes that compile: the candidates of one batch of proposals."""


class LocalWorkers(Workers):
    """Workers on this machine.

    While candidates are measured, the cores on which no worker measures compile the next ones. A
    candidate that runs on several threads is measured while nothing is compiled.

    Parameters
    ----------
    measurers
        Time the candidates, one for each worker; or the number of workers, each of which has
        processes of its own on a core of its own.

    Raises
    ------
    ValueError
        If there are no workers.
    """

    def __init__(self, measurers: int | Sequence[Measurer] = 1) -> None:
        super().__init__()
        if (measurers if isinstance(measurers, int) else len(measurers)) < 1:
            raise ValueError("a search needs at least one worker")
        self._given = measurers
        self._measurers: Sequence[Measurer] = ()
        self._running: dict[Future[Measured], Task] = {}
        self._compilers: _Compilers | None = None
        self._is_closed = False

    def start(self, settings: Settings) -> Sequence[Context]:  # noqa: D102 - as the base
        self._settings = settings
        context = Context.here(settings.target, str(settings.samples))
        if isinstance(self._given, int):
            self._compilers = _Compilers(settings, self._given)
            self._measurers = [
                ProcessMeasurer(
                    settings.samples, settings.seed, core=place, cache=self._compilers.cache
                )
                for place in range(self._given)
            ]
        else:
            self._measurers = self._given
        self._idle: SimpleQueue[Measurer] = SimpleQueue()
        for measurer in self._measurers:
            self._idle.put(measurer)
        self._pool = ThreadPoolExecutor(len(self._measurers))
        return [context]

    def profile(  # noqa: D102 - as the base
        self, context: str, module: IRModule, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        return kernel_times(module, self._settings.target, kernels, self._settings.samples)

    def free(self, context: str) -> int:  # noqa: D102 - as the base
        ahead = 0 if self._compilers is None else self._compilers.count
        return len(self._measurers) + ahead - len(self._running)

    def submit(self, task: Task) -> None:  # noqa: D102 - as the base
        compilers = self._compilers
        if compilers is None or compilers.count == 0:
            future = self._pool.submit(self._measure, task)
        else:
            future = self._pool.submit(self._measure_compiled, task, compilers.begin(task))
        self._running[future] = task

    def wait(self) -> list[tuple[Task, Measured]]:  # noqa: D102 - as the base
        ended, _ = wait(self._running, return_when=FIRST_COMPLETED)
        return [(self._running.pop(future), future.result()) for future in ended]

    def close(self) -> None:  # noqa: D102 - as the base
        self._is_closed = True
        if self._measurers:
            self._pool.shutdown(wait=False, cancel_futures=True)
        if self._compilers is not None:
            self._compilers.close()
        for measurer in self._measurers:
            measurer.close()
        if self._measurers:
            self._pool.shutdown()

    def _measure_compiled(self, task: Task, compilation: Future[Measured]) -> Measured:
        """Measure a candidate once it is compiled; workers take candidates in their order."""
        compiled = compilation.result()
        if compiled.outcome != "ok" or self._is_closed:
            return compiled
        if not task.is_parallel:
            return self._measure(task)
        assert self._compilers is not None
        with self._compilers.paused():
            return self._measure(task)

    def _measure(self, task: Task) -> Measured:
        measurer = self._idle.get()
        try:
            return measurer.measure(task.kernel, task.trace, task.against, confirms=task.confirms)
        finally:
            self._idle.put(measurer)


class _Compilers:
    """Processes that compile candidates on the cores on which no worker measures.

    Parameters
    ----------
    settings
        The settings of the search.
    workers
        The number of workers, each of which measures on one of the last cores.

    Attributes
    ----------
    count
        Their number; 0 if the workers take all cores.
    cache
        The folder of compiled objects, in which the workers find them.
    """

    def __init__(self, settings: Settings, workers: int) -> None:
        self.count = min(max(core_count() - workers, 0), _MOST_COMPILERS)
        self._folder = TemporaryDirectory(prefix="uir-tune-")
        self.cache = Path(self._folder.name)
        self._workers = workers
        self._measurers = [
            ProcessMeasurer(settings.samples, settings.seed, cache=self.cache)
            for _ in range(self.count)
        ]
        self._idle: SimpleQueue[ProcessMeasurer] = SimpleQueue()
        for measurer in self._measurers:
            self._idle.put(measurer)
        self._permits, self._pausing = Semaphore(self.count), Lock()
        self._pool = ThreadPoolExecutor(max(self.count, 1), initializer=self._leave_cores)

    def begin(self, task: Task) -> Future[Measured]:
        """Begin to compile a candidate."""
        return self._pool.submit(self._compile, task)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Wait until nothing is compiled, and compile nothing within."""
        with self._pausing:
            for _ in range(self.count):
                self._permits.acquire()
            try:
                yield
            finally:
                self._permits.release(self.count)

    def close(self) -> None:
        """End all processes."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for measurer in self._measurers:
            measurer.close()
        self._pool.shutdown()
        self._folder.cleanup()

    def _compile(self, task: Task) -> Measured:
        with self._permits:
            measurer = self._idle.get()
            try:
                return measurer.compile(task.kernel, task.trace)
            finally:
                self._idle.put(measurer)

    def _leave_cores(self) -> None:
        """Keep this thread, and the processes that it starts, from the cores of the workers."""
        if hasattr(os, "sched_setaffinity"):
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(0, cores[: -self._workers])
