"""`FuseElementwise`: which elementwise nests move into the loops of others, and which stay."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, te, tir, transform

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import module_of, scheduled

Element = Callable[..., Any]


def fused(func: tir.PrimFunc) -> tir.PrimFunc:
    """Return a function after the two passes."""
    passes = [schedule.ClassifyBlocks(), schedule.FuseElementwise()]
    made = transform.Sequential(passes)(module_of(main=func))
    assert list(ir.verify(made)) == []
    main = made.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main


def trace_of(func: tir.PrimFunc) -> list[str]:
    return [str(line) for line in func.get_attr("schedule_trace") or []]


def stage(name: str, shape: Any, element: Element) -> te.Tensor:
    return te.compute(shape, element, name)


X = te.placeholder((4, 6), "float32", "x")


def test_a_chain_becomes_one_loop() -> None:
    a = stage("a", (4, 6), lambda i, j: tir.exp(X[i, j]))
    b = stage("b", (4, 6), lambda i, j: a[i, j] * a[i, j] + X[i, j])
    y = stage("y", (4, 6), lambda i, j: b[i, j] * b[i, j] + a[i, j])
    func = fused(te.create_prim_func([X, y]))
    assert trace_of(func) == ["FuseElementwise: b: in_reader()", "FuseElementwise: a: in_reader()"]
    assert "tir.alloc_buffer" not in str(func)
    assert len([*ir.post_order(func, tir.For)]) == 2
    # Each value is computed once.
    assert str(func).count("tir.exp(") == 1


def stays(*args: te.Tensor) -> bool:
    func = te.create_prim_func(list(args))
    made = fused(func)
    return trace_of(made) == [] and str(made).count(" for ") == str(func).count(" for ")


def test_a_value_that_is_returned_is_stored() -> None:
    a = stage("a", (4, 6), lambda i, j: X[i, j] * 2.0)
    assert stays(X, a, stage("y", (4, 6), lambda i, j: a[i, j] + 1.0))


def test_a_value_that_two_nests_read_is_stored() -> None:
    a = stage("a", (4, 6), lambda i, j: X[i, j] * 2.0)
    y = stage("y", (4, 6), lambda i, j: a[i, j] + 1.0)
    assert stays(X, y, stage("z", (4, 6), lambda i, j: a[i, j] + 3.0))


@pytest.mark.parametrize(
    "read",
    [
        lambda a: stage("y", (6, 4), lambda i, j: a[j, i] + 1.0),  # No neighbours any more.
        lambda a: stage("y", (4, 6), lambda i, j: a[i, 5 - j] + a[i, j]),
        lambda a: stage("y", (4, 6), lambda i, j: a[i, 0] + 1.0),
        lambda a: stage("y", (4, 3), lambda i, j: a[i, j] + 1.0),
        lambda a: stage("y", (2, 4, 6), lambda n, i, j: a[i, j] + 1.0),
        lambda a: stage("y", (24,), lambda i: a[i // 6, i % 6] + 1.0),
    ],
)
def test_a_reader_of_other_elements_is_another_nest(read: Callable[[te.Tensor], te.Tensor]) -> None:
    a = stage("a", (4, 6), lambda i, j: X[i, j] * 2.0)
    assert stays(X, read(a))


def test_padding_keeps_its_form() -> None:
    def padded(i: Any, j: Any) -> Any:
        inside = tir.logical_and(j >= 1, j < 5)
        return tir.if_then_else(inside, X[i, j - 1], tir.const(0.0, "float32"))

    a = stage("a", (4, 6), padded)
    assert stays(X, stage("y", (4, 6), lambda i, j: a[i, j] + 1.0))


def test_dimensions_of_extent_1_may_be_missing() -> None:
    x = te.placeholder((1, 5), "float32", "x")
    a = stage("a", (1, 5), lambda i, j: x[i, j] * 2.0)
    y = stage("y", (1, 5), lambda i, j: a[0, j] + 1.0)
    z = stage("z", (5,), lambda j: y[0, j] * y[0, j])
    assert len(trace_of(fused(te.create_prim_func([x, z])))) == 2


def test_what_a_nest_reads_must_not_change_on_the_way() -> None:
    text = """
@tir.prim_func
def main(x: tir.Buffer((8,), "float32"), y: tir.Buffer((8,), "float32")):
    tir.func_attr({"tir.noalias": True})
    a = tir.alloc_buffer((8,), "float32")
    for i in range(8):
        a[i] = x[i] * 2.0
    for i in range(8):
        WRITTEN[i] = 1.0
    for i in range(8):
        y[i] = a[i] + 3.0
"""
    for written, count in (("x", 0), ("y", 1)):
        func = uir.script.parse_function(text.replace("WRITTEN", written))
        made = fused(func)
        assert len(trace_of(made)) == count
        for_both = []
        for one in (func, made):
            x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
            run(one, x, y)
            for_both.append(y)
        np.testing.assert_array_equal(*for_both)


def test_nests_that_were_scheduled_by_hand_stay() -> None:
    a = stage("a", (4, 6), lambda i, j: X[i, j] * 2.0)
    y = stage("y", (4, 6), lambda n, j: a[n, j] + 1.0)
    func = schedule.split(te.create_prim_func([X, y]), "n", [None, 2])
    assert trace_of(fused(func)) == []


def test_a_trace_without_the_line_leaves_the_nests() -> None:
    a = stage("a", (4, 6), lambda i, j: X[i, j] * 2.0)
    module = module_of(
        main=te.create_prim_func([X, stage("y", (4, 6), lambda i, j: a[i, j] + 1.0)])
    )
    trace = schedule.trace_of(scheduled(module, "x86-64-v3"))
    assert ir.structural_equal(schedule.replay(module, trace), scheduled(module, "x86-64-v3"))
    lines = [line for line in trace["main"] if "Fuse" not in line]
    assert "tir.alloc_buffer" in str(schedule.replay(module, {"main": lines}))
    wrong = [line.replace("FuseElementwise: a", "FuseElementwise: y") for line in trace["main"]]
    with pytest.raises(ValueError, match="no nest `y` for it"):
        schedule.replay(module, {"main": wrong})


def random_chain(random: Random, index: int, rows: Any) -> tir.PrimFunc:
    """Return a function of elementwise stages, each of some of those before it."""
    x = te.placeholder((rows, 7), "float32", "x")
    row = te.placeholder((7,), "float32", "row")
    known: list[te.Tensor] = [x]
    for number in range(random.randint(2, 5)):
        left, right = random.choice(known), random.choice(known)

        def element(i: Any, j: Any, left: te.Tensor = left, right: te.Tensor = right) -> Any:
            return left[i, j] * left[i, j] + tir.max(right[i, j], row[j])

        def other_place(i: Any, j: Any, left: te.Tensor = left) -> Any:
            return left[i, 6 - j] - row[j]

        chosen: Element = other_place if random.random() < 0.2 else element
        known.append(stage(f"s{number}", (rows, 7), chosen))
    outputs = [known[-1]] if random.random() < 0.7 else [known[-1], known[-2]]
    return te.create_prim_func([x, row, *[one for one in outputs if one is not x]], f"f{index}")


def test_random_chains_are_the_same_bit_for_bit() -> None:
    random = Random(0)
    num_fused = 0
    for index in range(20 * DEPTH):
        func = random_chain(random, index, random.choice([3, tir.SizeVar("n")]))
        made = scheduled(module_of(main=func), random.choice(["generic", "x86-64-v3"]))
        assert list(ir.verify(made)) == []
        main = made.lookup("main")
        assert isinstance(main, tir.PrimFunc)
        num_fused += sum("Fuse" in line for line in trace_of(main))
        inputs = [np.random.default_rng(index).standard_normal(s, np.float32) for s in ((3, 7), 7)]
        outputs = [
            [np.full((3, 7), np.nan, np.float32) for _ in range(len(func.params) - 2)]
            for _ in range(2)
        ]
        run(func, *inputs, *outputs[0])
        run(main, *inputs, *outputs[1])
        np.testing.assert_array_equal(outputs[1], outputs[0])
    assert num_fused > 10


def test_operators_whose_values_have_several_uses_compile_to_one_loop() -> None:
    x = relay.Var("x", relay.Tensor((1000,), "float32"))
    e = relay.exp(x)
    square = relay.add(relay.multiply(e, e), e)
    body = relay.Block([], relay.sigmoid(relay.multiply(square, square)))
    program = ir.with_attr(relay.Function([x], body), "global_symbol", "main")
    lowered = uir.lower(program)
    (lines,) = [[str(line) for line in one] for one in schedule.trace_of(lowered).values()]
    assert sum(line.startswith("FuseElementwise") for line in lines) == 2
    assert sum(line.startswith("ScheduleElementwise") for line in lines) == 1
    assert "malloc" not in str(lowered)
    data = np.random.default_rng(0).standard_normal(1000, np.float32)
    found = np.from_dlpack(uir.build(program)["main"](data))
    wide = np.exp(data.astype(np.float64))
    wide = wide * wide + wide
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-wide * wide)), rtol=1e-4)
