"""The kernels and chains of a tuned file, measured again on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from uir_nodes.ir import IRModule
from uir_nodes.target import Target

from .joined_space import space_of
from .kernel_search import KernelSearch
from .kernels import Kernel
from .module_search import Progress
from .plan import Plan, machine_of, open_plans
from .plan_search import search_plans
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
    """Measure the rows of a tuned file again, such as a file of another machine or release.

    Each kernel and chain of the file that the module has is timed with the choices of the file, in
    turns with those of the recipes, in two series of new pairs. Chains are first; kernels are those
    with the layouts that hold. The result has the rows that are significantly faster in both
    series, as that of `tune`. Nothing else is searched.

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
        The kernels and chains that hold here. Its notes name the others, each with the reason.

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
        own, search = search_plans(
            plans,
            module,
            settings,
            used,
            partial(_kernel_search, rows),
            None,
            progress,
            partial(_keys, rows),
        )
        notes = [note for row in rows if (note := _note(own, row))]
        return own.result(search, notes)


class _Given(SearchStrategy):
    """One candidate."""

    def __init__(self, trace: Trace) -> None:
        self._left = [trace]

    def propose(self, count: int) -> list[Trace]:
        made, self._left = self._left, []
        return made

    def tell(self, trace: Trace, time: float | None) -> None:
        pass


def _keys(rows: Sequence[TunedRow], plan: Plan, found: Mapping[str, Sequence[Kernel]]) -> list[str]:
    """Return the hashes of the kernels or chains of a plan that are measured."""
    return [row.kernel for row in rows if row.kernel in found and not _refusal(plan, row)]


def _kernel_search(rows: Sequence[TunedRow], plan: Plan, kernel: Kernel) -> KernelSearch:
    (trace,) = (row.trace for row in rows if _found(plan, row) is kernel)
    return KernelSearch(
        kernel, space_of(kernel, []), _Given(trace), plan.store, plan.context.key, None
    )


def _found(plan: Plan, row: TunedRow) -> Kernel | None:
    """Return the kernel or the chain of a row; None if the program does not have it."""
    kernels: Mapping[str, Sequence[Kernel]] = plan.chains if row.kind == "chain" else plan.kernels
    return kernels[row.kernel][0] if row.kernel in kernels else None


def _refusal(plan: Plan, row: TunedRow) -> str:
    """Return why a row is not measured; empty if it is."""
    if row.mistake:
        return row.mistake
    kernel = _found(plan, row)
    if kernel is None:
        return f"the program has no such {row.kind} on this machine"
    if row.trace == kernel.trace:
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
