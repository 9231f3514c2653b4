"""`ScheduleRow`: the same values, by vectors and in one loop over rows."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from uir import ir, schedule, te, tir
from uir.tir import AllocBuffer, For, ForKind, PrimFunc

from ...support.depth import DEPTH
from ...support.interpreter import run
from .nests import EXTENTS, module_of, scheduled
from .row_programs import operand, random_reduction, row_program

ISAS = ("generic", "x86-64-v3", "x86-64-v4")


def main_of(module: ir.IRModule) -> PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, PrimFunc)
    return main


def lines_of(func: PrimFunc, isa: str = "x86-64-v4") -> list[str]:
    """Return what the recipe chose."""
    trace = schedule.trace_of(scheduled(module_of(main=func), isa))
    lines = trace.get("main", [])
    return [str(line) for line in lines if "ScheduleRow" in line]


@pytest.mark.parametrize("seed", range(6))
def test_reductions_are_the_same(seed: int) -> None:
    random = Random(seed)
    for _ in range(12 * DEPTH):
        one = random_reduction(random)
        made = scheduled(module_of(main=one.func), random.choice(ISAS))
        assert list(ir.verify(made)) == [], one
        x = operand(random, one.values, one.dtype)
        before, after = (np.zeros(one.result_shape(), one.dtype) for _ in range(2))
        run(one.func, x, before)
        run(main_of(made), x, after)
        np.testing.assert_array_equal(after, before, str(one))


@pytest.mark.parametrize("seed", range(6))
def test_row_programs_are_the_same(seed: int) -> None:
    random = Random(seed)
    num_fused = 0
    for _ in range(12 * DEPTH):
        values = [random.choice(EXTENTS[:8]), random.choice(EXTENTS)]
        shape = [tir.SizeVar(f"n{i}") if random.random() < 0.3 else n for i, n in enumerate(values)]
        func = row_program(random, *shape)
        module = module_of(main=func)
        made = scheduled(module, random.choice(ISAS))
        assert list(ir.verify(made)) == []
        num_fused += str(made).count("rows(nests=") - str(made).count("rows(nests=1,")
        args = [operand(random, values, "int32"), operand(random, values[1:], "int32")]
        sizes = {str(var): n for var, n in zip(shape, values, strict=True)}
        results = [
            [
                np.zeros(
                    [int(d) if isinstance(d, int) else sizes.get(str(d), 1) for d in dims], "int32"
                )
                for dims in output_shapes(func)
            ]
            for _ in range(2)
        ]
        run(func, *args, *results[0])
        run(main_of(made), *args, *results[1])
        for before, after in zip(*results, strict=True):
            np.testing.assert_array_equal(after, before, str(func))
        trace = schedule.trace_of(made)
        assert ir.structural_equal(schedule.replay(module, trace), made)
    assert num_fused > 0


def output_shapes(func: PrimFunc) -> list[list[Any]]:
    """Return the extents of the results of a function of two operands."""
    buffers = [func.buffer_map[param] for param in func.params[2:]]
    return [
        [int(d.value) if isinstance(d, ir.IntImm) else d for d in buffer.shape]
        for buffer in buffers
    ]


def softmax(shape: list[Any], dtype: str = "float32", name: str = "main") -> PrimFunc:
    """Return a function of the softmax over the last axis."""
    x = te.placeholder(shape, dtype, "x")
    k = te.reduce_axis((0, shape[-1]), "k")
    kept = [*shape[:-1], 1]
    most = te.compute(kept, lambda *i: te.max(x[(*i[:-1], k)], axis=[k]), "most")
    e = te.compute(shape, lambda *i: tir.exp(x[i] - most[(*i[:-1], 0)]), "e")
    k = te.reduce_axis((0, shape[-1]), "k")
    total = te.compute(kept, lambda *i: te.sum(e[(*i[:-1], k)], axis=[k]), "total")
    y = te.compute(shape, lambda *i: e[i] / total[(*i[:-1], 0)], "y")
    return te.create_prim_func([x, y], name)


def test_nests_of_a_row_are_one_loop() -> None:
    made = main_of(scheduled(module_of(main=softmax([tir.SizeVar("n"), 100])), "x86-64-v4"))
    (line,) = made.get_attr("schedule_trace")
    numbers = "nests=4, loops=1, vector_bits=512, vectors=4, column_block=1024, parallel=0"
    assert line == f"ScheduleRow: most: rows({numbers})"
    assert isinstance(made.body, For)
    shapes = {
        str(one.buffer.name): list(one.buffer.shape) for one in ir.post_order(made, AllocBuffer)
    }
    assert [str(n) for n in shapes["e"]] == ["100"]
    assert [str(n) for n in shapes["total"]] == ["1"]


def test_a_row_that_needs_another_one_is_not_fused() -> None:
    x = te.placeholder((8, 32), "float32", "x")
    k = te.reduce_axis((0, 32), "k")
    total = te.compute((8,), lambda i: te.sum(x[i, k], axis=[k]), "total")
    y = te.compute((8, 32), lambda i, j: x[i, j] + total[7 - i], "y")
    (line,) = lines_of(te.create_prim_func([x, y]))
    assert "total: rows(nests=1, " in line


def test_results_stay_whole() -> None:
    """A buffer that others read keeps all rows."""
    x = te.placeholder((8, 32), "float32", "x")
    k = te.reduce_axis((0, 32), "k")
    total = te.compute((8,), lambda i: te.sum(x[i, k], axis=[k]), "total")
    y = te.compute((8, 32), lambda i, j: x[i, j] + total[i], "y")
    z = te.compute((8,), lambda i: total[7 - i], "z")
    made = main_of(scheduled(module_of(main=te.create_prim_func([x, y, z]))))
    assert "total: rows(nests=2, " in str(made.get_attr("schedule_trace")[0])
    (total_buffer,) = [
        one.buffer for one in ir.post_order(made, AllocBuffer) if one.buffer.name == "total"
    ]
    assert str(total_buffer.shape[0]) == "8"


def test_much_work_is_parallel() -> None:
    (line,) = lines_of(softmax([4, 3, 8192]))
    assert "nests=4, loops=2, " in line
    assert line.endswith("parallel=1)")
    made = scheduled(module_of(main=softmax([4, 3, 8192])))
    (kind,) = {loop.kind for loop in ir.post_order(made, For) if loop.loop_var.name == "row"}
    assert kind == ForKind.PARALLEL


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rows(nests=5, loops=1", "does not fit this nest"),
        ("rows(nests=4, loops=2", "does not fit this nest"),
        ("columns(nests=4, loops=1", "does not fit this nest"),
        ("rows(nests=4, vectors=0", "`vectors` must be from 1 to 64, got 0"),
    ],
)
def test_a_trace_that_does_not_fit_is_refused(line: str, message: str) -> None:
    rest = ", vector_bits=512, vectors=4, column_block=1024, parallel=0)"
    with pytest.raises(ValueError, match=message):
        schedule.replay(
            module_of(main=softmax([4, 32])), {"main": [f"ScheduleRow: most: {line}{rest}"]}
        )


def test_odd_numbers_of_an_edited_trace_are_applied() -> None:
    """Whatever numbers a trace has, the values stay."""
    module = module_of(main=softmax([3, 37], "float64"))
    x = np.random.default_rng(0).standard_normal((3, 37))
    expected = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
    for bits, vectors, block in [(0, 1, 0), (96, 3, 5), (1 << 40, 7, 1)]:
        numbers = f"vector_bits={bits}, vectors={vectors}, column_block={block}"
        line = f"ScheduleRow: most: rows(nests=4, loops=1, {numbers}, parallel=0)"
        made = main_of(schedule.replay(module, {"main": [line]}))
        found = np.zeros_like(x)
        run(made, x, found)
        np.testing.assert_allclose(found, expected, 1e-12)
