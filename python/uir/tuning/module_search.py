"""The searches for all kernels or chains of a module in one context."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from .kernel_search import KernelSearch
from .measure import Measured
from .result import whole_gain
from .shares import KernelTime
from .space import Trace
from .workers import Task, Workers

__all__ = ["ModuleSearch", "Progress", "search_all"]

_LEAST_SHARE = 0.005
"""The share of the time below which a kernel is not searched."""

_FOR_CONFIRMATION = 0.15
"""The part of the time of a kernel that its confirmation has."""

_SUGGESTIONS = 3
"""The most kernels whose best candidates are tried first for the next one."""


@dataclass(frozen=True)
class Progress:
    """The state of a search.

    Attributes
    ----------
    kernel
        The name of the kernel that is searched.
    place, kernels
        Its place among the searched kernels, from 0, and their number.
    measured
        The candidates that this search has measured so far, of all kernels.
    best
        The gain of the fastest candidate for this kernel so far.
    gain
        The expected gain of the whole module so far.
    left
        The seconds that are left; None for a search without a limit.
    """

    kernel: str
    place: int
    kernels: int
    measured: int
    best: float
    gain: float
    left: float | None


class ModuleSearch:
    """The searches for the kernels or chains of a module, by their share of the time.

    The next one begins when the one before proposes no more, while its last measurements run.

    Parameters
    ----------
    times
        The times of kernels by hash.
    new_search
        Makes the search for a hash.
    seconds
        The time of the search; each kernel has time by its share. None for no limit.
    progress
        Called after each candidate.
    keys
        The hashes of the kernels to search. None for those that take a share of the time, and are
        not near the peak of the machine.
    earlier
        The search for the chains of the module, whose measurements and gain count too.

    Attributes
    ----------
    measured
        The number of measurements.
    near_peak
        The number of kernels that are not searched, because they are near the peak of the machine.
    """

    def __init__(
        self,
        times: Mapping[str, KernelTime],
        new_search: Callable[[str], KernelSearch],
        seconds: float | None,
        progress: Callable[[Progress], None] | None,
        keys: Collection[str] | None = None,
        earlier: ModuleSearch | None = None,
    ) -> None:
        self.measured: int = 0 if earlier is None else earlier.measured
        self._gain_before = 1.0 if earlier is None else earlier.gain
        self._shares = {key: one.share for key, one in times.items()}
        known = [key for key, one in times.items() if one.share >= _LEAST_SHARE]
        order = [key for key in known if not times[key].is_near_peak] if keys is None else keys
        self.near_peak = len(known) - len(order) if keys is None else 0
        self._order = sorted(order, key=lambda key: -self._shares[key])
        self._left = deque(self._order)
        self._new_search, self._progress = new_search, progress
        self._end = None if seconds is None else time.monotonic() + seconds
        self._open: dict[str, KernelSearch] = {}
        self._gains: dict[str, float] = {}
        self._best: dict[str, Trace] = {}

    @property
    def is_done(self) -> bool:
        """Whether all kernels are searched."""
        return not self._left and not self._open

    @property
    def gain(self) -> float:
        """The expected gain of the whole module so far."""
        return self._gain_before * whole_gain(self._shares, self._gains)

    def next(self) -> Task | None:
        """Return the next measurement; None if there is none, or others must end before it."""
        while True:
            for key, search in [*self._open.items()]:
                task = search.next()
                if task is not None:
                    return task
                if search.is_done:
                    self._gains[key] = search.gain
                    del self._open[key]
            if not self._left:
                return None
            self._begin(self._left.popleft())

    def take(self, task: Task, measured: Measured) -> None:
        """Take the outcome of a measurement."""
        search = self._open[task.kernel.hash]
        search.take(task, measured)
        self.measured += 1
        self._gains[task.kernel.hash], self._best[task.kernel.hash] = search.gain, search.best
        if not task.confirms:
            self._say(search)

    def _begin(self, key: str) -> None:
        search = self._open[key] = self._new_search(key)
        ranked = sorted(self._best, key=self._gains.__getitem__, reverse=True)[:_SUGGESTIONS]
        search.suggest(self._best[other] for other in ranked if self._gains[other] > 1)
        if self._end is not None:
            left = self._shares[key] + sum(self._shares[other] for other in self._left)
            part = (self._end - time.monotonic()) * self._shares[key] / left
            search.stop = time.monotonic() + part * (1 - _FOR_CONFIRMATION)

    def _say(self, search: KernelSearch) -> None:
        if self._progress is not None:
            self._progress(
                Progress(
                    search.kernel.name,
                    self._order.index(search.kernel.hash),
                    len(self._order),
                    self.measured,
                    search.gain,
                    self.gain,
                    None if self._end is None else max(self._end - time.monotonic(), 0.0),
                )
            )


def search_all(searches: Mapping[str, ModuleSearch], workers: Workers) -> None:
    """Make the measurements of all searches, by the key of their context.

    Raises
    ------
    RuntimeError
        If no worker is left.
    """
    while True:
        for context, search in searches.items():
            while workers.free(context) > 0 and (task := search.next()) is not None:
                workers.submit(task)
        lost = [workers.lost(context) for context in searches]
        if all(lost):
            raise RuntimeError("; ".join(["no worker is left", *workers.notes]))
        if all(one or each.is_done for one, each in zip(lost, searches.values(), strict=True)):
            return
        for task, measured in workers.wait():
            searches[task.context].take(task, measured)
