"""The search for one kernel: proposals, measurements, and the confirmation of the winner."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from .database import Database, Row
from .kernels import Kernel
from .measure import Measured, Measurer
from .search import SearchStrategy
from .space import Space, Trace

__all__ = ["KernelSearch"]

_BATCH = 8
"""The proposals that a strategy makes at once."""

_FAILURES = 16
"""The failures, without one candidate that counts, after which a kernel is left."""

_FINALISTS = 3
"""The most candidates that are confirmed, one after the other, until one holds."""


class KernelSearch:
    """The search for one kernel.

    Parameters
    ----------
    kernel
        The kernel.
    space
        Its candidates.
    strategy
        Their order.
    measurer
        Times them.
    database
        Keeps the results; those of earlier searches are not measured again.
    context
        The key of the context.
    """

    def __init__(
        self,
        kernel: Kernel,
        space: Space,
        strategy: SearchStrategy,
        measurer: Measurer,
        database: Database,
        context: str,
    ) -> None:
        self.kernel = kernel
        self._space, self._strategy, self._measurer = space, strategy, measurer
        self._database, self._context = database, context
        self._known = {(row.series, row.trace): row for row in self._earlier()}
        self._ratios: dict[Trace, float] = {space.default: 1.0}
        for (series, trace), row in self._known.items():
            if series == "search":
                self._note(trace, row)

    @property
    def best(self) -> Trace:
        """The fastest candidate so far."""
        return min(self._ratios, key=self._ratios.__getitem__)

    @property
    def gain(self) -> float:
        """The gain of the fastest candidate so far."""
        return 1 / self._ratios[self.best]

    def run(self, stop: float, trials: int | None) -> Iterator[Row]:
        """Measure proposals, and yield the row of each.

        Parameters
        ----------
        stop
            The time, of `time.monotonic`, after which no measurement begins.
        trials
            The most candidates, with those of earlier searches; None for any number.
        """
        tried = sum(series == "search" for series, _ in self._known)
        while trials is None or tried < trials:
            wanted = _BATCH if trials is None else min(_BATCH, trials - tried)
            proposals = self._strategy.propose(wanted)
            if not proposals:
                return
            for trace in proposals:
                if time.monotonic() > stop or self._never_works():
                    return
                row = self._measure(trace, self.best, "search")
                self._note(trace, row)
                tried += 1
                yield row

    def confirm(self) -> int:
        """Confirm the fastest candidates until one holds; return the number of measurements."""
        ranked = sorted(self._ratios, key=self._ratios.__getitem__)
        measured = 0
        for trace in ranked[:_FINALISTS]:
            if trace == self._space.default:
                break
            row = self._known.get(("confirm", trace))
            if row is None:
                row = self._measure(trace, self._space.default, "confirm")
                measured += 1
            if row.outcome == "ok" and row.reason == "faster":
                break
        return measured

    def _earlier(self) -> Iterable[Row]:
        return list(self._database.rows(self.kernel.hash, self._context))

    def _never_works(self) -> bool:
        """Return whether all of many candidates failed, as with arguments that a kernel refuses."""
        outcomes = [row.outcome for row in self._known.values()]
        return len(outcomes) >= _FAILURES and "ok" not in outcomes

    def _note(self, trace: Trace, row: Row) -> None:
        """Tell the strategy; keep the ratio of a candidate that was faster than the best."""
        self._strategy.tell(trace, row.ratio)
        if row.outcome == "ok" and row.reason == "faster" and row.ratio is not None:
            self._ratios[trace] = row.ratio

    def _measure(self, trace: Trace, against: Trace, series: str) -> Row:
        made = self._measurer.measure(self.kernel, trace, against, confirms=series == "confirm")
        row = self._row(trace, against, series, made)
        self._database.add(row)
        self._known[series, trace] = row
        return row

    def _row(self, trace: Trace, against: Trace, series: str, made: Measured) -> Row:
        ratio = None if made.ratio is None else made.ratio * self._ratios[against]
        return Row(
            self.kernel.hash,
            trace,
            self._context,
            series,
            made.outcome,
            made.reason,
            self.kernel.name,
            ratio,
            made.times,
            against,
            made.against_times,
        )
