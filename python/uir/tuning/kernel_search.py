"""The search for one kernel: proposals, measurements, and the confirmation of the winner."""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Iterable

from uir_nodes import tuning as nodes

from .database import Database, Row
from .kernels import Kernel
from .measure import Measured
from .registry import node_of
from .search import SearchStrategy
from .space import Space, Trace
from .workers import Task

__all__ = ["KernelSearch"]

_BATCH = 8
"""The proposals that a strategy makes at once."""

_FAILURES = 16
"""The failures, without one candidate that counts, after which a kernel is left."""

_FINALISTS = 3
"""The most candidates that are confirmed until one holds."""


class KernelSearch:
    """The search for one kernel, whose measurements workers make, several at a time.

    Parameters
    ----------
    kernel
        The kernel.
    space
        Its candidates.
    strategy
        Their order.
    database
        Keeps the results; those of earlier searches are not measured again.
    context
        The key of the context.
    trials
        The most candidates, with those of earlier searches; None for any number.

    Attributes
    ----------
    stop
        The time, of `time.monotonic`, after which no candidate is proposed.
    """

    def __init__(
        self,
        kernel: Kernel,
        space: Space,
        strategy: SearchStrategy | nodes.SearchStrategyFunctions,
        database: Database,
        context: str,
        trials: int | None,
    ) -> None:
        self.kernel = kernel
        self.stop = math.inf
        self._space, self._strategy = space, node_of(strategy)
        self._database, self._context = database, context
        self._known = {(row.series, row.trace): row for row in database.rows(kernel.hash, context)}
        self._ratios: dict[Trace, float] = {space.default: 1.0}
        for (series, trace), row in self._known.items():
            if series == "search":
                self._note(trace, row)
        searched = {trace for series, trace in self._known if series == "search"}
        self._asked = {space.default, *searched}
        self._left = math.inf if trials is None else trials - len(searched)
        self._proposals: deque[Trace] = deque(space.first())
        self._finalists: deque[Trace] | None = None
        self._running = 0

    @property
    def best(self) -> Trace:
        """The fastest candidate so far."""
        return min(self._ratios, key=self._ratios.__getitem__)

    @property
    def gain(self) -> float:
        """The gain of the fastest candidate so far."""
        return 1 / self._ratios[self.best]

    @property
    def is_done(self) -> bool:
        """Whether all is measured, with the confirmation."""
        return self._running == 0 and self._finalists is not None and not self._finalists

    def suggest(self, traces: Iterable[Trace]) -> None:
        """Propose the choices of other kernels first, as far as this one has them.

        Parameters
        ----------
        traces
            The best candidates for the others.
        """
        adapted = map(self._space.adapted, traces)
        self._proposals.extend(dict.fromkeys(one for one in adapted if one is not None))

    def next(self) -> Task | None:
        """Return the next measurement; None if there is none, or others must end before it."""
        if self._finalists is None:
            trace = self._proposal()
            if trace is not None:
                return self._task(trace, self.best, "search")
            if self._running:
                return None
            self._finalists = self._to_confirm()
        if not self._finalists:
            return None
        return self._task(self._finalists.popleft(), self._space.default, "confirm")

    def take(self, task: Task, measured: Measured) -> Row:
        """Take the outcome of a measurement, and write its row to the database."""
        self._running -= 1
        row = self._row(task, measured)
        self._database.add(row)
        self._known[task.series, task.trace] = row
        if not task.confirms:
            self._note(task.trace, row)
        elif measured.is_faster and self._finalists is not None:
            self._finalists.clear()
        return row

    def _proposal(self) -> Trace | None:
        """Return a new candidate; None if the search ends, or has none for now."""
        if time.monotonic() > self.stop or self._left <= 0 or self._never_works():
            return None
        trace = self._new_candidate()
        if trace is not None:
            self._left -= 1
            self._asked.add(trace)
        return trace

    def _new_candidate(self) -> Trace | None:
        """Return the next candidate that was not measured before; None if the strategy has none."""
        while True:
            if not self._proposals:
                proposals = self._strategy.propose(int(min(_BATCH, self._left)))
                self._proposals.extend(tuple(map(str, trace)) for trace in proposals)
            if not self._proposals:
                return None
            trace = self._proposals.popleft()
            if trace not in self._asked:
                return trace

    def _to_confirm(self) -> deque[Trace]:
        """Return the fastest candidates without a second series; none if one is confirmed."""
        ranked = sorted(self._ratios, key=self._ratios.__getitem__)[:_FINALISTS]
        finalists: deque[Trace] = deque()
        for trace in itertools.takewhile(lambda one: one != self._space.default, ranked):
            row = self._known.get(("confirm", trace))
            if row is None:
                finalists.append(trace)
            elif row.outcome == "ok" and row.reason == "faster":
                break
        return finalists

    def _never_works(self) -> bool:
        """Return whether all of many candidates failed, as with arguments that a kernel refuses."""
        outcomes = [row.outcome for row in self._known.values()]
        return len(outcomes) >= _FAILURES and "ok" not in outcomes

    def _note(self, trace: Trace, row: Row) -> None:
        """Tell the strategy; keep the ratio of a candidate that was faster than the best.

        The database may have candidates of functions of users that do not take part now.
        """
        if not self._space.refusal(trace):
            self._strategy.tell(trace, row.ratio)
        if row.outcome == "ok" and row.reason == "faster" and row.ratio is not None:
            self._ratios[trace] = row.ratio

    def _task(self, trace: Trace, against: Trace, series: str) -> Task:
        self._running += 1
        return Task(self._context, self.kernel, trace, against, series)

    def _row(self, task: Task, made: Measured) -> Row:
        ratio = None if made.ratio is None else made.ratio * self._ratios[task.against]
        return Row(
            self.kernel.hash,
            task.trace,
            self._context,
            task.series,
            made.outcome,
            made.reason,
            self.kernel.name,
            ratio,
            made.times,
            task.against,
            made.against_times,
        )
