"""Passes that fuse and rewrite keep NaN, infinities, signs and what overflows.

Many programs are functions of two libraries: one of the default pipeline, and one without the
passes that rewrite graphs and loops. Both are called with tensors of special numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, transform

from ...support.depth import DEPTH

Array = np.ndarray[Any, Any]
Body = Callable[..., Any]

# `FoldAffineIntoWeights` may change what overflows: docs/semantics.md.
REWRITING = [
    *("FuseAttention", "FoldConstant", "FoldAffineIntoWeights", "SimplifyExpr"),
    *("EliminateCommonSubexpr", "FuseOps", "AlterLayout", "PackWeights", "FuseElementwise"),
    *("ScheduleContraction", "ScheduleWindow", "ScheduleRow", "ScheduleElementwise"),
]
SHAPES = {"x": (2, 3, 5, 4), "y": (2, 3, 4, 5), "z": (2, 3, 5, 4), "m": (5, 5)}
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, -1e-40, 1.0, -1.0, 2.5, -3.0]
# Only where nothing is summed, as sums may overflow in another order: docs/semantics.md.
HUGE = [3e38, -3e38, 2e19, -2e19]


def c(value: float) -> Any:
    return relay.const(np.float32(value))


ELEMENTWISE: dict[str, Body] = {
    "zero_sum": lambda x, z: (x + c(0.0)) * c(1.0) - c(0.0),
    "negative_zero_sum": lambda x, z: x + c(-0.0),
    "difference": lambda x, z: -(x - z) + (z - x),
    "self_difference": lambda x, z: x - x,
    "self_quotient": lambda x, z: x / x,
    "zero_product": lambda x, z: x * c(0.0),
    "negative_products": lambda x, z: -x * -z,
    "negative_sum": lambda x, z: x + -z,
    "scaled_twice": lambda x, z: (x * c(1e30)) * c(1e-30),
    "divided_twice": lambda x, z: (x / c(1e30)) / c(1e30),
    "quotient_by_small": lambda x, z: x / c(1e-40),
    "bounds": lambda x, z: relay.maximum(relay.maximum(x, z), z),
    "clip": lambda x, z: relay.clip(relay.clip(x, c(-1.0), c(1.0)), c(-1.0), c(1.0)),
    "relu": lambda x, z: relay.relu(relay.relu(x)),
    "comparison": lambda x, z: relay.cast(relay.logical_not(relay.less(x, z)), "float32"),
    "greater": lambda x, z: relay.cast(relay.logical_not(relay.greater_equal(x, z)), "float32"),
    "choice": lambda x, z: relay.where(relay.equal(x, z), x, z),
    "same_choice": lambda x, z: relay.where(relay.less(x, z), x, x),
    "rounding": lambda x, z: relay.floor(relay.ceil(x)) + relay.round(relay.round(z)),
    "signs": lambda x, z: relay.sign(relay.sign(x)) * relay.abs(relay.abs(-z)),
    "powers": lambda x, z: relay.power(x, c(2.0)) + relay.power(z, c(0.5)),
    "exponentials": lambda x, z: relay.exp(x) - relay.log(z),
    "activations": lambda x, z: relay.sigmoid(x) * relay.tanh(z) + relay.silu(x),
    "gelu": lambda x, z: relay.gelu(x) + relay.gelu(z, approximate=True),
    "near_zero": lambda x, z: relay.expm1(x) * relay.log1p(z),
}
REDUCTIONS: dict[str, Body] = {
    "softmax": lambda x, z: relay.softmax(x) * relay.exp(z),
    "softmax_of_columns": lambda x, z: relay.softmax(x + z, axis=1),
    "log_softmax": lambda x, z: relay.log_softmax(x - z),
    "layer_norm": lambda x, z: relay.layer_norm(x, relay.const(np.ones(4, np.float32))) + z,
    "group_norm": lambda x, z: relay.group_norm(relay.relu(x), groups=3) * z,
    "mean": lambda x, z: relay.mean(x * z, [1], keepdims=True) - x,
    "greatest": lambda x, z: relay.max(relay.relu(x) - z, [3], keepdims=True) + z,
    "least": lambda x, z: relay.min(x, [2], keepdims=True) * relay.min(z, [1], keepdims=True),
    "sum_of_choice": lambda x, z: relay.sum(relay.where(relay.less(x, z), x, z), [0, 3]),
}
PRODUCTS: dict[str, Body] = {
    "product": lambda x, y, z, m: relay.relu((x @ y) * c(2.0) + m),
    "weights": lambda x, y, z, m: (
        x @ relay.const(np.linspace(-1, 1, 20, dtype=np.float32).reshape(4, 5)) * c(0.5) + m
    ),
    "shared_operand": lambda x, y, z, m: (x @ y) - (z @ y),
    "attention": lambda x, y, z, m: relay.softmax(x @ y) @ z,
    "attention_scaled": lambda x, y, z, m: relay.softmax((x @ y) * c(0.25)) @ z,
    "attention_divided": lambda x, y, z, m: relay.softmax((x @ y) / c(1e-40)) @ z,
    "attention_masked": lambda x, y, z, m: relay.softmax((x @ y) * c(0.5) + m) @ z,
}
PROGRAMS = {**ELEMENTWISE, **REDUCTIONS, **PRODUCTS}


def operands_of(name: str) -> str:
    return "xyzm" if name in PRODUCTS else "xz"


def module() -> ir.IRModule:
    functions = {}
    for name, body in PROGRAMS.items():
        letters = operands_of(name)
        params = [relay.Var(letter, relay.Tensor(SHAPES[letter], "float32")) for letter in letters]
        func = relay.Function(params, relay.Block([], body(*params)))
        functions[ir.GlobalVar(name)] = ir.with_attr(func, "global_symbol", name)
    return ir.IRModule(functions)


@pytest.fixture(scope="module")
def built() -> tuple[Any, Any]:
    with transform.PassContext(disabled_pass=REWRITING):
        plain = uir.build(module())
    return plain, uir.build(module())


def arguments(name: str, seed: int) -> list[Array]:
    source = np.random.default_rng(seed)
    pool = SPECIAL + (HUGE if name in ELEMENTWISE else [])
    # Mostly ordinary numbers, so that not all of a sum is NaN.
    share = 1.0 if name in ELEMENTWISE else [0.02, 0.1][seed % 2]
    arrays = []
    for letter in operands_of(name):
        shape = SHAPES[letter]
        array = source.standard_normal(shape).astype(np.float32)
        chosen = source.random(shape) < share
        array[chosen] = source.choice(np.array(pool, np.float32), shape)[chosen]
        arrays.append(array)
    if name in PRODUCTS:
        # A query that sees no keys, and one that sees all but one.
        arrays[-1][1], arrays[-1][2, :1] = -np.inf, -np.inf
    return arrays


@pytest.mark.parametrize("name", PROGRAMS)
def test_special_values_stay(built: tuple[Any, Any], name: str) -> None:
    for seed in range(6 * DEPTH):
        args = arguments(name, seed)
        expected, found = (np.from_dlpack(one[name](*args)) for one in built)
        assert np.array_equal(np.isnan(found), np.isnan(expected)), args
        numbers = ~np.isnan(expected)
        found, expected = found[numbers], expected[numbers]
        assert np.array_equal(np.isinf(found), np.isinf(expected)), args
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
        if name in ELEMENTWISE:
            assert np.array_equal(np.signbit(found), np.signbit(expected)), args


def test_a_query_that_sees_no_keys() -> None:
    """Of a softmax it is NaN, as it is without fusion; `relay.attention` gives 0 by default."""
    query, key, value = (np.ones((1, 1, 2, 4), np.float32) for _ in range(3))
    mask = np.array([[0, 0], [-np.inf, -np.inf]], np.float32)
    types = [relay.Tensor(one.shape, "float32") for one in (query, key, value, mask)]
    params = [relay.Var(f"x{i}", one) for i, one in enumerate(types)]
    for zero, expected in ((True, 0.0), (False, np.nan)):
        body = relay.attention(*params, zero_unseen=zero)
        func = relay.Function(params, relay.Block([], body))
        made = ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})
        found = np.from_dlpack(uir.build(made).main(query, key, value, mask))
        np.testing.assert_array_equal(found[0, 0, 0], np.ones(4, np.float32))
        np.testing.assert_array_equal(found[0, 0, 1], np.full(4, expected, np.float32))
