"""The searches for the kernels of a module learn from each other."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from uir.target import Target
from uir.tuning import (
    Database,
    Kernel,
    LocalWorkers,
    RidgeRegression,
    Trace,
    evolution,
    space_of,
)
from uir.tuning.kernel_search import KernelSearch
from uir.tuning.module_search import ModuleSearch, search_all
from uir.tuning.shares import KernelTime
from uir.tuning.workers import Settings

from .samples import CONTEXT, FormulaMeasurer, kernel_of, numbers_of, product


def new_search(
    kernels: dict[str, Kernel], database: Database, trials: int, key: str
) -> KernelSearch:
    space = space_of(kernels[key])
    strategy = evolution(space, RidgeRegression(), 3)
    return KernelSearch(kernels[key], space, strategy, database, CONTEXT.key, trials)


def test_the_best_choices_of_a_kernel_are_tried_first_for_the_next_one(tmp_path: Path) -> None:
    found = [kernel_of(product(rows, 512, 512)) for rows in (48, 96)]
    kernels, shares = {one.hash: one for one in found}, (0.7, 0.3)
    times = {one.hash: KernelTime(share) for one, share in zip(found, shares, strict=True)}
    measurer = FormulaMeasurer()
    workers = LocalWorkers([measurer])
    with Database(tmp_path / "a.db") as database:
        make = partial(new_search, kernels, database, 24)
        search = ModuleSearch(times, make, None, None)
        workers.start(Settings(Target()))
        search_all({CONTEXT.key: search}, workers)
        workers.close()
        best = {key: min(known, key=known.__getitem__) for key, known in ratios(database).items()}
    measured = [trace for trace, confirms in measurer.calls if not confirms]
    # 24 of the first kernel, then those of the second, which begin with the best of the first.
    assert numbers_of(measured[24]) == numbers_of(best[found[0].hash])
    assert len(measured) == 48 and len({*measured[24:]}) == 24


def ratios(database: Database) -> dict[str, dict[Trace, float]]:
    """Return the ratios of the candidates for each kernel."""
    known: dict[str, dict[Trace, float]] = {}
    for row in database.rows():
        if row.series == "search" and row.ratio is not None:
            known.setdefault(row.kernel, {})[row.trace] = row.ratio
    return known
