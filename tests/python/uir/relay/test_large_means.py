"""Norms and variances are precise where the mean is large beside the deviations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import uir
from uir import ir, relay
from uir.relay import Tensor

MEAN = 100.0
Operator = Callable[[relay.Var], ir.RelayExpr]


def exact(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Return elements less their mean, divided by their deviation, and the variances."""
    centered = x.astype(np.float64) - x.mean(axes, np.float64, keepdims=True)
    variance = np.mean(centered * centered, axes, keepdims=True)
    return centered / np.sqrt(variance + 1e-5), variance


def main(operator: Operator, *shape: Any, dtype: str = "float32") -> ir.IRModule:
    """Return a module of an operator on a tensor."""
    x = relay.Var("x", Tensor(shape, dtype))
    func = relay.Function([x], relay.Block([], operator(x)))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def folded(operator: Operator, x: Any) -> Any:
    """Return what an operator computes of a constant."""
    func = relay.Function([], relay.Block([], operator(relay.const(x))))
    return uir.build(ir.with_attr(func, "global_symbol", "main")).main()


def group_norm(x: relay.Var) -> ir.RelayExpr:
    return relay.group_norm(x, 2, relay.const(np.ones(4, x.checked_type.dtype)))


def test_group_norms() -> None:
    n, c, h = (uir.tir.SizeVar(name, "int64") for name in "nch")
    module = main(group_norm, 2, 4, 30, 41)
    compiled = [
        uir.build(module).main,
        uir.build(main(group_norm, n, 4, h, 41)).main,
        uir.build(main(lambda x: relay.group_norm(x, 2), n, c, h, 41)).main,
    ]
    noise = np.random.default_rng(0).standard_normal((2, 4, 30, 41))
    for mean in (MEAN, 10 * MEAN, 100 * MEAN):
        x = (noise + mean).astype("float32")
        wanted = exact(x.reshape(2, 2, -1), (2,))[0].reshape(x.shape)
        for function in (*compiled, lambda x: folded(group_norm, x)):
            np.testing.assert_allclose(np.from_dlpack(function(x)), wanted, atol=1e-6)
        np.testing.assert_allclose(relay.evaluate(module, x), wanted, atol=1e-6)


def test_group_norms_of_half_precision() -> None:
    """Whole numbers of 16 bits are exact, and sums of theirs are not rounded to 16 bits."""
    x = (np.random.default_rng(0).integers(-9, 9, (2, 4, 30, 41)) + 1000).astype("float16")
    wanted = exact(x.reshape(2, 2, -1), (2,))[0].reshape(x.shape)
    module = main(group_norm, *x.shape, dtype="float16")
    for found in (uir.build(module).main(x), folded(group_norm, x), relay.evaluate(module, x)):
        np.testing.assert_allclose(np.asarray(np.from_dlpack(found)), wanted, atol=2e-3)


def test_statistics_of_columns() -> None:
    """Long sums of columns are those of parts, so that roundings do not add up."""

    def normalized(x: relay.Var) -> ir.RelayExpr:
        centered = x - relay.mean(x, [0], keepdims=True)
        variance = relay.mean(centered * centered, [0], keepdims=True)
        return relay.Tuple([centered * relay.rsqrt(variance + 1e-5), variance])

    n = uir.tir.SizeVar("n", "int64")
    x = (np.random.default_rng(0).standard_normal((20001, 20)) + MEAN).astype("float32")
    wanted, spread = exact(x, (0,))
    for shape in (x.shape, (n, 20)):
        found, variance = uir.build(main(normalized, *shape)).main(x)
        np.testing.assert_allclose(np.from_dlpack(found), wanted, atol=1e-4)
        np.testing.assert_allclose(np.from_dlpack(variance), spread, rtol=2e-6)


def test_norms_of_batches() -> None:
    def normalized(x: relay.Var) -> ir.RelayExpr:
        scale, bias = (relay.const(np.full(4, one, "float32")) for one in (1, 0))
        return relay.batch_norm_training(x, scale, bias, bias, scale, momentum=0.0)

    noise = np.random.default_rng(0).standard_normal((8, 4, 16, 16))
    module = main(normalized, *noise.shape)
    compiled = uir.build(module).main
    for mean in (MEAN, 10 * MEAN, 100 * MEAN):
        x = (noise + mean).astype("float32")
        wanted, spread = exact(x, (0, 2, 3))
        for function in (compiled, lambda x: relay.evaluate(module, x)):
            y, _, variance = (np.asarray(np.from_dlpack(one)) for one in function(x))
            np.testing.assert_allclose(y, wanted, atol=2.5e-6)
            np.testing.assert_allclose(variance, spread.ravel(), rtol=2e-6)
