"""Arenas of whole networks take little more than what is live at one time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from uir import ir, relay, transform

from ...support.depth import DEPTH

PIPELINE = transform.Sequential(
    [
        transform.ToANormalForm(),
        transform.InferType(),
        transform.DecomposeOps(),
        transform.SimplifyExpr(),
        transform.EliminateCommonSubexpr(),
        transform.DeadCode(),
        transform.FuseOps(),
        transform.LowerOps(),
        transform.DeduplicateFunctions(),
        transform.LowerEntry(),
        transform.PlanMemory(),
    ]
)
LIMIT = 1.15


def weight(*shape: int) -> relay.Constant:
    return relay.const(np.ones(shape, "float32"))


def conv(x: Any, channels: int, size: int = 3, stride: int = 1) -> Any:
    kernels = weight(channels, int(x.checked_type.shape[1]), size, size)
    return relay.relu(relay.conv(x, kernels, pads=[size // 2], strides=[stride]))


def mlp() -> tuple[relay.Var, Any]:
    x = relay.Var("x", relay.Tensor((64, 784), "float32"))
    value: Any = x
    for inputs, outputs in [(784, 512), (512, 256), (256, 128), (128, 10)]:
        value = relay.relu(value @ weight(inputs, outputs) + weight(outputs))
    return x, relay.softmax(value)


def residual_network() -> tuple[relay.Var, Any]:
    x = relay.Var("x", relay.Tensor((1, 3, 64, 64), "float32"))
    value = relay.max_pool(conv(x, 16, 7, 2), [3], strides=[2], pads=[1])
    for channels, stride in [(16, 1), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1)]:
        inner = conv(conv(conv(value, channels, 1), channels, 3, stride), 4 * channels, 1)
        is_same = inner.checked_type.shape[1] == value.checked_type.shape[1] and stride == 1
        value = relay.relu(inner + (value if is_same else conv(value, 4 * channels, 1, stride)))
    return x, relay.mean(value, (2, 3)) @ weight(256, 10)


def densely_connected_network() -> tuple[relay.Var, Any]:
    x = relay.Var("x", relay.Tensor((1, 3, 32, 32), "float32"))
    value = conv(x, 16)
    for layers in (6, 8, 4):
        for _ in range(layers):
            value = relay.concatenate([value, conv(conv(value, 32, 1), 8)], axis=1)
        value = relay.avg_pool(
            conv(value, int(value.checked_type.shape[1]) // 2, 1), [2], strides=[2]
        )
    return x, relay.mean(value, (2, 3))


def heads(x: Any) -> Any:
    return relay.transpose(relay.reshape(x @ weight(96, 96), (1, 32, 4, 24)), (0, 2, 1, 3))


def encoder() -> tuple[relay.Var, Any]:
    x = relay.Var("x", relay.Tensor((1, 32, 96), "float32"))
    value: Any = x
    for _ in range(3):
        attended = relay.attention(heads(value), heads(value), heads(value))
        joined = relay.reshape(relay.transpose(attended, (0, 2, 1, 3)), (1, 32, 96))
        value = relay.layer_norm(value + joined @ weight(96, 96), weight(96), weight(96))
        hidden = relay.gelu(value @ weight(96, 384) + weight(384))
        value = relay.layer_norm(value + hidden @ weight(384, 96), weight(96), weight(96))
    return x, value


NETWORKS = [mlp, residual_network, densely_connected_network, encoder]


def random_graph(seed: int) -> tuple[relay.Var, Any]:
    """Return sums and products of earlier values, of several sizes."""
    random = Random(seed)
    x = relay.Var("x", relay.Tensor((16, 64), "float32"))
    values: list[Any] = [x]
    for _ in range(random.randint(5, 40)):
        first = random.choice(values[-6:])
        inputs = int(first.checked_type.shape[1])
        value = first @ weight(inputs, random.choice([16, 32, 64, 128, 256]))
        same = [one for one in values if one.checked_type.shape[1] == value.checked_type.shape[1]]
        values.append(value + random.choice(same) if same and random.random() < 0.5 else value)
    return x, relay.concatenate(values[-3:], axis=1)


def ratio(network: Callable[[], tuple[relay.Var, Any]]) -> float:
    """Return the bytes of the arena over those that are live at one time."""
    x, value = network()
    func = ir.with_attr(relay.Function([x], relay.Block([], value)), "global_symbol", "main")
    main = PIPELINE(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    arena, live = (int(main.get_attr(name)) for name in ("arena_bytes", "live_bytes"))
    assert arena >= live > 0
    return arena / live


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_arenas_of_networks_are_near_the_bound(
    network: Callable[[], tuple[relay.Var, Any]],
) -> None:
    assert ratio(network) <= LIMIT


def test_arenas_of_random_graphs_are_near_the_bound() -> None:
    ratios = [ratio(lambda seed=seed: random_graph(seed)) for seed in range(20 * DEPTH)]
    assert max(ratios) <= LIMIT
