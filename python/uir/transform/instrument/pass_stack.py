"""The stack of running passes, with their times."""

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
        The number of enclosing passes.
    nanoseconds
        Its time, including nested passes, excluding the instrument; 0 while it runs.
    finished
        Whether it completed.
    """

    name: str
    opt_level: int
    depth: int
    nanoseconds: int = 0
    finished: bool = False


class PassStack:
    """
    The runs of passes in one context, in order of their start.

    Parameters
    ----------
    clock
        Clock, in nanoseconds.

    Attributes
    ----------
    runs
        All runs so far.
    """

    def __init__(self, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self.runs: list[PassRun] = []
        self._clock = clock
        # Each run with its start and the time excluded until then.
        self._running: list[tuple[PassRun, int, int]] = []
        self._spent = 0

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Exclude the time inside this context."""
        start = self._clock()
        try:
            yield
        finally:
            self._spent += self._clock() - start

    @property
    def innermost(self) -> PassRun | None:
        """The run that no other one is inside of; None if no pass runs."""
        return self._running[-1][0] if self._running else None

    def enter(self, info: PassInfo) -> PassRun:
        """Record the start of a pass.

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
        """Record the end of a pass, which also removes nested passes that failed.

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
        """Mark the passes that are still running as failed.

        Returns
        -------
        list[PassRun]
            Their runs, innermost first.
        """
        return [self._stop() for _ in range(len(self._running))]

    def _stop(self) -> PassRun:
        run, start, spent = self._running.pop()
        run.nanoseconds = self._clock() - start - (self._spent - spent)
        return run
