"""Searches with recorded times whose processes are killed at random moments."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from itertools import islice
from math import log2
from pathlib import Path
from random import Random

from uir import ir
from uir.tuning import (
    Database,
    Kernel,
    LocalWorkers,
    Measured,
    SearchStrategy,
    Space,
    Trace,
    tune,
)

from .samples import FormulaMeasurer, numbers_of, product

CANDIDATES = 120


class Few(SearchStrategy):
    """The first candidates of a space."""

    def __init__(self, space: Space) -> None:
        self._left = islice(space.traces(), CANDIDATES)
        self._known = {space.default}

    def propose(self, count: int) -> list[Trace]:
        return list(islice((one for one in self._left if one not in self._known), count))

    def tell(self, trace: Trace, time: float | None) -> None:
        self._known.add(trace)


def time_by_blocks(trace: Trace) -> float:
    """Return a time with one best choice among the first candidates."""
    numbers = numbers_of(trace)
    wanted = {"sum_block": 256, "row_block": 96, "column_block": 512}
    return 1.0 + sum(abs(log2(max(numbers[name], 1) / value)) for name, value in wanted.items())


class SlowMeasurer(FormulaMeasurer):
    """Takes some milliseconds for each candidate."""

    def __init__(self) -> None:
        super().__init__(time_by_blocks)

    def measure(self, kernel: Kernel, trace: Trace, against: Trace, *, confirms: bool) -> Measured:
        time.sleep(0.003)
        return super().measure(kernel, trace, against, confirms=confirms)


@dataclass
class Survival:
    """What is left after kills.

    Attributes
    ----------
    kills
        The processes that were killed while they searched.
    searches
        The searches that were killed until they were finished.
    lost
        The rows that were written and are not there.
    broken
        The rows that cannot be read.
    different
        The searches that ended with other rows than one without kills.
    """

    kills: int = 0
    searches: int = 0
    lost: int = 0
    broken: int = 0
    different: int = 0


def survive(folder: Path, kills: int, seed: int = 0) -> Survival:
    """Kill searches at random moments, two of each database at a time, and finish them."""
    module, random, made = product(), Random(seed), Survival()
    expected = _finished(module, folder / "whole.db")
    assert any(series == "confirm" for series, _ in expected)
    while made.kills < kills:
        path, log = folder / f"{made.searches}.db", folder / f"{made.searches}.log"
        log.touch()
        _search(module, path, None, trials=0)
        while made.kills < kills and not _is_finished(path):
            made.kills += _kill_two(module, path, log, random)
        with Database(path) as database:
            known = {row.trace[0] for row in database.rows()}
            made.broken += len(database.skipped)
        made.lost += len({*log.read_text().splitlines()} - known)
        made.different += _finished(module, path) != expected
        made.searches += 1
    return made


def _kill_two(module: ir.IRModule, path: Path, log: Path, random: Random) -> int:
    """Start two searches of a database, kill them, and return how many were not at their end.

    Half of them are killed after one has written a row, the others at any time.
    """
    written, killed = log.stat().st_size, 0
    for child in [_child(module, path, log) for _ in range(2)]:
        end = time.monotonic() + (10 if random.random() < 0.5 else 0)
        while log.stat().st_size == written and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.08))
        os.kill(child, signal.SIGKILL)
        killed += os.waitpid(child, 0)[1] == signal.SIGKILL
    return killed


def _is_finished(path: Path) -> bool:
    with Database(path) as database:
        return any(row.series == "confirm" for row in database.rows())


def _finished(module: ir.IRModule, path: Path) -> dict[tuple[str, Trace], tuple[float, str]]:
    """Finish a search, and return the ratio and the outcome of each row."""
    _search(module, path, None)
    with Database(path) as database:
        return {
            (row.series, row.trace): (round(row.ratio or 0, 6), row.outcome)
            for row in database.rows()
        }


def _search(module: ir.IRModule, path: Path, log: Path | None, trials: int | None = None) -> None:
    measurer = SlowMeasurer()

    def note(state: object) -> None:
        if log is not None:
            with log.open("a") as output:
                output.write(f"{measurer.calls[-1][0][0]}\n")

    tune(
        module,
        budget=600,
        trials=trials,
        database=path,
        progress=note,
        strategy=lambda space, *_: Few(space),
        workers=LocalWorkers([measurer]),
    )


def _child(module: ir.IRModule, path: Path, log: Path) -> int:
    child = os.fork()
    if child == 0:
        try:
            _search(module, path, log)
        finally:
            os._exit(0)
    return child
