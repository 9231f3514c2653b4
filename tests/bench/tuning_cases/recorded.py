"""A search with recorded times on many workers, which shows what the searching process bears."""

from __future__ import annotations

import heapq
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from uir import te
from uir.ir import GlobalVar, IRModule
from uir.target import Target
from uir.tuning import Context, Database, Kernel, Measured, Settings, Task, Workers, tune
from uir.tuning.measure.pairs import decide, ratio_of
from uir.tuning.shares import KernelTime

__all__ = ["Load", "load_of"]


class RecordedWorkers(Workers):
    """Workers whose tasks end after a time, with times by the hash of the candidate.

    Parameters
    ----------
    count
        The number of workers.
    seconds
        The mean time of a task; 0 for tasks that end at once.
    """

    def __init__(self, count: int, seconds: float) -> None:
        super().__init__()
        self.ends: list[float] = []
        self._free, self._seconds, self._random = count, seconds, Random(0)
        self._running: list[tuple[float, int, Task]] = []

    def start(self, settings: Settings) -> Sequence[Context]:
        return [Context.here(settings.target, str(settings.samples))]

    def profile(
        self, context: str, module: IRModule, kernels: Mapping[str, Sequence[Kernel]]
    ) -> dict[str, KernelTime]:
        return {key: KernelTime(1 / len(kernels)) for key in kernels}

    def free(self, context: str) -> int:
        return self._free

    def submit(self, task: Task) -> None:
        self._free -= 1
        end = time.monotonic() + self._seconds * self._random.uniform(0.5, 1.5)
        heapq.heappush(self._running, (end, id(task), task))

    def wait(self) -> list[tuple[Task, Measured]]:
        end, _, task = heapq.heappop(self._running)
        time.sleep(max(end - time.monotonic(), 0.0))
        self._free += 1
        self.ends.append(time.monotonic())
        times = [self._time(one) for one in (task.trace, task.against)]
        pairs = tuple((mine,) * 30 for mine in times)
        decision = decide(*pairs) or "undecided"
        return [(task, Measured("ok", decision, ratio_of(*pairs), *pairs))]

    def _time(self, trace: tuple[str, ...]) -> float:
        return Random(str(trace)).uniform(0.8, 2.0)


@dataclass(frozen=True)
class Load:
    """What a search with many workers did.

    Attributes
    ----------
    rates
        The candidates per second of each quarter of the search.
    mebibytes
        The size of the database.
    candidates
        The number of candidates.
    """

    rates: list[float]
    mebibytes: float
    candidates: int


def load_of(folder: Path, workers: int, seconds: float, trials: int) -> Load:
    """Search with recorded times."""
    path = folder / f"{workers}-{seconds}.db"
    used = RecordedWorkers(workers, seconds)
    start = time.monotonic()
    tune(_product(), Target(), budget="1h", trials=trials, database=path, workers=used)
    ends = [start, *used.ends]
    part = max(len(used.ends) // 4, 1)
    rates = [part / (ends[at + part] - ends[at]) for at in range(0, len(ends) - part, part)][:4]
    with Database(path) as database:
        count = sum(1 for _ in database.rows())
    return Load(rates, path.stat().st_size / (1 << 20), count)


def _product() -> IRModule:
    a = te.placeholder((77, 131), "float32", "a")
    b = te.placeholder((131, 59), "float32", "b")
    k = te.reduce_axis((0, 131), "k")
    c = te.compute((77, 59), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
    return IRModule({GlobalVar("main"): te.create_prim_func([a, b, c], "main")})
