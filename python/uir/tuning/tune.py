"""The search over the kernels of a module."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
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
from .module_search import ModuleSearch, Progress, search_all
from .result import Result, tuned_kernels
from .samples import Samples, Sizes
from .search import SearchStrategy, default_strategy
from .shares import KernelTime
from .space import Space, space_of
from .workers import LocalWorkers, RayWorkers, Settings, Workers

__all__ = ["parse_budget", "tune", "workers_of"]

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


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


def workers_of(given: int | str | Workers) -> Workers:
    """Return the workers of a number or an address.

    Raises
    ------
    ValueError
        If the number is not positive, or the text is not an address.
    ImportError
        If the address needs Ray, which is not installed.
    """
    if isinstance(given, Workers):
        return given
    if isinstance(given, int) or given.isdecimal():
        return LocalWorkers(int(given))
    if given == "ray" or given.startswith("ray://"):
        return RayWorkers(given)
    raise ValueError(f"expected a number of workers, ray or ray://HOST:PORT, got `{given}`")


def tune(
    module: IRModule,
    target: Target | str | None = None,
    *,
    budget: str | float = "60s",
    trials: int | None = None,
    database: str | Path | None = None,
    sizes: Sizes | None = None,
    objective: str = "worst",
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    workers: int | str | Workers = 1,
    strategy: Callable[[Space, int], SearchStrategy] = default_strategy,
) -> Result:
    """Search for faster choices for the kernels of a module.

    Each candidate is compiled and timed in a process of its own, in turns with the best one so far.
    It counts only if its values are right. The best one of a kernel is in the result only if a
    second series of pairs confirms that it is faster than the choice of the recipes. No kernel is
    searched that takes less than 0.5 % of the time, or runs within 5 % of the peak of the machine.

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
        The values of symbolic dimensions by name, with which kernels are timed: one for each, or
        one for each sample.
    objective
        How the ratios of several samples become one: `worst` for the largest, so that a kernel in
        the result is faster for each sample, `mean` for the geometric mean.
    seed
        The seed of arguments and proposals.
    progress
        Called after each measurement.
    workers
        The number of candidates that are timed at the same time on this machine, each on a core of
        its own; or the machines of a cluster of Ray, `ray` for that of this machine or its address,
        `ray://HOST:10001`; or other workers.
    strategy
        Makes the strategy for a space and a seed.

    Returns
    -------
    result
        The faster kernels: `result.save(path)` writes the file for `uir.build(..., tuned=path)`.
        Ctrl-C ends the search early, with the result so far. If workers have several contexts, it
        is that of the first one, and the database has the rows of all.

    Raises
    ------
    ValueError
        If the target is not this machine, a symbolic dimension has no value, the budget, the
        objective or the database is malformed, or a pass finds a mistake in the program.
    RuntimeError
        If there is no C compiler, or no worker is left.
    ImportError
        If Ray is not installed.
    """
    machine = Target(target) if isinstance(target, str) else target or Target()
    seconds = parse_budget(budget) if isinstance(budget, str) else float(budget)
    samples = Samples.of(sizes or {}, objective)
    used = workers_of(workers)
    with ExitStack() as stack:
        path = database or Path(stack.enter_context(TemporaryDirectory()), "tune.db")
        store = stack.enter_context(Database(Path(path)))
        stack.callback(used.close)
        plans = [
            _Plan.of(module, machine, context, used, store)
            for context in used.start(Settings(machine, samples, seed))
        ]
        searches = {
            plan.context.key: plan.search(strategy, seed, trials, seconds, progress)
            for plan in plans
        }
        # After Ctrl-C, the database has all that was measured.
        with suppress(KeyboardInterrupt):
            search_all(searches, used)
        return plans[0].result(searches[plans[0].context.key])


@dataclass(frozen=True)
class _Plan:
    """The kernels of a module in a context, and the time that each takes."""

    context: Context
    kernels: Mapping[str, Sequence[Kernel]]
    times: Mapping[str, KernelTime]
    store: Database

    @classmethod
    def of(
        cls, module: IRModule, machine: Target, context: Context, workers: Workers, store: Database
    ) -> _Plan:
        """Find the kernels, and profile the module unless the database has its profile."""
        store.add_context(context)
        kernels = kernels_of(module, machine, context.isa)
        digest = _digest(kernels)
        times = store.times(context.key, digest)
        if {*times} != {*kernels}:
            times = workers.profile(context.key, module, kernels)
            names = {key: equal[0].name for key, equal in kernels.items()}
            store.add_times(digest, context.key, times, names)
        return cls(context, kernels, times, store)

    def search(
        self,
        strategy: Callable[[Space, int], SearchStrategy],
        seed: int,
        trials: int | None,
        seconds: float,
        progress: Callable[[Progress], None] | None,
    ) -> ModuleSearch:
        """Return the searches for the kernels."""

        def new_search(key: str) -> KernelSearch:
            kernel = self.kernels[key][0]
            space = space_of(kernel)
            return KernelSearch(
                kernel, space, strategy(space, seed), self.store, self.context.key, trials
            )

        return ModuleSearch(self.times, new_search, seconds, progress)

    def result(self, search: ModuleSearch) -> Result:
        """Return the kernels that are confirmed so far."""
        rows = [row for key in self.kernels for row in self.store.rows(key, self.context.key)]
        shares = {key: one.share for key, one in self.times.items()}
        ordered = dict(sorted(shares.items(), key=lambda item: -item[1]))
        return Result(tuned_kernels(rows), ordered, self.context, search.measured, search.near_peak)


def _digest(kernels: Mapping[str, Sequence[Kernel]]) -> str:
    """Return a digest of a module, of its kernels and how often each is there."""
    counts = sorted((key, len(equal)) for key, equal in kernels.items())
    return hashlib.sha256(json.dumps(counts).encode()).hexdigest()[:16]
