"""Searches: results have only confirmed candidates, and nothing is measured twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import uir
from uir import schedule
from uir.tuning import (
    Database,
    LocalWorkers,
    Progress,
    Result,
    RidgeRegression,
    Row,
    Trace,
    evolution,
    parse_budget,
    tune,
)
from uir.tuning.result import whole_gain

from .samples import FormulaMeasurer, kernel_of, numbers_of, product, time_by_formula


def searched(database: Path, measurer: FormulaMeasurer, trials: int = 60) -> Result:
    return tune(
        product(),
        budget="5m",
        trials=trials,
        database=database,
        workers=LocalWorkers([measurer]),
        cost_model="ridge",
        strategy=evolution,
    )


def rows_of(path: Path) -> list[Row]:
    with Database(path) as database:
        return list(database.rows())


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("tune") / "a.db"
    searched(path, FormulaMeasurer())
    yield path


def test_the_result_is_a_file_that_build_takes(database: Path, tmp_path: Path) -> None:
    measurer = FormulaMeasurer()
    result = searched(database, measurer)
    # All is known, so nothing is measured again.
    assert measurer.calls == [] and result.measured == 0
    (kernel,) = result.kernels
    assert kernel.gain > 1.5
    path = tmp_path / "a.tuned.json"
    result.save(path)
    lowered = uir.lower(product(), tuned=path)
    assert schedule.trace_of(lowered)["main"] == list(kernel.trace)
    share = result.shares[kernel.kernel]
    assert result.gain == pytest.approx(1 / (share / kernel.gain + 1 - share))


def test_more_trials_continue_the_search(database: Path) -> None:
    before = {row.trace for row in rows_of(database) if row.series == "search"}
    measurer = FormulaMeasurer()
    result = searched(database, measurer, 70)
    new = [trace for trace, confirms in measurer.calls if not confirms]
    assert len(new) == 10 and not before & {*new}
    assert result.measured == len(measurer.calls)


def test_each_candidate_is_timed_against_the_best_one(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    searched(path, FormulaMeasurer(), 40)
    default = rows_of(path)[0].against
    best, base = default, time_by_formula(default)
    for row in rows_of(path):
        if row.series == "search":
            assert row.against == best
            assert row.ratio == pytest.approx(time_by_formula(row.trace) / base)
            best = row.trace if row.reason == "faster" else best
        else:
            assert row.against == default and row.trace == best


def test_failures_are_rows_and_do_not_end_the_search(tmp_path: Path) -> None:
    outcomes = ("crash", "timeout", "wrong", "refused", "memory")

    def time(trace: Trace) -> float | str:
        rows = numbers_of(trace)["rows"]
        return outcomes[rows % 5] if rows in (1, 2, 3, 5, 10) else time_by_formula(trace)

    path = tmp_path / "a.db"
    result = searched(path, FormulaMeasurer(time), 80)
    assert {row.outcome for row in rows_of(path)} >= {"ok", "crash", "wrong"}
    assert all(numbers_of(one.trace)["rows"] not in (1, 2, 3, 5, 10) for one in result.kernels)
    again = FormulaMeasurer(time)
    searched(path, again, 80)
    assert again.calls == []


def test_a_kernel_that_never_works_is_left(tmp_path: Path) -> None:
    measurer = FormulaMeasurer(lambda _: "error")
    result = searched(tmp_path / "a.db", measurer, 1000)
    assert result.kernels == ()
    assert result.measured == len(measurer.calls) == 16


class LuckyMeasurer(FormulaMeasurer):
    """A first series in which noise makes candidates look faster than they are."""

    def measure(self, kernel, trace, against, *, confirms):  # type: ignore[no-untyped-def]
        self.time = (lambda _: 1.0) if confirms else time_by_formula
        return super().measure(kernel, trace, against, confirms=confirms)


def test_a_winner_that_is_not_confirmed_is_not_in_the_result(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    result = searched(path, LuckyMeasurer())
    assert result.kernels == () and result.gain == 1.0
    confirmed = [row for row in rows_of(path) if row.series == "confirm"]
    assert confirmed and all(row.reason == "equal" for row in confirmed)


def test_the_gain_of_a_module() -> None:
    shares = {"a": 0.921345447121274, "b": 0.05}
    assert whole_gain(shares, {}) == 1.0
    assert whole_gain(shares, {"a": 1.0, "of another module": 2.0}) == 1.0
    assert whole_gain({"a": 0.5, "b": 0.25}, {"a": 2.0}) == pytest.approx(4 / 3)


def test_ctrl_c_keeps_all_that_was_measured(tmp_path: Path) -> None:
    states: list[Progress] = []

    def stop_soon(state: Progress) -> None:
        states.append(state)
        if state.measured == 10:
            raise KeyboardInterrupt

    path = tmp_path / "a.db"
    result = tune(
        product(),
        budget=300,
        database=path,
        workers=LocalWorkers([FormulaMeasurer()]),
        progress=stop_soon,
    )
    assert result.measured == len(rows_of(path)) == len(states) == 10
    assert [state.measured for state in states] == list(range(1, 11))
    assert all(state.kernel == "main" and state.best >= 1 for state in states)
    assert all(state.left is not None and state.left < 300 for state in states)


def test_edited_rows_are_named_and_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    searched(path, FormulaMeasurer(), 20)
    with sqlite3.connect(path) as connection:
        connection.execute("update rows set ratio = 0.01 where rowid = 1")
    connection.close()
    measurer = FormulaMeasurer()
    result = searched(path, measurer, 20)
    assert len(measurer.calls) == 1
    assert [note for note in result.notes if "skipped" in note] == [
        f"skipped: row 1 of kernel `{kernel_of(product()).hash}`: it was edited"
    ]


@pytest.mark.parametrize(("package", "count"), [(None, 1), ("xgboost", 0)])
def test_a_search_without_boosted_trees_says_so_once(
    package: str | None, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uir.tuning.cost_model.find_spec", lambda _: package)
    monkeypatch.setattr("uir.tuning.cost_model.BoostedTrees", lambda _: RidgeRegression())
    workers = LocalWorkers([FormulaMeasurer()])
    result = tune(product(), trials=4, database=tmp_path / "a.db", workers=workers)
    assert len([note for note in result.notes if "install `uir[tune]`" in note]) == count


def test_sizes_of_other_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"no symbolic dimension `n`; their dimensions are: none"):
        tune(product(), sizes={"n": (1, 16)})


def test_budgets() -> None:
    assert [parse_budget(text) for text in ("30s", "1.5m", "2h")] == [30, 90, 7200]
    for text in ("30", "s", "-1s", "1d"):
        with pytest.raises(ValueError, match="expected a time such as"):
            parse_budget(text)


def test_other_machines_cannot_be_tuned_here() -> None:
    other = (
        "aarch64" if "x86" in uir.tuning.context.resolved_isa(uir.target.Target()) else "x86-64-v3"
    )
    for isa in (other, "x86-64"):
        with pytest.raises(ValueError, match=f"the target `{isa}` cannot be tuned here"):
            tune(product(), uir.target.Target("c", isa))
