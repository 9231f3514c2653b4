"""Functions of users that return lists of primitives take part in searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import uir
from uir import schedule
from uir.tuning import (
    Database,
    JoinedSpace,
    Kernel,
    Limits,
    ListSpace,
    LocalWorkers,
    ProcessMeasurer,
    Result,
    Trace,
    list_function,
    list_functions,
    space_of,
    tune,
)

from .samples import FormulaMeasurer, kernel_of, product

CHOICES = {"rows": (1, 2, 4, 8, 16), "tail": ("peel", "powers")}
REASON = "the sums exceed 16 registers"


def panels(rows: int, tail: str) -> list[str]:
    return [f'tile("i", {rows}, "panel", tail="{tail}")', 'tile("j", 16, "columns")']


def is_too_large(rows: int, tail: str) -> bool:
    return rows > 8


@pytest.fixture(autouse=True)
def no_functions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("uir.tuning.user_lists._functions", {})
    yield


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return kernel_of(product())


def lists_of(kernel: Kernel, function: Callable[..., list[str]] = panels) -> ListSpace:
    list_function(choices=CHOICES, nest="c", refuse={REASON: is_too_large})(function)
    return ListSpace(kernel, "c", list_functions()[-1])


def is_list(trace: Trace) -> bool:
    return trace[0].startswith("ScheduleByLists: c: list(")


def searched(path: Path, measurer: FormulaMeasurer, trials: int = 30) -> Result:
    workers = LocalWorkers([measurer])
    return tune(product(), budget="5m", trials=trials, database=path, workers=workers)


def lists_are_fast(trace: Trace) -> float:
    return 1.0 + ('list(tile("i", 4, ' not in trace[0]) if is_list(trace) else 3.0


def test_a_list_that_is_faster_is_in_the_file(tmp_path: Path) -> None:
    list_function(kernel="main", nest="c", choices=CHOICES)(panels)
    (kernel,) = searched(tmp_path / "a.db", FormulaMeasurer(lists_are_fast)).kernels
    assert 'list(tile("i", 4, "panel"' in kernel.trace[0] and kernel.gain == 3.0
    result = searched(tmp_path / "a.db", FormulaMeasurer(lists_are_fast))
    assert result.measured == 0
    result.save(tmp_path / "a.json")
    lowered = uir.lower(product(), tuned=tmp_path / "a.json")
    assert schedule.trace_of(lowered)["main"] == list(kernel.trace)


def test_all_combinations_are_candidates_but_refused_ones(kernel: Kernel) -> None:
    space = lists_of(kernel)
    traces = list(space.traces())
    # Rows that divide 48 have no tail, but the list keeps the word.
    assert space.size() == 10 and len(traces) == 1 + 8 and traces[0] == space.default
    assert all(map(is_list, traces[1:]))
    for trace in traces:
        scheduled = schedule.replay(product(), {"main": list(trace)})
        assert schedule.trace_of(scheduled)["main"] == list(trace)


def test_draws_and_changes_are_lists(kernel: Kernel) -> None:
    space, random = lists_of(kernel), Random(1)
    for trace in {space.draw(random) for _ in range(20)}:
        changed = space.change(trace, random)
        assert is_list(trace) and is_list(changed) and changed != trace
        assert space.features(trace) != space.features(changed)
    assert space.features(space.default) == (0.0, 0.0)
    assert space.change(space.default, random) == space.default


def test_a_trace_of_an_earlier_search_is_known(kernel: Kernel) -> None:
    *_, last = lists_of(kernel).traces()
    space = lists_of(kernel)
    assert space.refusal(last) == "" and any(space.features(last))
    other = (last[0].replace('"panel"', '"other"'),)
    assert space.refusal(other) == "it is not a list of `panels`"


def test_recipes_and_lists_are_one_space(kernel: Kernel) -> None:
    lists_of(kernel)
    space, random = space_of(kernel), Random(3)
    assert isinstance(space, JoinedSpace)
    drawn = {space.draw(random) for _ in range(60)}
    assert len({is_list(trace) for trace in drawn}) == 2
    for trace in drawn:
        assert not space.refusal(trace)
        assert len(space.features(trace)) == len(space.features(space.default))
        assert not space.refusal(space.change(trace, random))


def test_a_search_goes_on_without_the_function(tmp_path: Path) -> None:
    list_function(nest="c", choices=CHOICES)(panels)
    before = searched(tmp_path / "a.db", FormulaMeasurer(lists_are_fast)).kernels
    list_functions_before = len(list_functions())
    uir.tuning.user_lists._functions.clear()
    measurer = FormulaMeasurer(lists_are_fast)
    result = searched(tmp_path / "a.db", measurer, 40)
    assert list_functions_before == 1 and result.kernels == before
    assert len(measurer.calls) == 10 and not any(is_list(trace) for trace, _ in measurer.calls)


def test_refusals_are_counted_in_a_note(tmp_path: Path) -> None:
    @list_function(nest="c", choices={"step": (6,)})
    def wrong(step: int) -> list[str]:
        return ['tile("i", 64)', f'tile("i", {step})']

    @list_function(kernel="conv*", choices={})
    def elsewhere() -> list[str]:
        return []

    @list_function(nest="d", choices={})
    def no_nest() -> list[str]:
        return []

    result = searched(tmp_path / "a.db", FormulaMeasurer())
    assert result.notes[:3] == (
        "`elsewhere`: no kernel has the name `conv*`; there are `main`",
        "`no_nest`: no kernel has a nest `d` whose recipe is a list; there are `c`",
        "`wrong`: each list for the nest `c` of `main` is refused, such as that of `step=6`: step "
        '2 of the list of `c`, `tile("i", 6)`: the step of the loop `i:6` must divide that of the '
        "loop `i:64` around it, got 6 and 64",
    )
    with Database(tmp_path / "a.db") as database:
        assert not any(is_list(row.trace) for row in database.rows())


def test_a_function_may_refuse_by_an_error_of_values(kernel: Kernel) -> None:
    @list_function(nest="c", choices={"rows": (4, 5)})
    def even(rows: int) -> list[str]:
        if rows % 2:
            raise ValueError("rows are even")
        return panels(rows, "peel")

    space = ListSpace(kernel, "c", list_functions()[-1])
    assert len(list(space.traces())) == 2
    assert list_functions()[-1].takes("other", kernel.hash)


def test_mistakes_of_functions_are_located(kernel: Kernel) -> None:
    with pytest.raises(TypeError, match="`panels` does not take its choices, `rows`: missing"):
        list_function(choices={"rows": (1, 2)})(panels)
    with pytest.raises(TypeError, match="`panels` does not take its choices, `rows`, `tail`"):
        list_function(choices=CHOICES, refuse={"odd": lambda rows: rows % 2})(panels)
    with pytest.raises(TypeError, match="the choice `rows` needs a list of numbers or texts"):
        list_function(choices={"rows": (1.5,), "tail": ("peel",)})(panels)  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="the choice `tail` needs a list of numbers or texts"):
        list_function(choices={"rows": (1,), "tail": "peel"})(panels)
    with pytest.raises(ValueError, match="the choice `rows` needs different values"):
        list_function(choices={"rows": (), "tail": ("peel",)})(panels)
    list_function(choices={})(lambda: 'tile("i", 4)')
    with pytest.raises(TypeError, match="must return a list of primitives as texts"):
        list(ListSpace(kernel, "c", list_functions()[-1]).traces())


def test_a_list_is_measured_and_its_threads_have_all_cores(kernel: Kernel) -> None:
    list_function(choices={"rows": (4, 8)})(lambda rows: panels(rows, "peel"))
    list_function(choices={"rows": (4,)})(threads)
    serial, parallel = (ListSpace(kernel, "c", one) for one in list_functions())
    _, four, _ = serial.traces()
    _, shared = parallel.traces()
    measurer = ProcessMeasurer(limits=Limits(seconds=120.0, pair_seconds=0.1, pairs=8))
    made = measurer.measure(kernel, four, kernel.trace, confirms=False)
    cores = [measurer._job(kernel, one, kernel.trace, 1).core for one in (four, shared)]
    measurer.close()
    assert made.outcome == "ok", made.reason
    assert cores == [0, -1]


def threads(rows: int) -> list[str]:
    return [f'tile("i", {rows}, "rows")', 'parallel("rows")']
