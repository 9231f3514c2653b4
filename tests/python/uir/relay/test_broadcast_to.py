"""Broadcasting of dimensions that are 1, or not, when a function runs."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir, relay, tir


def broadcast() -> ir.IRModule:
    """Return a function that broadcasts `n` of its first operand to `m` of its second."""
    n, m = tir.SizeVar("n"), tir.SizeVar("m")
    builder = relay.builder()
    x = builder.param("x", relay.Tensor((3, n), "float32"))
    y = builder.param("y", relay.Tensor((m,), "float32"))
    wide = builder.emit(relay.broadcast_to(relay.exp(x), (2, 3, m)))
    func = builder.make_func(relay.multiply(wide, y))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


@pytest.fixture(scope="module")
def library() -> uir.runtime.Module:
    return uir.build(broadcast())


@pytest.mark.parametrize(("n", "m"), [(1, 70), (70, 70), (1, 1), (1, 0), (0, 0)])
def test_one_function_broadcasts_one_and_copies_others(
    library: uir.runtime.Module, n: int, m: int
) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((3, n), np.float32), rng.standard_normal(m, np.float32)
    expected = np.broadcast_to(np.exp(x), (2, 3, m)) * y
    module = broadcast()
    for found in (relay.evaluate(module, x, y), np.from_dlpack(library["main"](x, y))):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 1), (0, 2)])
def test_other_dimensions_are_named(library: uir.runtime.Module, n: int, m: int) -> None:
    with pytest.raises(ValueError, match=r"must hold: .*of `x`") as caught:
        library["main"](np.ones((3, n), np.float32), np.ones(m, np.float32))
    assert "dimension 0 of `y`" in str(caught.value)
