"""Workers on this machine: a measurer for each, in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from uir_nodes.ir import IRModule

from ..context import Context
from ..kernels import Kernel
from ..measure import Measured, Measurer, ProcessMeasurer
from ..shares import KernelTime, kernel_times
from .workers import Settings, Task, Workers

__all__ = ["LocalWorkers"]


class LocalWorkers(Workers):
    """Workers on this machine.

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
        self._idle: list[Measurer] = []
        self._running: dict[Future[Measured], tuple[Measurer, Task]] = {}

    def start(self, settings: Settings) -> Sequence[Context]:  # noqa: D102 - as the base
        self._settings = settings
        context = Context.here(settings.target, str(settings.samples))
        if isinstance(self._given, int):
            self._idle = [
                ProcessMeasurer(settings.samples, settings.seed, core=place)
                for place in range(self._given)
            ]
        else:
            self._idle = [*self._given]
        self._pool = ThreadPoolExecutor(len(self._idle))
        return [context]

    def profile(  # noqa: D102 - as the base
        self, context: str, module: IRModule, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        return kernel_times(module, self._settings.target, kernels, self._settings.samples)

    def free(self, context: str) -> int:  # noqa: D102 - as the base
        return len(self._idle)

    def submit(self, task: Task) -> None:  # noqa: D102 - as the base
        measurer = self._idle.pop()
        future = self._pool.submit(
            measurer.measure, task.kernel, task.trace, task.against, confirms=task.confirms
        )
        self._running[future] = measurer, task

    def wait(self) -> list[tuple[Task, Measured]]:  # noqa: D102 - as the base
        ended, _ = wait(self._running, return_when=FIRST_COMPLETED)
        made: list[tuple[Task, Measured]] = []
        for future in ended:
            measurer, task = self._running.pop(future)
            self._idle.append(measurer)
            made.append((task, future.result()))
        return made

    def close(self) -> None:  # noqa: D102 - as the base
        running = [measurer for measurer, _ in self._running.values()]
        for measurer in [*self._idle, *running]:
            measurer.close()
        if self._idle or running:
            self._pool.shutdown()
