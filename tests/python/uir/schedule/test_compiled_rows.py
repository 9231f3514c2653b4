"""Compiled functions of rows: what NumPy computes, whatever the row and the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, te, tir
from uir.relay import reference

from ...support.process import run_new_python
from ...support.tolerance import same_values
from .nests import Array

Operator = Callable[..., Any]

AXES = (None, [0], [1], [0, 1])
SHAPES = [(1, 1), (1, 37), (3, 2), (5, 16), (2, 1000), (7, 1025), (33, 67), (0, 4), (4, 0)]


def over(name: str, axis: Any) -> tuple[str, Operator, Operator]:
    """Return a reduction over some axes, of ours and of NumPy."""
    ours, numpy_function = getattr(relay, name), getattr(reference, name)
    return (
        f"{name}_{axis}".translate({ord(letter): None for letter in "[], "}),
        lambda x: ours(x, axis=axis),
        lambda x: numpy_function(x, axis=axis),
    )


CASES: list[tuple[str, Operator, Operator]] = [
    ("softmax", relay.softmax, reference.softmax),
    ("softmax0", lambda x: relay.softmax(x, axis=0), lambda x: reference.softmax(x, axis=0)),
    ("log_softmax", relay.log_softmax, reference.log_softmax),
    *(over(name, axis) for name in ("sum", "max", "mean") for axis in AXES),
    *(over(name, [1]) for name in ("min", "prod")),
]


def function(operator: Operator, shape: list[Any], dtype: str = "float32") -> ir.BaseFunc:
    x = relay.Var("x", relay.Tensor(shape, dtype))
    return relay.Function([x], relay.Block([], operator(x)))


def library(functions: dict[str, ir.BaseFunc]) -> Any:
    named = {
        ir.GlobalVar(name): ir.with_attr(f, "global_symbol", name) for name, f in functions.items()
    }
    return uir.build(ir.IRModule(named))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_operators_are_what_their_references_are(dtype: str) -> None:
    fixed = SHAPES[5]
    functions = {}
    for name, ours, _ in CASES:
        extents = [tir.SizeVar("m", "int64"), tir.SizeVar("n", "int64")]
        functions[name] = function(ours, extents, dtype)
        functions[f"fixed_{name}"] = function(ours, list(fixed), dtype)
    built = library(functions)
    numbers = np.random.default_rng(0)
    for name, _, expected in CASES:
        for shape in SHAPES:
            if 0 in shape and not name.startswith("sum"):
                continue
            x = numbers.uniform(0.5, 1.5, shape).astype(dtype)
            wanted = np.asarray(expected(x))
            # Of n numbers, each of which was rounded.
            scale = max(max(shape), 1) if name[:4] in ("sum_", "prod", "mean") else 2
            found = np.from_dlpack(built[name](x))
            same_values(found, wanted, f"{name} {shape}", scale=scale)
            if shape == fixed:
                fixed_found = np.from_dlpack(built[f"fixed_{name}"](x))
                same_values(fixed_found, wanted, f"fixed {name}", scale=scale)


def test_nan_infinities_and_zeros_keep_their_meaning() -> None:
    """`relay.max` of a NaN is NaN, wherever it stands; a softmax of -inf has a zero there."""
    n = 37
    built = library(
        {
            "max": function(lambda x: relay.max(x, axis=1), [n, n]),
            "min": function(lambda x: relay.min(x, axis=1), [n, n]),
            "sum": function(lambda x: relay.sum(x, axis=1), [n, n]),
            "softmax": function(relay.softmax, [n, n]),
        }
    )
    for value in (np.nan, np.inf, -np.inf):
        x = np.random.default_rng(0).standard_normal((n, n)).astype("float32")
        # In each lane, in the rest of a row too.
        np.fill_diagonal(x, value)
        for name, numpy_function in (("max", np.max), ("min", np.min), ("sum", np.sum)):
            found = np.from_dlpack(built[name](x))
            expected = numpy_function(x, axis=1)
            if name == "sum":
                np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))
            else:
                np.testing.assert_array_equal(found, expected)
        found = np.from_dlpack(built["softmax"](x))
        assert np.isnan(found).all() == (value != -np.inf)
        if value == -np.inf:
            np.testing.assert_array_equal(np.diagonal(found), 0)
    zeros = np.full((n, n), -0.0, "float32")
    # The sum begins with 0.0.
    np.testing.assert_array_equal(np.signbit(np.from_dlpack(built["sum"](zeros))), False)
    np.testing.assert_array_equal(np.signbit(np.from_dlpack(built["max"](zeros))), True)


def test_a_row_is_the_same_wherever_it_stands() -> None:
    """The bits depend on the row alone: alone, among others, and at any address."""
    columns = (1, 15, 63, 100, 1000)
    operators: dict[str, Operator] = {
        "softmax": relay.softmax,
        "sum": lambda x: relay.sum(x, axis=1, keepdims=True),
    }
    built = library(
        {
            f"{name}_{n}": function(op, [tir.SizeVar("n", "int64"), n])
            for name, op in operators.items()
            for n in columns
        }
    )
    numbers = np.random.default_rng(0)
    for name in operators:
        for n in columns:
            row = numbers.standard_normal(n).astype("float32")
            alone = np.from_dlpack(built[f"{name}_{n}"](row[None, :]))
            among = np.from_dlpack(built[f"{name}_{n}"](np.tile(row, (7, 1))))
            for one in among:
                assert one.tobytes() == alone[0].tobytes(), (name, n)


THREADS = """
import zlib
import numpy as np
import uir
from uir import ir, relay, tir

functions = {}
for name, operator in {
    "softmax": relay.softmax,
    "rows": lambda x: relay.sum(x, axis=1),
    "columns": lambda x: relay.sum(x, axis=0),
    "total": lambda x: relay.sum(x),
}.items():
    x = relay.Var("x", relay.Tensor((300, 2500), "float32"))
    one = relay.Function([x], relay.Block([], operator(x)))
    functions[ir.GlobalVar(name)] = ir.with_attr(one, "global_symbol", name)
module = ir.IRModule(functions)
assert "parallel=1" in str(uir.schedule.trace_of(uir.lower(module)))
built = uir.build(module)
x = np.random.default_rng(0).standard_normal((300, 2500)).astype("float32")
print([zlib.crc32(np.from_dlpack(built[str(f.name_hint)](x)).tobytes()) for f in functions])
"""


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = set()
    for count in (1, 2, 5):
        monkeypatch.setenv("UIR_NUM_THREADS", str(count))
        printed.add(run_new_python(THREADS))
    assert len(printed) == 1


def test_reductions_of_every_type() -> None:
    """Integers wrap around in any order; logical reductions are vectors of bytes."""
    n = 137
    functions: dict[str, Any] = {}
    combine = {
        "all": (tir.logical_and, np.all),
        "any": (tir.logical_or, np.any),
    }
    expected: dict[str, tuple[Array, Array]] = {}
    numbers = np.random.default_rng(0)
    for dtype in ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float16"):
        # Constants do not reach the greatest value of `uint64`, with which its minimum begins.
        for name, reduce in (("sum", te.sum), ("max", te.max), ("min", te.min))[
            : 1 if dtype == "uint64" else 3
        ]:
            x, k = te.placeholder((9, n), dtype, "x"), te.reduce_axis((0, n), "k")
            y = te.compute((9,), lambda i, x=x, k=k, f=reduce: f(x[i, k], axis=[k]), "y")
            functions[f"{name}_{dtype}"] = te.create_prim_func([x, y], f"{name}_{dtype}")
            low = 0 if dtype[0] == "u" else -5
            values = numbers.integers(low, 100 if "8" not in dtype else 6, (9, n)).astype(dtype)
            result = getattr(np, name)(values, axis=1)
            expected[f"{name}_{dtype}"] = values, result.astype(dtype)
    for name, (function_, numpy_function) in combine.items():
        reducer = te.comm_reducer(
            function_, lambda dtype, n=name: tir.const(int(n == "all"), dtype), name
        )
        x, k = te.placeholder((9, n), "bool", "x"), te.reduce_axis((0, n), "k")
        y = te.compute((9,), lambda i, x=x, k=k, f=reducer: f(x[i, k], axis=[k]), "y")
        functions[name] = te.create_prim_func([x, y], name)
        values = np.full((9, n), name == "all")
        for row in range(8):
            values[row, row * 17] ^= True
        expected[name] = values, numpy_function(values, axis=1)
    built = uir.build(ir.IRModule({ir.GlobalVar(name): f for name, f in functions.items()}))
    for name, (values, wanted) in expected.items():
        found = np.zeros_like(wanted)
        built[name](values, found)
        np.testing.assert_array_equal(found, wanted, name)
