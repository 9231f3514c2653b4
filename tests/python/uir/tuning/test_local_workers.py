"""Workers on this machine compile the next candidates while one is measured."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import ClassVar

import pytest

from uir.target import Target
from uir.tuning import LocalWorkers, Measured, kernels_of
from uir.tuning.workers import Settings, Task
from uir.tuning.workers import local as local_module

from .samples import product

Interval = tuple[str, str, float, float]
"""What was done, the candidate, and from when to when."""


class Recorder:
    """Stands for `ProcessMeasurer`, and records when it compiles and measures."""

    intervals: ClassVar[list[Interval]] = []
    caches: ClassVar[set[Path]] = set()
    lock = Lock()

    def __init__(self, *_: object, cache: Path, core: int = 0) -> None:
        self.caches.add(cache)

    def _record(self, what: str, name: str) -> None:
        start = time.monotonic()
        time.sleep(0.03)
        with self.lock:
            self.intervals.append((what, name, start, time.monotonic()))

    def compile(self, kernel: object, trace: tuple[str, ...]) -> Measured:
        self._record("compile", trace[0])
        return Measured("error", "no compiler") if trace[0] == "broken" else Measured("ok", "")

    def measure(
        self, kernel: object, trace: tuple[str, ...], against: object, *, confirms: bool
    ) -> Measured:
        self._record("measure", trace[0])
        return Measured("ok", "faster", 0.5)

    def close(self) -> None:
        pass


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorkers]:
    monkeypatch.setattr(local_module, "ProcessMeasurer", Recorder)
    monkeypatch.setattr(local_module, "core_count", lambda: 4)
    monkeypatch.setattr(Recorder, "intervals", [])
    monkeypatch.setattr(Recorder, "caches", set())
    made = LocalWorkers(1)
    made.start(Settings(Target()))
    yield made
    made.close()


def run(workers: LocalWorkers, names: list[str], *, on_threads: bool = False) -> list[str]:
    """Measure candidates, as many at a time as the workers take; return names as they end."""
    ((kernel, *_), *_) = kernels_of(product()).values()
    # A line of a trace that runs a loop on several threads.
    parallel = ("ScheduleByLists: c: list(parallel('i'))",) if on_threads else ()
    left, ended = list(names), list[str]()
    while len(ended) < len(names):
        while left and workers.free("") > 0:
            workers.submit(Task("", kernel, (left.pop(0), *parallel), (), "search"))
        ended += [task.trace[0] for task, _ in workers.wait()]
    return ended


def overlaps(one: Interval, other: Interval) -> bool:
    return one[2] < other[3] and other[2] < one[3]


def pairs(what: str, other: str) -> list[tuple[Interval, Interval]]:
    done = Recorder.intervals
    return [(x, y) for x in done for y in done if (x[0], y[0]) == (what, other) and x is not y]


def test_candidates_are_compiled_while_others_are_measured(workers: LocalWorkers) -> None:
    names = [f"candidate {i}" for i in range(8)]
    assert workers.free("") == 4  # One is measured, and three are compiled.
    assert run(workers, names) == names
    assert any(overlaps(*pair) for pair in pairs("measure", "compile"))
    assert not any(overlaps(*pair) for pair in pairs("measure", "measure"))
    assert len(Recorder.caches) == 1  # Measurements find the compiled objects.


def test_nothing_is_compiled_while_a_candidate_on_threads_is_measured(
    workers: LocalWorkers,
) -> None:
    names = [f"candidate {i}" for i in range(6)]
    assert run(workers, names, on_threads=True) == names
    assert not any(overlaps(*pair) for pair in pairs("measure", "compile"))
    assert any(overlaps(*pair) for pair in pairs("compile", "compile"))


def test_a_candidate_that_does_not_compile_is_not_measured(workers: LocalWorkers) -> None:
    assert run(workers, ["broken", "sound"]) == ["broken", "sound"]
    assert [name for what, name, *_ in Recorder.intervals if what == "measure"] == ["sound"]


def test_workers_on_all_cores_compile_what_they_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_module, "ProcessMeasurer", Recorder)
    monkeypatch.setattr(local_module, "core_count", lambda: 2)
    monkeypatch.setattr(Recorder, "intervals", [])
    workers = LocalWorkers(2)
    workers.start(Settings(Target()))
    assert workers.free("") == 2
    assert sorted(run(workers, ["one", "other"])) == ["one", "other"]
    assert {what for what, *_ in Recorder.intervals} == {"measure"}
    workers.close()
