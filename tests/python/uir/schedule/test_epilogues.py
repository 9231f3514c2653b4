"""Epilogues of contractions: what follows a sum is computed with the sum in registers."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, te, tir, transform

from ...support.depth import DEPTH
from ...support.interpreter import run
from .epilogues import Followed
from .nests import EXTENTS, LAYOUTS, Array, module_of, rounded_twice, scheduled

BEFORE = [schedule.ClassifyBlocks(), schedule.FuseElementwise()]
# Matrices without rows or columns have no epilogue.
EPILOGUES = [layout for layout in LAYOUTS if layout != "matrix and vector"]


def main_of(module: ir.IRModule) -> tir.PrimFunc:
    main = module.lookup("main")
    assert isinstance(main, tir.PrimFunc)
    return main


def trace_of(module: ir.IRModule) -> list[str]:
    return [str(line) for line in main_of(module).get_attr("schedule_trace") or []]


def numbers(func: tir.PrimFunc, values: dict[str, int], seed: int) -> list[Array]:
    """Return arrays for the parameters of a function, the last of which is its result."""
    random = np.random.default_rng(seed)
    arrays: list[Array] = []
    for param in func.params:
        buffer = func.buffer_map[param]
        shape = [
            values[str(extent.name)] if isinstance(extent, tir.Var) else int(extent.value)
            for extent in buffer.shape
        ]
        arrays.append(random.standard_normal(shape).astype(str(buffer.dtype)))
    arrays[-1][...] = np.nan
    return arrays


@pytest.mark.parametrize("layout", LAYOUTS)
def test_elements_are_the_same_bit_for_bit(layout: str) -> None:
    random = Random(layout)
    for seed in range(5 * DEPTH):
        letters = sorted({*LAYOUTS[layout]} - {*"->,"})
        values = {letter: random.choice([one for one in EXTENTS if one < 18]) for letter in letters}
        values.update({letter: min(values[letter], 3) for letter in "bhl" if letter in values})
        extents: dict[str, Any] = {
            letter: tir.SizeVar(letter) if random.random() < 0.3 else value
            for letter, value in values.items()
        }
        func = Followed.random(random, layout, extents).function()
        made = scheduled(module_of(main=func), random.choice(["generic", "x86-64-v3"]))
        assert list(ir.verify(made)) == []
        before, after = numbers(func, values, seed), numbers(func, values, seed)
        run(func, *before)
        run(rounded_twice(main_of(made)), *after)
        np.testing.assert_array_equal(after[-1], before[-1], str(extents))


def test_the_intermediate_buffer_vanishes() -> None:
    followed = Followed("plain", {"m": 64, "k": 700, "n": 40}, ["row", "relu", "residual"])
    func = main_of(transform.Sequential(BEFORE)(module_of(main=followed.function())))
    assert "tir.alloc_buffer" not in str(func)
    assert len([*ir.post_order(func, tir.For)]) == 3
    trace = trace_of(scheduled(module_of(main=followed.function()), "x86-64-v4"))
    assert [line.split(": ")[1] for line in trace] == ["s1", "s0", "sum", "s2"]


def test_sums_of_another_type_are_stored_in_parts_only() -> None:
    """The result is wider than the sums, of which there are parts if the sum is long."""
    for sums, is_stored in ((64, False), (1500, True)):
        followed = Followed("plain", {"m": 64, "k": sums, "n": 40}, ["cast"])
        lowered = uir.lower(followed.function(), uir.target.Target("c", "x86-64-v4"))
        names = [str(one.buffer.name) for one in ir.post_order(lowered, tir.AllocBuffer)]
        assert ("sum" in names) == is_stored


def product(name: str = "sum") -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    x, y = (te.placeholder((12, 12), "float32", name) for name in "xy")
    k = te.reduce_axis((0, 12), "k")
    total = te.compute((12, 12), lambda i, j: te.sum(x[i, k] * y[k, j], axis=[k]), name)
    return x, y, total


@pytest.mark.parametrize(
    "case", ["returned", "transposed", "two readers", "other place", "no lanes"]
)
def test_what_is_no_epilogue_stays_a_nest(case: str) -> None:
    x, y, total = product()
    args = [x, y]
    if case == "returned":
        args += [total, te.compute((12, 12), lambda i, j: total[i, j] + 1.0, "z")]
    elif case == "transposed":
        args += [te.compute((12, 12), lambda i, j: total[j, i] + 1.0, "z")]
    elif case == "two readers":
        args += [te.compute((12, 12), lambda i, j: total[i, j] + 1.0, "z")]
        args += [te.compute((12, 12), lambda i, j: total[i, j] * 2.0, "t")]
    elif case == "other place":
        args += [te.compute((12, 12), lambda i, j: total[i, j] + total[i, 0], "z")]
    else:
        args += [te.compute((12, 12), lambda i, j: total[i, j] + x[j, i], "z")]
    func = te.create_prim_func(args)
    made = scheduled(module_of(main=func), "x86-64-v3")
    assert not [line for line in trace_of(made) if line.startswith("FuseElementwise")]
    before, after = numbers(func, {}, 0), numbers(func, {}, 0)
    run(func, *before)
    run(rounded_twice(main_of(made)), *after)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_residual_of_two_products_is_an_epilogue_of_one() -> None:
    x, y, first = product("first")
    k = te.reduce_axis((0, 12), "k")
    second = te.compute((12, 12), lambda i, j: te.sum(y[i, k] * x[k, j], axis=[k]), "second")
    z = te.compute((12, 12), lambda i, j: first[i, j] + second[i, j], "z")
    func = te.create_prim_func([x, y, z])
    made = scheduled(module_of(main=func), "x86-64-v3")
    assert trace_of(made)[0] == "FuseElementwise: second: in_reader()"
    assert "FuseElementwise: first: in_reader()" not in trace_of(made)
    before, after = numbers(func, {}, 0), numbers(func, {}, 0)
    run(func, *before)
    run(rounded_twice(main_of(made)), *after)
    np.testing.assert_array_equal(after[-1], before[-1])


@pytest.mark.parametrize("isa", ["generic", "x86-64-v3", "x86-64-v4"])
def test_a_trace_replays(isa: str) -> None:
    func = Followed("plain", {"m": tir.SizeVar("m"), "k": 64, "n": 40}, ["row", "tanh"]).function()
    module = module_of(main=func)
    made = scheduled(module, isa)
    assert ir.structural_equal(schedule.replay(module, schedule.trace_of(made)), made)


# Extents and steps that cross groups, panels and blocks; a name in the last column is a variable.
COMPILED: list[tuple[str, dict[str, int], tuple[str, ...], str]] = [
    ("plain", {"m": 70, "k": 1100, "n": 106}, ("row", "relu"), ""),
    ("plain", {"m": 70, "k": 30, "n": 106}, ("row", "tanh", "residual"), ""),
    ("plain", {"m": 33, "k": 600, "n": 65}, ("square", "column"), "mkn"),
    ("plain", {"m": 5, "k": 40, "n": 9}, ("cast", "scale"), "n"),
    ("plain", {"m": 70, "k": 1100, "n": 40}, ("cast", "row"), ""),
    ("plain", {"m": 2, "k": 90, "n": 130}, ("row", "relu"), "m"),
    ("plain", {"m": 1, "k": 300, "n": 10}, ("row", "scale"), ""),
    ("plain", {"m": 0, "k": 30, "n": 10}, ("row", "scale"), "m"),
    ("plain", {"m": 4, "k": 0, "n": 10}, ("row", "square"), "k"),
    ("vector", {"k": 600, "n": 130}, ("row", "tanh"), ""),
    ("right transposed", {"m": 40, "k": 70, "n": 37}, ("residual", "relu"), "m"),
    ("right transposed", {"m": 2, "k": 5000, "n": 37}, ("row", "relu"), ""),
    ("batches", {"b": 3, "m": 17, "k": 20, "n": 40}, ("residual", "row"), "b"),
    ("shared weights", {"b": 3, "m": 9, "k": 20, "n": 40}, ("row", "relu", "residual"), ""),
    ("heads", {"b": 2, "k": 9, "h": 3, "m": 16, "n": 33}, ("scale", "column"), ""),
]


def computed(followed: Followed, arrays: list[Array]) -> Array:
    """Return what NumPy computes in float64."""
    left, right, *others = [one.astype(np.float64) for one in arrays[:-1]]
    value = np.einsum(LAYOUTS[followed.layout], left, right)
    for step in followed.steps:
        if step in {"row", "column", "residual"}:
            one = others.pop(0)
            if step == "column":
                one = one.reshape([-1] + [1] * (value.ndim - 1))
            value = np.maximum(value + one, one * 0.25)
        elif step == "scale":
            value = value * 0.5 + 1.25
        elif step == "relu":
            value = np.maximum(value, 0)
        elif step == "tanh":
            value = np.tanh(value)
        elif step == "square":
            value = value * value + value
    return value


def test_compiled_epilogues() -> None:
    functions, cases = {}, []
    for i, (layout, values, steps, names) in enumerate(COMPILED):
        extents: dict[str, Any] = {
            letter: tir.SizeVar(letter) if letter in names else value
            for letter, value in values.items()
        }
        followed = Followed(layout, extents, steps)
        functions[f"f{i}"] = followed.function(f"f{i}")
        cases.append((followed, values, functions[f"f{i}"]))
    library = uir.build(module_of(**functions))
    for i, (followed, values, func) in enumerate(cases):
        arrays = numbers(func, values, i)
        library[f"f{i}"](*arrays)
        expected = computed(followed, arrays)
        size = float(np.abs(expected).max(initial=1.0))
        np.testing.assert_allclose(
            arrays[-1], expected, rtol=1e-4, atol=2e-5 * size, err_msg=f"f{i}"
        )


@pytest.mark.parametrize(("size", "rows"), [(14, 1), (9, 2)])
def test_convolutions_with_bias_residual_and_relu(size: int, rows: int) -> None:
    shapes = [(rows, 6, size, size), (10, 6, 3, 3), (10, 1, 1), (rows, 10, size, size)]
    params = [relay.Var(f"x{i}", relay.Tensor(s, "float32")) for i, s in enumerate(shapes)]
    x, w, bias, residual = params
    value = relay.conv(x, w, pads=1)
    value = relay.relu(relay.add(relay.add(value, bias), residual))
    program = relay.Function(params, relay.Block([], value))
    program = ir.with_attr(program, "global_symbol", "main")
    lowered = uir.lower(program)
    (lines,) = [[str(line) for line in one] for one in schedule.trace_of(lowered).values()]
    assert any(line.startswith("FuseElementwise: conv: ") for line in lines)
    assert any(line.startswith("ScheduleWindow: relu: packed_pixels") for line in lines)
    arrays = [np.random.default_rng(i).standard_normal(s, np.float32) for i, s in enumerate(shapes)]
    found = np.from_dlpack(uir.build(program)["main"](*arrays))
    data, weights, added, other = [one.astype(np.float64) for one in arrays]
    padded = np.pad(data, [(0, 0), (0, 0), (1, 1), (1, 1)])
    expected = other + added
    for i in range(3):
        for j in range(3):
            part = padded[:, :, i : i + size, j : j + size]
            expected += np.einsum("nchw,oc->nohw", part, weights[:, :, i, j])
    np.testing.assert_allclose(found, np.maximum(expected, 0), rtol=1e-4, atol=1e-4)


def test_depthwise_convolutions_have_one_too() -> None:
    shapes = [(1, 6, 9, 9), (6, 1, 3, 3), (6, 1, 1)]
    params = [relay.Var(f"x{i}", relay.Tensor(s, "float32")) for i, s in enumerate(shapes)]
    value = relay.add(relay.conv(params[0], params[1], groups=6), params[2])
    program = relay.Function(params, relay.Block([], value))
    lowered = uir.lower(ir.with_attr(program, "global_symbol", "main"))
    (lines,) = [[str(line) for line in one] for one in schedule.trace_of(lowered).values()]
    assert any(line.startswith("FuseElementwise") for line in lines)
