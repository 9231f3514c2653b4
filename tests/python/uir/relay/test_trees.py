"""Compiled decision trees against the reference: sizes, data types, and numbers out of range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import uir
from uir.relay import reference
from uir.script import parse

Array = np.ndarray[Any, Any]

RNG = np.random.default_rng(5)
NODES, FEATURES, DEPTH = 40, 6, 5
FUNCTION = """
    @relay.function
    def leaves_{dtype}_{index}{optional}({parameters}):
        n = tir.SizeVar("n", "int64")
        t = tir.SizeVar("t", "int64")
        k = tir.SizeVar("k", "int64")
        f = tir.SizeVar("f", "int64")
        return relay.tree_leaves({arguments}, depth={depth})
"""
CASES = [
    (dtype, index, optional)
    for dtype, index in (("float32", "int32"), ("float64", "int64"), ("float16", "uint8"))
    for optional in ([], ["low"], ["missing"], ["low", "missing"])
]


def function(dtype: str, index: str, optional: list[str]) -> str:
    types = {
        "x": ("(n, f)", dtype),
        "roots": ("(t,)", index),
        "features": ("(k,)", index),
        "high": ("(k,)", dtype),
        "children": ("(k, 2)", index),
        "low": ("(k,)", dtype),
        "missing": ("(k,)", "bool"),
    }
    given = [name for name in types if name not in ("low", "missing") or name in optional]
    parameters = [f'{name}: relay.Tensor({types[name][0]}, "{types[name][1]}")' for name in given]
    arguments = [name if name in given[:5] else f"{name}={name}" for name in given]
    return FUNCTION.format(
        dtype=dtype,
        index=index,
        optional="".join(f"_{name}" for name in optional),
        parameters=", ".join(parameters),
        arguments=", ".join(arguments),
        depth=DEPTH,
    )


@pytest.fixture(scope="module")
def library() -> Any:
    functions = "".join(function(*case) for case in CASES)
    return uir.build(parse(f"@ir_module\nclass Module:{functions}"))


def tables(
    dtype: str, index: str, rows: int, trees: int, nodes: int, features: int
) -> dict[str, Array]:
    """Return random tables, some of whose numbers are out of range."""
    x = RNG.standard_normal((rows, features)).astype(dtype)
    x[RNG.random(x.shape) < 0.1] = np.nan
    least = 0 if index == "uint8" else -2
    return {
        "x": x,
        "roots": RNG.integers(least, nodes + 2, trees).astype(index),
        "features": RNG.integers(least, features + 2, nodes).astype(index),
        "high": RNG.standard_normal(nodes).astype(dtype),
        "children": RNG.integers(least, nodes + 2, (nodes, 2)).astype(index),
        "low": RNG.standard_normal(nodes).astype(dtype) - np.array(1, dtype),
        "missing": RNG.random(nodes) < 0.5,
    }


@pytest.mark.parametrize(("dtype", "index", "optional"), CASES)
@pytest.mark.parametrize(
    "sizes", [(1, 1, 1, 1), (1, 17, NODES, FEATURES), (65, 8, NODES, 1), (130, 3, NODES, FEATURES)]
)
def test_rows_reach_the_nodes_of_the_reference(
    library: Any, dtype: str, index: str, optional: list[str], sizes: tuple[int, int, int, int]
) -> None:
    given = tables(dtype, index, *sizes)
    needed = [given[name] for name in list(given)[:5]]
    chosen = {name: given[name] for name in optional}
    name = "_".join(["leaves", dtype, index, *optional])
    found = np.from_dlpack(library[name](*needed, *chosen.values()))
    expected = reference.tree_leaves(*needed, **chosen, depth=DEPTH)
    assert found.dtype == expected.dtype == index
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("sizes", [(0, 3, 4, 2), (3, 0, 4, 2), (3, 2, 0, 2), (3, 2, 4, 0)])
def test_nothing_to_walk_gives_zeros(library: Any, sizes: tuple[int, int, int, int]) -> None:
    given = list(tables("float32", "int32", *sizes).values())[:5]
    found = np.from_dlpack(library["leaves_float32_int32"](*given))
    np.testing.assert_array_equal(found, reference.tree_leaves(*given, depth=DEPTH))
    assert found.shape == sizes[:2]


def test_no_step_ends_at_the_roots() -> None:
    given = list(tables("float32", "int32", 2, 3, 9, 4).values())[:5]
    expected = np.where((given[1] >= 0) & (given[1] < 9), given[1], 8)
    found = reference.tree_leaves(*given, depth=0)
    np.testing.assert_array_equal(found, np.broadcast_to(expected, (2, 3)))
