"""FoldAffineIntoWeights: factors and summands of channels go into weights, and values stay."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, transform

from ...support.depth import DEPTH

PREPARE = [transform.ToANormalForm(), transform.InferType(), transform.DecomposeOps()]
FOLD = [transform.FoldAffineIntoWeights(), transform.DeadCode()]

Values = np.ndarray[Any, Any]
Contraction = Callable[[relay.Var, np.random.Generator, str], tuple[Any, int]]


def const(rng: np.random.Generator, shape: tuple[int, ...], dtype: str = "float64") -> Any:
    """Return a constant of numbers between 0.5 and 2, by which one may divide."""
    return relay.const(rng.uniform(0.5, 2, shape).astype(dtype))


def module_of(*functions: relay.Function) -> ir.IRModule:
    """Return a module of public functions `f0`, `f1` and so on."""
    names = [f"f{index}" for index in range(len(functions))]
    return ir.IRModule(
        {
            ir.GlobalVar(name): ir.with_attr(func, "global_symbol", name)
            for name, func in zip(names, functions, strict=True)
        }
    )


def fold(module: ir.IRModule) -> tuple[ir.IRModule, ir.IRModule]:
    """Return the module before and after the pass, which leaves it well-formed and typed."""
    before = transform.Sequential(PREPARE)(module)
    after = transform.Sequential(FOLD)(before)
    assert ir.verify(after) == []
    assert transform.InferType()(after).same_as(after)
    assert ir.structural_equal(uir.script.parse(uir.script.print(after)), after)
    return before, after


def runtime_ops(module: ir.IRModule) -> list[str]:
    """Return the operators of `f0` that depend on its parameters, in order."""
    folded = transform.FoldConstant()(module)
    calls = [binding.value for binding in folded.lookup("f0").body.bindings]
    return [call.op.name.removeprefix("relay.") for call in calls]


def product(x: relay.Var, rng: np.random.Generator, dtype: str) -> tuple[Any, int]:
    return x @ const(rng, (6, 5), dtype), 1


def product_from_the_left(x: relay.Var, rng: np.random.Generator, dtype: str) -> tuple[Any, int]:
    return const(rng, (3, 6), dtype) @ x, 2


def conv(x: relay.Var, rng: np.random.Generator, dtype: str) -> tuple[Any, int]:
    bias = const(rng, (4,), dtype)
    return relay.conv(x, const(rng, (4, 6, 3, 3), dtype), bias, pads=[1], strides=[2]), 3


def grouped_conv(x: relay.Var, rng: np.random.Generator, dtype: str) -> tuple[Any, int]:
    return relay.conv(x, const(rng, (4, 3, 2, 2), dtype), groups=2, dilations=[2]), 3


def conv_transpose(x: relay.Var, rng: np.random.Generator, dtype: str) -> tuple[Any, int]:
    return relay.conv_transpose(x, const(rng, (6, 4, 3, 2), dtype), strides=[2], pads=[1]), 3


CONTRACTIONS: dict[str, tuple[tuple[int, ...], tuple[int, ...], Contraction]] = {
    "product": ((2, 4, 6), (6,), product),
    "product of one row": ((1, 6), (1, 6), product),
    "product from the left": ((6, 5), (6, 1), product_from_the_left),
    "conv": ((2, 6, 5, 7), (6, 1, 1), conv),
    "grouped conv": ((1, 6, 5, 5), (6, 1, 1), grouped_conv),
    "conv_transpose": ((2, 6, 4, 3), (1, 6, 1, 1), conv_transpose),
}
"""For each contraction the shape of its data, and that of a factor of input channels."""


def random_step(value: Any, axis: int, rng: np.random.Generator, random: Random) -> Any:
    """Return the value after a sum or product with channels, or with one number for all."""
    type_ = value.checked_type
    channels = int(type_.shape[len(type_.shape) - axis])
    ones = (1,) * (axis - 1)
    shape = random.choice([(channels, *ones), (1, channels, *ones)[-len(type_.shape) :], ()])
    operand = const(rng, shape, str(type_.dtype))
    steps: list[Callable[[], Any]] = [
        lambda: value + operand,
        lambda: operand + value,
        lambda: value - operand,
        lambda: value * operand,
        lambda: operand * value,
        lambda: value / operand,
    ]
    return random.choice(steps)()


def random_chain(name: str, seed: int, dtype: str = "float64") -> relay.Function:
    """Return a contraction with a few steps after it, and a factor of input channels before it."""
    random, rng = Random(seed), np.random.default_rng(seed)
    shape, factor, contraction = CONTRACTIONS[name]
    x = relay.Var("x", relay.Tensor(shape, dtype))
    data: Any = x * const(rng, factor, dtype) if seed % 2 else x
    value, axis = contraction(data, rng, dtype)
    value = value * const(rng, (), dtype)
    for _ in range(random.randrange(5)):
        value = random_step(value, axis, rng, random)
    return relay.Function([x], relay.Block([], relay.relu(value)))


@pytest.mark.parametrize("name", CONTRACTIONS)
def test_random_chains_become_a_contraction_and_a_sum(name: str) -> None:
    for seed in range(8 * DEPTH):
        before, after = fold(module_of(random_chain(name, seed)))
        x = np.random.default_rng(seed).standard_normal(CONTRACTIONS[name][0])
        expected: Any = relay.evaluate(before, x, name="f0")
        np.testing.assert_allclose(relay.evaluate(after, x, name="f0"), expected, 1e-10, 1e-10)
        ops = runtime_ops(after)
        if name == "grouped conv" and seed % 2:
            assert ops.pop(0) == "multiply"
        allowed = ["conv", "conv_transpose", "matmul"]
        assert ops[0] in allowed and ops[1:] in (["relu"], ["add", "relu"]), ops
        assert transform.Sequential(FOLD)(after).same_as(after)


def test_compiled_chains_compute_the_same() -> None:
    names = list(CONTRACTIONS)
    module = module_of(*[random_chain(name, seed, "float32") for seed, name in enumerate(names)])
    built = uir.build(module)
    for index, name in enumerate(names):
        x = np.random.default_rng(index).standard_normal(CONTRACTIONS[name][0], "float32")
        found = np.from_dlpack(getattr(built, f"f{index}")(x))
        expected: Any = relay.evaluate(module, x, name=f"f{index}")
        np.testing.assert_allclose(found, expected, 1e-4, 1e-4, err_msg=name)


def batch_norm(x: Any, rng: np.random.Generator, channels: int) -> Any:
    return relay.batch_norm(x, *[const(rng, (channels,), "float32") for _ in range(4)])


def test_batch_norm_behind_a_convolution_is_one_sum() -> None:
    rng = np.random.default_rng(3)
    x = relay.Var("x", relay.Tensor((1, 3, 6, 6), "float32"))
    first = relay.relu(batch_norm(relay.conv(x, const(rng, (4, 3, 3, 3), "float32")), rng, 4))
    second = batch_norm(relay.conv(first, const(rng, (5, 4, 1, 1), "float32")), rng, 5)
    before, after = fold(module_of(relay.Function([x], relay.Block([], second))))
    assert runtime_ops(after) == ["conv", "add", "relu", "conv", "add"]
    data = rng.standard_normal((1, 3, 6, 6), "float32")
    expected: Any = relay.evaluate(before, data, name="f0")
    np.testing.assert_allclose(relay.evaluate(after, data, name="f0"), expected, 1e-5, 1e-5)


KEPT = {
    "one summand": lambda y, _: y + relay.const(np.ones(4, "float32")),
    "a factor of elements": lambda y, _: y * relay.const(np.ones((4, 4), "float32")),
    "a factor of rows": lambda y, _: y * relay.const(np.ones((4, 1), "float32")),
    "a factor that is no constant": lambda y, x: y * relay.mean(x),
    "several uses": lambda y, _: relay.tanh(y) + y * relay.const(np.float32(2)),
    "a dividend": lambda y, _: relay.const(np.float32(2)) / y,
    "a wider result": lambda y, _: y * relay.const(np.ones((2, 1, 4), "float32")),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_no_affine_step_of_channels_stays(name: str) -> None:
    x = relay.Var("x", relay.Tensor((4, 3), "float32"))
    y = x @ const(np.random.default_rng(0), (3, 4), "float32")
    before, after = fold(module_of(relay.Function([x], relay.Block([], KEPT[name](y, x)))))
    assert after.same_as(before)


@pytest.mark.parametrize("dtype", ["float16", "int32"])
def test_integers_and_half_precision_stay(dtype: str) -> None:
    x = relay.Var("x", relay.Tensor((4, 3), dtype))
    two = relay.const(np.array(2, dtype))
    y = x @ relay.const(np.ones((3, 4), dtype)) * two + two
    before, after = fold(module_of(relay.Function([x], relay.Block([], y))))
    assert after.same_as(before)


def test_weights_that_are_parameters_stay() -> None:
    x = relay.Var("x", relay.Tensor((4, 3), "float32"))
    w = relay.Var("w", relay.Tensor((3, 4), "float32"))
    y = x @ w * relay.const(np.float32(2))
    before, after = fold(module_of(relay.Function([x, w], relay.Block([], y))))
    assert after.same_as(before)


def test_the_default_pipeline_can_do_without() -> None:
    x = relay.Var("x", relay.Tensor((4, 3), "float32"))
    y = x @ const(np.random.default_rng(0), (3, 4), "float32") * relay.const(np.float32(3))
    module = module_of(relay.Function([x], relay.Block([], y)))
    with transform.PassContext(disabled_pass=["FoldAffineIntoWeights"]):
        without = uir.lower(module)
    assert not ir.structural_equal(without, uir.lower(module))
