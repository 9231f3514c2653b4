"""Traces: lines that say what recipes chose, read back and replayed."""

from __future__ import annotations

from typing import Any

import pytest

from uir import ir, schedule, te, tir, transform

from .nests import contraction, module_of

ISAS = ("generic", "x86-64-v3", "x86-64-v4")


def recipes_on(module: ir.IRModule, isa: str) -> ir.IRModule:
    return transform.Sequential(schedule.recipes(isa))(module)


def chain(name: str, rows: Any) -> tir.PrimFunc:
    """Return two elementwise nests of one name, a contraction, and a large nest."""
    x, w = te.placeholder((rows, 24), "float32", "x"), te.placeholder((24, 20), "float32", "w")
    first = te.compute((rows, 24), lambda i, j: x[i, j] + 1.0, "h")
    second = te.compute((rows, 24), lambda i, j: first[i, j] * first[i, 0], "h")
    k = te.reduce_axis((0, 24), "k")
    product = te.compute(
        (rows, 20), lambda i, j: te.sum(second[i, k] * w[k, j], axis=[k]), "product"
    )
    y = te.compute((20, rows), lambda i, j: product[j, i], "y")
    return te.create_prim_func([x, w, y], name)


def sample() -> ir.IRModule:
    return module_of(
        chain=chain("chain", 16),
        symbolic=chain("symbolic", tir.SizeVar("n")),
        few=contraction("right transposed", {"m": 2, "k": 64, "n": 64}, name="few"),
        large=te.create_prim_func(
            [x := te.placeholder((1024, 512), "float32", "x"),
             te.compute((512, 1024), lambda i, j: x[j, i], "y")],
            "large",
        ),
    )  # fmt: skip


@pytest.mark.parametrize("isa", ISAS)
def test_a_trace_gives_the_same_tir_on_any_machine(isa: str) -> None:
    module = sample()
    made = recipes_on(module, isa)
    trace = schedule.trace_of(made)
    assert {*trace} == {"chain", "symbolic", "few", "large"}
    again = schedule.replay(module, trace)
    assert all(str(again[name]) == str(made[name]) for name in trace)
    assert ir.structural_equal(again, made)
    # The recipes of another machine choose the same behind `ReplaySchedule`.
    passes = [schedule.ReplaySchedule(trace), *schedule.recipes("generic")]
    assert ir.structural_equal(transform.Sequential(passes)(module), made)


def test_nests_of_one_name_are_told_apart() -> None:
    lines = [str(line) for line in schedule.trace_of(recipes_on(sample(), "generic"))["chain"]]
    assert [line for line in lines if "Elementwise" in line] == [
        "ScheduleElementwise: h: vectors(lanes=4, flat=1, parallel=0)",
        "ScheduleElementwise: h#2: vectors(lanes=4, flat=0, parallel=0)",
    ]


def test_an_edited_trace_is_applied() -> None:
    module = module_of(main=contraction("plain", {"m": 64, "k": 64, "n": 64}))
    line = str(schedule.trace_of(recipes_on(module, "x86-64-v3"))["main"][0])
    assert "rows=6" in line
    edited = schedule.replay(module, {"main": [line.replace("rows=6", "rows=4")]})
    sums = {one.buffer for one in ir.post_order(edited, tir.AllocBuffer)}
    assert {str(one.shape[0]) for one in sums if one.name == "sums"} == {"8"}


def test_nests_without_a_line_stay() -> None:
    module = sample()
    bare = schedule.replay(module, {})
    assert ir.structural_equal(bare, module)


ELEMENTWISE = "ScheduleElementwise: h: vectors(lanes=8, flat=1, parallel=0)"
MISSPELT = ELEMENTWISE.replace("Elementwise", "Elementwize")


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        ({"main": ["nothing"]}, "`nothing` is not a line of a trace: expected `Recipe: nest: "),
        ({"main": ["A: b: c(d=1"]}, "got its end"),
        ({"main": ["A: b: c(d=x)"]}, "got `x)`"),
        ({"main": ["A: b: c(d=1) and"]}, "got ` and`"),
        ({"chian": [ELEMENTWISE]}, "lines for `chian`, but the module has no such function; did"),
        ({"chain": [ELEMENTWISE.replace("h:", "hh:")]}, "no nest `hh` for it; did you mean `h`?"),
        ({"chain": [ELEMENTWISE.replace("h:", "h#3:")]}, "only 0 nests"),
        ({"chain": [MISSPELT]}, "none of the passes that ran knows; did you mean `ScheduleE"),
        ({"chain": [ELEMENTWISE.replace("lanes=8, ", "")]}, "has no parameter `lanes`"),
        ({"chain": [ELEMENTWISE.replace("=8", "=0")]}, "`lanes` must be from 1 to 64, got 0"),
        ({"chain": [ELEMENTWISE.replace("vectors", "vector")]}, "does not fit this nest"),
        ({"chain": [ELEMENTWISE.replace("h:", "y:")]}, "does not fit this nest"),
    ],
)  # fmt: skip
def test_traces_that_do_not_fit_are_refused(trace: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ValueError) as error:
        schedule.replay(sample(), trace)
    assert message in str(error.value)
