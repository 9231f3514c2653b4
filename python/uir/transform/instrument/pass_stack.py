"""Which passes are running, what they were called by, and how long each one took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from uir_nodes.transform import PassInfo

__all__ = ["PassRun", "PassStack"]


@dataclass
class PassRun:
    """
    One run of a pass.

    Attributes
    ----------
    name
        The pass's name.
    opt_level
        The pass's level.
    depth
        How many passes (sequences, and passes that call others) it runs in.
    nanoseconds
        How long it took, with the passes in it, without the instrument that asks; 0 while it runs.
    finished
        Whether it came to its end.
    """

    name: str
    opt_level: int
    depth: int
    nanoseconds: int = 0
    finished: bool = False


class PassStack:
    """
    The runs of passes in one context, in the order in which they began.

    Parameters
    ----------
    clock
        Tells the time, in nanoseconds.

    Attributes
    ----------
    runs
        All runs so far.
    """

    def __init__(self, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self.runs: list[PassRun] = []
        self._clock = clock
        # Each run, when it began, and what had been spent aside until then.
        self._running: list[tuple[PassRun, int, int]] = []
        self._spent = 0

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Count no time of what is done meanwhile."""
        start = self._clock()
        try:
            yield
        finally:
            self._spent += self._clock() - start

    def enter(self, info: PassInfo) -> PassRun:
        """Note that a pass begins.

        Parameters
        ----------
        info
            The pass.

        Returns
        -------
        PassRun
            The new run.
        """
        run = PassRun(str(info.name), info.opt_level, len(self._running))
        self.runs.append(run)
        self._running.append((run, self._clock(), self._spent))
        return run

    def leave(self, info: PassInfo) -> PassRun:
        """Note that a pass came to its end; passes that it called and that failed did not.

        Parameters
        ----------
        info
            The pass.

        Returns
        -------
        PassRun
            Its run.
        """
        while len(self._running) > 1 and self._running[-1][0].name != info.name:
            self._stop()
        run = self._stop()
        run.finished = True
        return run

    def abandon(self) -> list[PassRun]:
        """Note that the passes that run still will not come to their end.

        Returns
        -------
        list[PassRun]
            Their runs, the innermost first.
        """
        return [self._stop() for _ in range(len(self._running))]

    def _stop(self) -> PassRun:
        run, start, spent = self._running.pop()
        run.nanoseconds = self._clock() - start - (self._spent - spent)
        return run
