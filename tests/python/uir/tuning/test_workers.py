"""Several workers: the same rows as of one, at the same time, and nothing measured twice."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Barrier

import pytest

import uir
from uir import te, tir
from uir.tuning import (
    Database,
    LocalWorkers,
    Measured,
    ProcessMeasurer,
    Row,
    evolution,
    kernels_of,
    tune,
)
from uir.tuning import shares as shares_module
from uir.tuning.measure.child import Sample, _mean, _worst
from uir.tuning.measure.job import Job

from .samples import FormulaMeasurer, product, time_by_formula


def rows_of(path: Path) -> list[Row]:
    with Database(path) as database:
        return list(database.rows())


class Together(FormulaMeasurer):
    """Measures only while another worker does; later measurements run alone."""

    def __init__(self, barrier: Barrier, count: int) -> None:
        super().__init__()
        self.barrier, self.count = barrier, count

    def measure(self, kernel, trace, against, *, confirms):  # type: ignore[no-untyped-def]
        if len(self.calls) < self.count:
            self.barrier.wait(60)
        return super().measure(kernel, trace, against, confirms=confirms)


def test_workers_measure_at_the_same_time_and_no_candidate_twice(tmp_path: Path) -> None:
    barrier, path = Barrier(2), tmp_path / "a.db"
    measurers = [Together(barrier, 10) for _ in range(2)]
    result = tune(
        product(),
        budget=300,
        trials=40,
        database=path,
        cost_model="ridge",
        strategy=evolution,
        workers=LocalWorkers(measurers),
    )
    calls = [call for one in measurers for call in one.calls]
    assert min(len(one.calls) for one in measurers) >= 10
    assert len({*calls}) == len(calls) == len(rows_of(path)) == result.measured
    (kernel,) = result.kernels
    # Each row is relative to the choice of the recipes, whatever it was timed against.
    base = time_by_formula(kernels_of(product())[kernel.kernel][0].trace)
    for row in rows_of(path):
        assert row.ratio == pytest.approx(time_by_formula(row.trace) / base)


class Failing(FormulaMeasurer):
    def measure(self, kernel, trace, against, *, confirms):  # type: ignore[no-untyped-def]
        raise OSError("no space is left")


def test_an_error_of_a_worker_ends_the_search() -> None:
    with pytest.raises(OSError, match="no space is left"):
        tune(product(), trials=4, workers=LocalWorkers([Failing(), Failing()]))
    with pytest.raises(ValueError, match="at least one worker"):
        tune(product(), workers=0)


def test_two_processes_search(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    tune(
        product(),
        trials=4,
        budget=300,
        database=path,
        cost_model="ridge",
        strategy=evolution,
        workers=2,
    )
    rows = [row for row in rows_of(path) if row.series == "search"]
    assert len(rows) == 4 and all(row.outcome == "ok" for row in rows)


def test_a_known_module_is_not_profiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"

    def searched() -> uir.tuning.Result:
        workers = LocalWorkers([FormulaMeasurer()])
        return tune(
            product(),
            trials=8,
            database=path,
            cost_model="ridge",
            strategy=evolution,
            workers=workers,
        )

    first = searched()
    monkeypatch.setattr(shares_module, "build", None)
    again = searched()
    assert again.measured == 0 and again.shares == first.shares


def test_kernels_near_the_peak_are_counted_and_not_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measurer = FormulaMeasurer()
    peak = uir.driver.MachinePeak(1, 1e3, 1e12)
    monkeypatch.setattr(shares_module, "_peak", lambda threads: peak)
    result = tune(product(), trials=8, workers=LocalWorkers([measurer]))
    assert (result.near_peak, result.measured, measurer.calls) == (1, 0, [])
    # Tensors that fit into caches are not bound by memory.
    slow_memory = uir.driver.MachinePeak(1, 1e18, 1.0)
    monkeypatch.setattr(shares_module, "_peak", lambda threads: slow_memory)
    assert tune(product(), trials=8, workers=LocalWorkers([measurer])).near_peak == 0


def symbolic() -> uir.ir.IRModule:
    n = tir.SizeVar("n")
    a = te.placeholder((n, 64), "float32", "a")
    b = te.placeholder((64, 64), "float32", "b")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((n, 64), lambda i, j: te.sum(a[i, k] * b[k, j], axis=[k]), "c")
    return uir.ir.IRModule({uir.ir.GlobalVar("main"): te.create_prim_func([a, b, c], "main")})


@pytest.mark.parametrize("objective", ["worst", "mean"])
def test_symbolic_sizes_are_timed_for_each_sample(objective: str) -> None:
    ((kernel,),) = kernels_of(symbolic()).values()
    samples = uir.tuning.Samples.of({"n": (40, 48)}, objective)
    limits = uir.tuning.Limits(seconds=120.0, pair_seconds=0.3, pairs=10)
    measurer = ProcessMeasurer(samples, limits=limits)
    slow = (kernel.trace[0].replace("lanes=", "lanes=1, unused="),)
    made = measurer.measure(kernel, slow, kernel.trace, confirms=False)
    measurer.close()
    assert made.outcome == "ok", made.reason
    assert made.ratio is not None and made.ratio > 1 and not made.is_faster


def test_samples_are_part_of_the_context(tmp_path: Path) -> None:
    path, counts = tmp_path / "a.db", []
    for sizes, objective in (
        ({"n": 3}, "worst"),
        ({"n": (3, 8)}, "worst"),
        ({"n": (3, 8)}, "mean"),
    ):
        result = tune(
            symbolic(),
            trials=2,
            database=path,
            sizes=sizes,
            objective=objective,
            workers=LocalWorkers([FormulaMeasurer(lambda _: 1.0)]),
        )
        counts.append(result.measured)
    assert counts == [2, 2, 2]
    with Database(path) as database:
        texts = {context.samples for context in database.contexts().values()}
    assert texts == {"n=3", "worst of n=3,8", "mean of n=3,8"}


def test_samples_of_dimensions() -> None:
    samples = uir.tuning.Samples.of({"n": (1, 16), "m": 4})
    assert samples.sizes == ({"m": 4, "n": 1}, {"m": 4, "n": 16})
    assert str(samples) == "worst of m=4,4 n=1,16" and str(uir.tuning.Samples.of({})) == ""
    with pytest.raises(ValueError, match="`m` has 3, `n` has 2"):
        uir.tuning.Samples.of({"n": (1, 2), "m": (1, 2, 3)})
    with pytest.raises(ValueError, match="the dimension `n` needs positive sizes"):
        uir.tuning.Samples.of({"n": 0})
    with pytest.raises(ValueError, match="expected the objective `worst` or `mean`, got `best`"):
        uir.tuning.Samples.of({}, "best")


def pair(times: list[float]) -> Sample:
    """Return functions that return these times."""
    return tuple(partial(float, time) for time in times)


def test_objectives_choose_between_samples() -> None:
    def measured(objective: str, *samples: Sample) -> Measured:
        job = Job("", "", "", ("a",), ("b",), ({},), objective, 0, 60, 1.0, 0, 0, 0, "")
        return (_mean if objective == "mean" else _worst)(samples, job)

    half, same, more = (pair([time, 1.0]) for time in (0.5, 1.0, 1.25))
    assert measured("worst", half, half).ratio == pytest.approx(0.5)
    worst = measured("worst", half, more)
    assert worst.reason == "slower" and worst.ratio == pytest.approx(1.25)
    assert measured("worst", half, same).reason == "equal"
    mean = measured("mean", half, more)
    assert mean.is_faster and mean.ratio == pytest.approx((0.5 * 1.25) ** 0.5)
