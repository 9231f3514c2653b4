"""The kernels of a tuned file, measured again on this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from .joined_space import space_of
from .kernel_search import KernelSearch
from .module_search import ModuleSearch, Progress, search_all
from .plan import Plan, machine_of, open_plans
from .result import Result
from .samples import Samples, Sizes
from .search import SearchStrategy
from .space import Trace
from .tune import workers_of
from .tuned_file import TunedRow, read_tuned_file
from .workers import Settings, Workers

__all__ = ["revalidate"]


def revalidate(
    module: IRModule,
    path: str | Path,
    target: Target | str | None = None,
    *,
    database: str | Path | None = None,
    sizes: Sizes | None = None,
    objective: str = "worst",
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    workers: int | str | Workers = 1,
) -> Result:
    """Measure the kernels of a tuned file again, such as a file of another machine or release.

    Each kernel of the file that the module has is timed with the choices of the file, in turns with
    those of the recipes, in two series of new pairs. The result has those that are significantly
    faster in both, as that of `tune`. Nothing else is searched.

    Parameters
    ----------
    module
        The module, as `uir.build` takes it, with a public function `main`.
    path
        The tuned file, for any instruction set and version of lowering.
    target, sizes, objective, seed, workers
        As those of `tune`.
    database
        A new file for the results; None for one that is removed at the end.
    progress
        Called after each kernel.

    Returns
    -------
    result
        The kernels that hold here. Its notes name the others, each with the reason.

    Raises
    ------
    ValueError
        If the file is not one of tuned kernels, the database has results already, or an argument is
        as `tune` refuses it.
    OSError
        If the file cannot be read.
    RuntimeError
        If there is no C compiler, or no worker is left.
    """
    rows = read_tuned_file(Path(path))
    if database is not None and Path(database).exists():
        raise ValueError(f"`{database}` exists: new pairs need a new database")
    used, samples = workers_of(workers), Samples.of(sizes or {}, objective)
    settings = Settings(machine_of(target), samples, seed)
    with open_plans(module, settings, used, database) as plans:
        searches = {plan.context.key: _search(plan, rows, progress) for plan in plans}
        # After Ctrl-C, the result has the kernels that were measured.
        with suppress(KeyboardInterrupt):
            search_all(searches, used)
        own = plans[0]
        notes = [note for row in rows if (note := _note(own, row))]
        return own.result(searches[own.context.key], notes)


class _Given(SearchStrategy):
    """One candidate."""

    def __init__(self, trace: Trace) -> None:
        self._left = [trace]

    def propose(self, count: int) -> list[Trace]:
        made, self._left = self._left, []
        return made

    def tell(self, trace: Trace, time: float | None) -> None:
        pass


def _search(
    plan: Plan, rows: Sequence[TunedRow], progress: Callable[[Progress], None] | None
) -> ModuleSearch:
    traces = {row.kernel: row.trace for row in rows if not _refusal(plan, row)}
    new_search = partial(_kernel_search, plan, traces)
    return ModuleSearch(plan.times, new_search, None, progress, [*traces])


def _kernel_search(plan: Plan, traces: dict[str, Trace], key: str) -> KernelSearch:
    kernel = plan.kernels[key][0]
    return KernelSearch(
        kernel, space_of(kernel, []), _Given(traces[key]), plan.store, plan.context.key, None
    )


def _refusal(plan: Plan, row: TunedRow) -> str:
    """Return why a row is not measured; empty if it is."""
    if row.mistake:
        return row.mistake
    if row.kernel not in plan.kernels:
        return "the program has no such kernel on this machine"
    if row.trace == plan.kernels[row.kernel][0].trace:
        return "the recipes make the same choices"
    return ""


def _note(plan: Plan, row: TunedRow) -> str:
    """Return why a row is not in the result; empty if it is."""
    reason = _refusal(plan, row) or _failure(plan, row)
    return f"left out `{row.kernel}` ({row.name}): {reason}" if reason else ""


def _failure(plan: Plan, row: TunedRow) -> str:
    """Return why the measurements of a row did not confirm it; empty if they did."""
    made = {one.series: one for one in plan.store.rows(row.kernel, plan.context.key)}
    last = made.get("confirm") or made.get("search")
    if last is None:
        return "it was not measured"
    if last.outcome != "ok":
        return f"{last.outcome}: {last.reason}"
    if last.series == "confirm" and last.reason == "faster":
        return ""
    return f"it takes {last.ratio:.3f} of the time of the recipes here, {last.reason}"
