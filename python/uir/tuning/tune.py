"""The search over the kernels of a module."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from .context import Context
from .database import Database
from .kernel_search import KernelSearch
from .kernels import Kernel, kernels_of
from .measure import Measurer, ProcessMeasurer
from .result import Result, tuned_kernels, whole_gain
from .search import SearchStrategy, default_strategy
from .shares import shares_of
from .space import Space, space_of

__all__ = ["Progress", "parse_budget", "tune"]

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_LEAST_SHARE = 0.005
"""The share of the time below which a kernel is not searched."""

_FOR_CONFIRMATION = 0.15
"""The part of the time of a kernel that its confirmation has."""


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
        The seconds that are left.
    """

    kernel: str
    place: int
    kernels: int
    measured: int
    best: float
    gain: float
    left: float


def parse_budget(text: str) -> float:
    """Read a time.

    Parameters
    ----------
    text
        A number and a unit: `60s`, `10m` or `1h`.

    Returns
    -------
    seconds
        The time in seconds.

    Raises
    ------
    ValueError
        If the text is not a number with one of these units.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if found is None:
        raise ValueError(f"expected a time such as 60s, 10m or 1h, got `{text}`")
    return float(found[1]) * _UNITS[found[2]]


def tune(
    module: IRModule,
    target: Target | str | None = None,
    *,
    budget: str | float = "60s",
    trials: int | None = None,
    database: str | Path | None = None,
    sizes: Mapping[str, int] | None = None,
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    measurer: Measurer | None = None,
    strategy: Callable[[Space, int], SearchStrategy] = default_strategy,
) -> Result:
    """Search for faster choices for the kernels of a module.

    Each candidate is compiled and timed in a process of its own, in turns with the best one so far.
    It counts only if its values are right. The best one of a kernel is in the result only if a
    second series of pairs confirms that it is faster than the choice of the recipes.

    Parameters
    ----------
    module
        The module, as `uir.build` takes it, with a public function `main`.
    target
        The machine, or its kind (`"c"`): this one; None for it.
    budget
        The time of the search: seconds, or a text such as `60s`, `10m` or `1h`.
    trials
        The most candidates of a kernel, with those of earlier searches; None for any number.
    database
        The file of results. Candidates that it has for this machine and compiler are not measured
        again. None for a file that is removed at the end.
    sizes
        The values of symbolic dimensions by name, with which kernels are timed.
    seed
        The seed of arguments and proposals.
    progress
        Called after each measurement.
    measurer
        Times the candidates; None for processes on this machine.
    strategy
        Makes the strategy for a space and a seed.

    Returns
    -------
    result
        The faster kernels: `result.save(path)` writes the file for `uir.build(..., tuned=path)`.
        Ctrl-C ends the search early, with the result so far.

    Raises
    ------
    ValueError
        If the target is not this machine, a symbolic dimension has no value, the budget or the
        database is malformed, or a pass finds a mistake in the program.
    RuntimeError
        If there is no C compiler.
    """
    machine = Target(target) if isinstance(target, str) else target or Target()
    seconds = parse_budget(budget) if isinstance(budget, str) else float(budget)
    context = Context.here(machine)
    known_sizes = dict(sizes or {})
    kernels = kernels_of(module, machine)
    shares = shares_of(module, machine, kernels, known_sizes)
    with ExitStack() as stack:
        path = database or Path(stack.enter_context(TemporaryDirectory()), "tune.db")
        store = stack.enter_context(Database(Path(path)))
        store.add_context(context)
        used = measurer or ProcessMeasurer(known_sizes, seed)
        stack.callback(used.close)

        def new_search(kernel: Kernel) -> KernelSearch:
            space = space_of(kernel)
            return KernelSearch(kernel, space, strategy(space, seed), used, store, context.key)

        run = _Run(kernels, shares, new_search, progress)
        # After Ctrl-C, the database has all that was measured.
        with suppress(KeyboardInterrupt):
            run.search(seconds, trials)
        rows = [row for key in kernels for row in store.rows(key, context.key)]
        return Result(tuned_kernels(rows), shares, context, run.measured)


class _Run:
    """The searches for all kernels, one after the other."""

    def __init__(
        self,
        kernels: Mapping[str, list[Kernel]],
        shares: Mapping[str, float],
        new_search: Callable[[Kernel], KernelSearch],
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.measured = 0
        self._kernels, self._shares = kernels, shares
        self._new_search, self._progress = new_search, progress
        self._order = [key for key, share in shares.items() if share >= _LEAST_SHARE]
        self._gains: dict[str, float] = {}

    def search(self, seconds: float, trials: int | None) -> None:
        """Search until the time is over; each kernel has time by its share."""
        end = time.monotonic() + seconds
        for place, key in enumerate(self._order):
            left = sum(self._shares[other] for other in self._order[place:])
            part = (end - time.monotonic()) * self._shares[key] / left
            stop = time.monotonic() + part * (1 - _FOR_CONFIRMATION)
            search = self._new_search(self._kernels[key][0])
            for _ in search.run(stop, trials):
                self.measured += 1
                self._gains[key] = search.gain
                self._say(search, place, end)
            self.measured += search.confirm()
            self._gains[key] = search.gain

    def _say(self, search: KernelSearch, place: int, end: float) -> None:
        if self._progress is None:
            return
        left = max(end - time.monotonic(), 0.0)
        gain = whole_gain(self._shares, self._gains)
        self._progress(
            Progress(
                search.kernel.name,
                place,
                len(self._order),
                self.measured,
                search.gain,
                gain,
                left,
            )
        )
