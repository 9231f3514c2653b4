"""Elementwise arithmetic has the bits of NumPy for every length: each operation rounds once.

All expressions, data types and lengths are functions of one library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir

from ...support.depth import DEPTH

LENGTHS = (1, 7, 33, 61)
SYMBOLIC = (*LENGTHS, 2, 16, 100)
DTYPES = ("float32", "float64", "float16")

Array = np.ndarray[Any, Any]
Expression = Callable[[Any, Any, Any], Any]

# Sums of products, which a compiler might round once.
EXPRESSIONS: dict[str, Expression] = {
    "product_plus": lambda x, y, z: x * y + z,
    "product_minus": lambda x, y, z: x * y - z,
    "minus_product": lambda x, y, z: z - x * y,
    "negative_product": lambda x, y, z: -(x * y) - z,
    "two_products": lambda x, y, z: x * y + y * z,
    "difference_of_products": lambda x, y, z: x * x - y * y,
    "square_plus": lambda x, y, z: x * x + (y + z),
    "nested": lambda x, y, z: (x * y + z) * x + y,
    "quotient": lambda x, y, z: (x * y + z) / (y * y + z * z),
    "polynomial": lambda x, y, z: ((x * y + y) * y + z) * y + x,
}


def functions() -> Iterator[tuple[str, relay.Function]]:
    for dtype in DTYPES:
        for name, expression in EXPRESSIONS.items():
            for length in (*LENGTHS, "n"):
                shape = (tir.SizeVar("n", "int64") if length == "n" else length,)
                params = [relay.Var(letter, relay.Tensor(shape, dtype)) for letter in "xyz"]
                func = relay.Function(params, relay.Block([], expression(*params)))
                symbol = f"{name}_{dtype}_{length}"
                yield symbol, ir.with_attr(func, "global_symbol", symbol)


@pytest.fixture(scope="module")
def library() -> Any:
    made = {ir.GlobalVar(name): func for name, func in functions()}
    return uir.build(ir.IRModule(made))


def operands(length: int, dtype: str, seed: int) -> list[Array]:
    source = np.random.default_rng(seed)
    return [source.standard_normal(length).astype(dtype) for _ in range(3)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_length_has_the_same_bits(library: Any, name: str, dtype: str) -> None:
    for seed in range(4 * DEPTH):
        for length in SYMBOLIC:
            args = operands(length, dtype, seed)
            expected = EXPRESSIONS[name](*args)
            ends = ["n", length] if length in LENGTHS else ["n"]
            for end in ends:
                found = np.from_dlpack(library[f"{name}_{dtype}_{end}"](*args))
                assert found.tobytes() == expected.tobytes(), (length, end, found, expected)


def test_only_recipes_multiply_and_add_at_once() -> None:
    def body(x: relay.Var, y: relay.Var) -> relay.Expr:
        return relay.matmul(x, y) * x + y

    params = [relay.Var(letter, relay.Tensor((64, 64), "float32")) for letter in "xy"]
    func = relay.Function(params, relay.Block([], body(*params)))
    module = ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})
    target = uir.target.Target("c", "x86-64-v3")
    text = uir.target.emit_c(uir.lower(module, target), target)
    assert "sums[0] = multiply_add_float32x8(" in text
    x, y = (np.random.default_rng(seed).standard_normal((64, 64), np.float32) for seed in (1, 2))
    both = relay.Function(params, relay.Block([], relay.matmul(*params)))
    other = ir.IRModule({ir.GlobalVar("main"): ir.with_attr(both, "global_symbol", "main")})
    product = np.from_dlpack(uir.build(other).main(x, y))
    found = np.from_dlpack(uir.build(module).main(x, y))
    assert found.tobytes() == (product * x + y).tobytes()
