"""Candidates: traces that the recipes apply, without those that registers cannot hold."""

from __future__ import annotations

from random import Random

import pytest

from uir import schedule
from uir.tuning import Kernel, ParameterSpace, space_of
from uir.tuning.trace_line import parse_line

from .samples import kernel_of, numbers_of, product

LINES = (
    "ScheduleContraction: c: many_rows(rows=6, vectors=2, lanes=8, sum_block=1024, row_block=192, "
    "column_block=1024, parallel=0); few_rows(rows=3, vectors=4, lanes=8, sum_block=8, "
    "row_block=0, column_block=0, parallel=0)",
    "ScheduleFallback: a: b#2: parallel()",
    "FuseElementwise: y: in_reader()",
    'ScheduleByLists: c: list(tile("j", 1024, "column_block", tail="min"), lanes("j_1; :", 16))',
)


@pytest.mark.parametrize("line", LINES)
def test_lines_are_read_and_printed(line: str) -> None:
    assert str(parse_line(line)) == line


@pytest.mark.parametrize(
    "text", ["", "a: b", "a: b: c", "a: b: c(d)", "a: b: c(d=1) ", "a: b: c(d=x)"]
)
def test_other_texts_are_not_lines(text: str) -> None:
    with pytest.raises(ValueError, match="is not a line of a trace"):
        parse_line(text)


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return kernel_of(product())


def test_all_candidates_differ_and_none_exceeds_the_registers() -> None:
    line = "ScheduleContraction: c: few_rows_apart(rows=3, vectors=8, lanes=1, sum_block=4096)"
    space = ParameterSpace((line,), "x86-64-v3")
    traces = list(space.traces())
    assert len({*traces}) == len(traces) < space.size() == 7 * 9 * 7
    assert space.default in traces
    others = [numbers_of(trace) for trace in traces if trace != space.default]
    # 16 registers hold the tile; only the recipes themselves may choose a larger one.
    assert max(one["rows"] * one["vectors"] for one in others) == 16
    assert "has 64 vectors in 16 registers" in space.refusal((line.replace("rows=3", "rows=8"),))


def test_draws_and_changes_are_new_candidates(kernel: Kernel) -> None:
    space, random = space_of(kernel), Random(1)
    drawn = {space.draw(random) for _ in range(50)}
    assert len(drawn) > 40
    for trace in drawn:
        changed = space.change(trace, random)
        assert changed != trace
        assert not space.refusal(changed)
        assert len(space.features(changed)) == len(space.features(space.default))


def test_the_recipes_apply_each_candidate(kernel: Kernel) -> None:
    space, random = space_of(kernel), Random(2)
    module = product()
    for trace in [space.draw(random) for _ in range(30)]:
        scheduled = schedule.replay(module, {"main": list(trace)})
        assert schedule.trace_of(scheduled)["main"] == list(trace)


def test_another_way_is_refused(kernel: Kernel) -> None:
    space = space_of(kernel)
    line = space.default[0].replace(parse_line(space.default[0]).choices[0].way, "sliding")
    assert space.refusal((line,)) == "`sliding` is not a way of this nest"


def test_nests_with_lists_of_users_stay() -> None:
    space = ParameterSpace((LINES[-1],), "x86-64-v3")
    assert list(space.traces()) == [space.default]
    assert space.change(space.default, Random(0)) == space.draw(Random(0)) == space.default


def test_choices_of_another_kernel_are_adapted(kernel: Kernel) -> None:
    space = space_of(kernel)
    other = "ScheduleContraction: d: many_rows(rows=5, vectors=3, lanes=8, sum_block=777, "
    adapted = space.adapted(
        (
            "ScheduleElementwise: a: vectors(lanes=8, flat=1, parallel=0)",
            other + "row_block=96, column_block=512, parallel=1)",
        )
    )
    # The value 777 is not one that a search tries, and the loops of this kernel have no threads.
    assert adapted is not None and not space.refusal(adapted)
    assert {**numbers_of(kernel.trace), **numbers_of(adapted)} == {
        **numbers_of(kernel.trace),
        "rows": 5,
        "vectors": 3,
        "row_block": 96,
        "column_block": 512,
    }
    assert space.adapted(kernel.trace) is None
    assert space.adapted(("ScheduleRow: c: rows(lanes=8)",)) is None
