"""Functions of bfloat16: what `evaluate` computes on arrays of `ml_dtypes` is what is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import uir
from uir import relay
from uir.ir import RelayExpr
from uir.runtime import as_array, as_tensor

Array = np.ndarray[Any, Any]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def numbers(*shape: int, seed: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(BFLOAT16)


X, W, IMAGE = numbers(6, 24, seed=0), numbers(24, 24, seed=1), numbers(1, 2, 5, 5, seed=2)
KERNEL = numbers(3, 2, 3, 3, seed=3)
CASES: dict[str, Callable[[RelayExpr], RelayExpr]] = {
    "arange": lambda x: relay.arange(-3, 9, 1, dtype="bfloat16"),
    "argmax": lambda x: relay.argmax(x, 1),
    "avg_pool": lambda x: relay.avg_pool(relay.const(IMAGE), [2, 2]),
    "cast.float64": lambda x: relay.cast(x, "float64"),
    "cast.int32": lambda x: relay.cast(relay.multiply(x, 8.0), "int32"),
    "clip": lambda x: relay.clip(x, relay.const(-0.5, "bfloat16"), relay.const(1, "bfloat16")),
    "concatenate": lambda x: relay.concatenate([x, relay.const(W)], 0),
    "constants": lambda x: relay.add(relay.const(W), relay.const(W)),
    "conv": lambda x: relay.conv(relay.const(IMAGE), relay.const(KERNEL)),
    "cumsum": lambda x: relay.cumsum(x, 1),
    "divide": lambda x: relay.divide(x, relay.add(relay.abs(x), 1.0)),
    "exp": relay.exp,
    "erf": relay.erf,
    "floor": relay.floor,
    "full": lambda x: relay.full(relay.const(0.3, "bfloat16"), [3]),
    "gelu": relay.gelu,
    "isnan": relay.isnan,
    "layer_norm": lambda x: relay.layer_norm(x, relay.const(W[0]), relay.const(W[1]), axis=-1),
    "leaky_relu": relay.leaky_relu,
    "less": lambda x: relay.less(x, 0.0),
    "matmul": lambda x: relay.matmul(x, relay.const(W)),
    "max": lambda x: relay.max(x, [0]),
    "max_pool": lambda x: relay.max_pool(relay.const(IMAGE), [2, 2]),
    "mean": lambda x: relay.mean(x, [1]),
    "power": lambda x: relay.power(relay.abs(x), 1.5),
    "resize": lambda x: relay.resize(relay.const(IMAGE), sizes=[7, 7], axes=[2, 3], mode="linear"),
    "sigmoid": relay.sigmoid,
    "sign": relay.sign,
    "silu": relay.silu,
    "softmax": relay.softmax,
    "sum": lambda x: relay.sum(x, [0]),
    "take": lambda x: relay.take(x, relay.const([3, 1]), 0),
    "topk": lambda x: relay.topk(x, 3)[0],
    "where": lambda x: relay.where(relay.greater(x, 0.0), x, relay.negative(x)),
}


def test_evaluated_and_compiled_are_equal() -> None:
    x = relay.Var("x", relay.Tensor(X.shape, "bfloat16"))
    results = relay.Tuple([make(x) for make in CASES.values()])
    function = relay.Function([x], relay.Block([], results))
    evaluated = relay.evaluate(function, X)
    compiled = uir.build(function)["main"](as_tensor(X))
    for name, wanted, tensor in zip(CASES, evaluated, compiled, strict=True):
        found = as_array(tensor)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), name
        if wanted.dtype == BFLOAT16:
            found, wanted = found.astype(np.float32), wanted.astype(np.float32)
            # The last of 8 bits: exponentials are rounded once more where they are not exact.
            np.testing.assert_allclose(found, wanted, rtol=2**-7, atol=2**-9, err_msg=name)
        else:
            np.testing.assert_array_equal(found, wanted, err_msg=name)


def test_constants_keep_their_bits() -> None:
    values = np.array([1.1, -0.0, np.inf, np.nan, 3e38, 1e-40]).astype(BFLOAT16)
    constant = relay.const(values)
    assert str(constant.data.dtype) == "bfloat16"
    assert as_array(constant.data).tobytes() == values.tobytes()
    assert relay.const(np.array([1.1]), "bfloat16").data.dtype == constant.data.dtype
    # A copy: the array may change.
    values[0] = 7
    assert as_array(constant.data)[0] == BFLOAT16.type(1.1)
