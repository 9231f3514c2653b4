"""`ClassifyBlocks`, `ScheduleElementwise` and `ScheduleFallback`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from uir import ir, schedule, te, tir
from uir.schedule import BlockKind
from uir.tir import For, ForKind, PrimFunc, const

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import EXTENTS, contraction, module_of, scheduled

FLOAT = "float32"


def main_of(module: ir.IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def kind_of(func: PrimFunc) -> BlockKind:
    """Return the kind that the pass notes of a function of one nest."""
    body = main_of(schedule.ClassifyBlocks()(module_of(main=func))).body
    assert isinstance(body, For)
    return BlockKind(int(body.annotations["block_kind"]))


def row_sums() -> PrimFunc:
    x = te.placeholder((8, 9), FLOAT, "x")
    k = te.reduce_axis((0, 9), name="k")
    return te.create_prim_func([x, te.compute((8,), lambda i: te.sum(x[i, k], axis=[k]), "y")])


def window() -> PrimFunc:
    x, w = te.placeholder((12,), FLOAT, "x"), te.placeholder((4,), FLOAT, "w")
    k = te.reduce_axis((0, 4), name="k")
    return te.create_prim_func(
        [x, w, te.compute((9,), lambda i: te.sum(x[i + k.var] * w[k], axis=[k]), "y")]
    )


def recurrence() -> PrimFunc:
    x, i = tir.decl_buffer([const(8)], FLOAT, "x"), tir.Var("i", "int32")
    step = tir.BufferStore(x, tir.BufferLoad(x, [i]), [i + 1])
    loop = For(i, const(0), const(7), ForKind.SERIAL, step)
    param = tir.Var("x", "handle")
    return PrimFunc([param], loop, {param: x}, attrs=ir.DictAttrs({"tir.noalias": True}))


def unary(shape: list[Any], body: Callable[[Any], Any]) -> PrimFunc:
    x = te.placeholder(shape, FLOAT, "x")
    return te.create_prim_func([x, te.compute(shape, lambda *i: body(x[i]), "y")])


def test_kinds() -> None:
    assert kind_of(unary([4, 5], lambda x: x + x)) == BlockKind.ELEMENTWISE
    assert kind_of(row_sums()) == BlockKind.ROW
    assert kind_of(window()) == BlockKind.WINDOW
    plain = contraction("plain", {"m": 4, "k": 4, "n": 4})
    assert kind_of(plain) == BlockKind.CONTRACTION
    assert kind_of(recurrence()) == BlockKind.OTHER


def test_notes_go() -> None:
    for func in (row_sums(), window(), recurrence(), unary([4], lambda x: x)):
        made = scheduled(module_of(main=func))
        assert all("block_kind" not in loop.annotations for loop in ir.post_order(made, For))


def operands(random: Random, shape: list[int]) -> np.ndarray[Any, Any]:
    numbers = np.random.default_rng(random.getrandbits(32))
    return numbers.standard_normal(shape, np.float32)


@pytest.mark.parametrize("seed", range(6))
def test_elements_are_the_same(seed: int) -> None:
    random = Random(seed)
    for _ in range(2 * DEPTH):
        values = [random.choice(EXTENTS) for _ in range(random.randint(1, 3))]
        shape = [tir.SizeVar(f"n{i}") if random.random() < 0.3 else n for i, n in enumerate(values)]
        x, row = te.placeholder(shape, FLOAT, "x"), te.placeholder(shape[-1:], FLOAT, "row")

        def element(*i: Any, x: Any = x, row: Any = row, uses_row: bool = seed % 2 == 0) -> Any:
            value = tir.max(x[i], 0.25) * x[i]
            return value + row[i[-1]] if uses_row else value

        func = te.create_prim_func([x, row, te.compute(shape, element, "y")])
        args = [operands(random, values), operands(random, values[-1:])]
        before, after = (np.full(values, np.nan, np.float32) for _ in range(2))
        made = scheduled(module_of(main=func), random.choice(["generic", "x86-64-v3"]))
        assert list(ir.verify(made)) == []
        run(func, *args, before)
        run(main_of(made), *args, after)
        np.testing.assert_array_equal(after, before, str(shape))


def test_equal_shapes_become_one_loop() -> None:
    made = scheduled(module_of(main=unary([10, 10], lambda x: x + x)), "x86-64-v3")
    loops = [(str(loop.loop_var.name), loop.kind) for loop in ir.post_order(made, For)]
    assert sorted(loops) == [
        ("element_lane", ForKind.VECTORIZED),
        ("element_lane", ForKind.VECTORIZED),
        ("element_vector", ForKind.SERIAL),
    ]
    (line,) = main_of(made).get_attr("schedule_trace")
    assert line == "ScheduleElementwise: y: vectors(lanes=8, flat=1, parallel=0)"


def test_transposed_reads_stay() -> None:
    x = te.placeholder((8, 8), FLOAT, "x")
    func = te.create_prim_func([x, te.compute((8, 8), lambda i, j: x[j, i], "y")])
    assert ir.structural_equal(main_of(scheduled(module_of(main=func))).body, func.body)


def test_much_work_is_parallel() -> None:
    made = scheduled(module_of(main=unary([1 << 20], lambda x: x + x)))
    kinds = {str(loop.loop_var.name): loop.kind for loop in ir.post_order(made, For)}
    assert kinds["i0_vector"] == ForKind.PARALLEL


def padding(before: int, after: int, rows: Any, columns: Any) -> PrimFunc:
    """Return a matrix with ones around it."""
    x = te.placeholder((rows, columns), FLOAT, "x")

    def element(i: Any, j: Any) -> Any:
        down, right = i - before, j - before
        is_row = tir.logical_and(down >= 0, down < rows)
        is_inside = tir.logical_and(is_row, tir.logical_and(right >= 0, right < columns))
        return tir.if_then_else(is_inside, x[down, right], 1.0)

    extra = before + after
    return te.create_prim_func([x, te.compute((rows + extra, columns + extra), element, "y")])


@pytest.mark.parametrize("isa", ["generic", "x86-64-v4"])
def test_padding_is_stored_by_vectors(isa: str) -> None:
    random = Random(isa)
    for _ in range(8 * DEPTH):
        before, after = random.randint(-1, 3), random.randint(0, 3)
        rows, columns = random.randint(2, 4), random.choice(EXTENTS[2:])
        shape = (rows, tir.SizeVar("n")) if random.random() < 0.3 else (rows, columns)
        func = padding(before, after, *shape)
        made = scheduled(module_of(main=func), isa)
        assert list(ir.verify(made)) == []
        values = np.random.default_rng(0).standard_normal((rows, columns)).astype(FLOAT)
        shape = (rows + before + after, columns + before + after)
        one, other = (np.full(shape, np.nan, FLOAT) for _ in range(2))
        run(func, values, one)
        run(main_of(made), values, other)
        np.testing.assert_array_equal(other, one, f"{before} {after} {rows} {columns}")


def test_known_padding_has_no_condition_for_each_element() -> None:
    made = main_of(scheduled(module_of(main=padding(1, 2, 4, 40)), "x86-64-v3"))
    (line,) = made.get_attr("schedule_trace")
    assert line == "ScheduleElementwise: y: padding(lanes=8, parallel=0)"
    assert "if_then_else" not in str(made.body)
