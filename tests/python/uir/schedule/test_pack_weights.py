"""`PackWeights`: constant right operands lie in panels, and nothing is packed at run time."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, schedule, tir, transform
from uir.driver import default_pipeline

from ...support.interpreter import run
from .nests import Array

NUMBERS = np.random.default_rng(0)


def entry(params: list[relay.Var], value: Any, name: str = "main") -> ir.IRModule:
    func = relay.Function(params, relay.Block([], value))
    return ir.IRModule({ir.GlobalVar(name): ir.with_attr(func, "global_symbol", name)})


def weights(*shape: int, dtype: str = "float32") -> tuple[Array, relay.Constant]:
    array = NUMBERS.integers(-4, 5, shape).astype(dtype)
    return array, relay.Constant(array)


def variable(*shape: Any, dtype: str = "float32") -> relay.Var:
    return relay.Var("x", relay.Tensor(shape, dtype))


def before_and_after(module: ir.IRModule) -> tuple[ir.IRModule, ir.IRModule]:
    """Return a module as it comes to the pass, and what the pass makes of it."""
    passes = list(default_pipeline(uir.target.Target("c", "x86-64-v3")))
    place = [one.pass_info.name for one in passes].index("PackWeights")
    before = transform.Sequential(passes[:place])(module)
    after = schedule.PackWeights()(before)
    assert list(ir.verify(after)) == []
    return before, after


def loops_of(module: ir.IRModule) -> str:
    """Return the text of a module with the loops of its recipes."""
    passes = list(default_pipeline(uir.target.Target("c", "x86-64-v4")))
    place = [one.pass_info.name for one in passes].index("LowerBlocks")
    return str(transform.Sequential(passes[: place + 1])(module))


def constants(module: ir.IRModule, name: str = "main") -> list[tuple[int, ...]]:
    """Return the shapes of the constants that are used."""
    bound = transform.BindConstants()(module)
    return [tuple(one.shape) for one in bound.get_attr("constants") or ()]


def test_panels_are_filled_up_with_zeros() -> None:
    array, constant = weights(5, 40)
    x = variable(8, 5)
    _, after = before_and_after(entry([x], relay.matmul(x, constant)))
    (packed,) = transform.BindConstants()(after).get_attr("constants")
    expected = np.zeros((1, 5, 48), np.float32)
    expected[0, :, :40] = array
    np.testing.assert_array_equal(np.from_dlpack(packed), expected)
    assert int(packed.__dlpack_device__()[0]) == 1


def test_the_module_computes_the_same() -> None:
    x = variable(6, 7)
    (_, first), (_, second) = weights(7, 33), weights(33, 20)
    module = entry([x], relay.matmul(relay.relu(relay.matmul(x, first)), second))
    data = NUMBERS.integers(-4, 5, (6, 7)).astype(np.float32)
    results = []
    for one in map(transform.BindConstants(), before_and_after(module)):
        out = np.full((6, 20), np.nan, np.float32)
        main: Any = one.lookup("main")
        run(main, data, out, module=one)
        results.append(out)
    np.testing.assert_array_equal(*results)


def test_nothing_is_packed_when_the_function_runs() -> None:
    x = variable(64, 100)
    _, constant = weights(100, 70)
    lowered = uir.lower(entry([x], relay.matmul(x, constant)))
    names = [str(one.buffer.name) for one in ir.post_order(lowered, tir.AllocBuffer)]
    assert not any("packed" in name for name in names)
    ((line,),) = schedule.trace_of(lowered).values()
    assert "many_rows_in_panels(" in line


def unchanged(module: ir.IRModule) -> bool:
    before, after = before_and_after(module)
    return after.same_as(before)


def test_what_is_no_constant_of_all_calls_stays() -> None:
    w = relay.Var("w", relay.Tensor((5, 40), "float32"))
    x = variable(8, 5)
    assert unchanged(entry([x, w], relay.matmul(x, w)))
    _, constant = weights(5, 40)
    # One function for both products, of which one has a variable.
    both = relay.add(
        relay.transpose(relay.matmul(x, w)), relay.transpose(relay.matmul(x, constant))
    )
    assert unchanged(entry([x, w], both))


@pytest.mark.parametrize(("rows", "columns"), [(1, 40), (3, 40), (8, 1), (8, 7)])
def test_few_rows_and_few_columns_stay(rows: int, columns: int) -> None:
    x = variable(rows, 5)
    _, constant = weights(5, columns)
    assert unchanged(entry([x], relay.matmul(x, constant)))


def test_public_functions_keep_their_parameters() -> None:
    module = entry([x := variable(8, 5)], relay.matmul(x, weights(5, 40)[1]))
    before, _ = before_and_after(module)
    named = {
        var: ir.with_attr(func, "global_symbol", str(var.name_hint))
        for var, func in before.functions.items()
    }
    public = ir.IRModule(named)
    assert schedule.PackWeights()(public).same_as(public)


def test_a_constant_that_is_also_used_otherwise_is_there_twice() -> None:
    x, y = variable(8, 40), relay.Var("y", relay.Tensor((40, 40), "float32"))
    _, constant = weights(40, 40)
    value = relay.Tuple([relay.matmul(x, constant), relay.add(y, constant)])
    before, after = before_and_after(entry([x, y], value))
    assert constants(before) == [(40, 40)]
    assert sorted(constants(after)) == [(1, 40, 48), (40, 40)]


def test_one_function_takes_several_weights() -> None:
    x = variable(16, 24)
    arrays, value = [], x
    for _ in range(3):
        array, constant = weights(24, 24)
        arrays.append(array)
        value = relay.minimum(relay.matmul(value, constant), relay.const(3.0, "float32"))
    module = entry([x], value)
    _, after = before_and_after(module)
    assert constants(after) == [(1, 24, 32)] * 3
    data = NUMBERS.integers(-2, 3, (16, 24)).astype(np.float32)
    expected = data
    for array in arrays:
        expected = np.minimum(expected @ array, 3)
    np.testing.assert_array_equal(np.from_dlpack(uir.build(module)["main"](data)), expected)


# Rows (0 for a variable), sums, columns, data type, and whether the weights are transposed.
SHAPES = [
    (64, 100, 70, "float32", False),
    (64, 1500, 10, "float32", False),
    (0, 33, 100, "float32", False),
    (0, 2000, 257, "float32", True),
    (9, 20, 37, "float64", False),
    (9, 20, 37, "int32", True),
    (9, 20, 37, "float16", False),
]


@pytest.mark.parametrize("isa", ["x86-64-v3", "x86-64"])
def test_compiled_products(isa: str) -> None:
    functions: dict[ir.GlobalVar, ir.BaseFunc] = {}
    cases = []
    for i, (rows, sums, columns, dtype, is_transposed) in enumerate(SHAPES):
        shape = (columns, sums) if is_transposed else (sums, columns)
        array, constant = weights(*shape, dtype=dtype)
        x = variable(rows or tir.SizeVar("n"), sums, dtype=dtype)
        product = (
            relay.einsum((x, constant), equation="mk,nk->mn")
            if is_transposed
            else relay.matmul(x, constant)
        )
        functions.update(entry([x], relay.relu(product), f"f{i}").functions)
        cases.append((rows, sums, dtype, array.T if is_transposed else array))
    library = uir.build(ir.IRModule(functions), uir.target.Target("c", isa))
    for i, (rows, sums, dtype, array) in enumerate(cases):
        for count in (rows,) if rows else (0, 1, 2, 3, 4, 29):
            data = NUMBERS.integers(-4, 5, (count, sums)).astype(dtype)
            expected = np.maximum(data.astype("float64") @ array.astype("float64"), 0)
            found = np.from_dlpack(library[f"f{i}"](data))
            np.testing.assert_array_equal(found, expected.astype(dtype), f"f{i} {count}")


@pytest.mark.parametrize(
    ("rows", "columns", "shared"),
    [(8, 4096, "column"), (128, 768, "column"), (1000, 768, "row"), (128, 96, "row")],
)
def test_threads_share_columns_where_all_rows_are_one_block(
    rows: int, columns: int, shared: str
) -> None:
    array, constant = weights(1024, columns)
    x = variable(rows, 1024)
    module = entry([x], relay.matmul(x, constant))
    (loop,) = re.findall(r"for (\w+)_block in tir\.parallel", loops_of(module))
    assert loop == shared
    data = NUMBERS.integers(-4, 5, (rows, 1024)).astype(np.float32)
    found = uir.build(module).main(data)
    np.testing.assert_array_equal(np.from_dlpack(found), data @ array)
