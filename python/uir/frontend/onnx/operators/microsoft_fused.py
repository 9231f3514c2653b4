"""Operators of the domain `com.microsoft` in which onnxruntime's optimizer joins several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul, scaled
from ...tensors import rank, scalar
from ..node import Converter, Node
from .elementwise import hard_sigmoid_of
from .matrices import gemm
from .windows import conv

__all__ = ["CONVERTERS"]

# The functions that follow a product or a convolution, after the number of their parameters.
ACTIVATIONS: dict[str, tuple[int, Callable[..., RelayExpr]]] = {
    "Clip": (2, lambda x, low, high: relay.clip(x, scalar(low, x), scalar(high, x))),
    "HardSigmoid": (2, hard_sigmoid_of),
    "LeakyRelu": (1, lambda x, alpha: relay.leaky_relu(x, alpha=alpha)),
    "Relu": (0, relay.relu),
    "Sigmoid": (0, relay.sigmoid),
    "Tanh": (0, relay.tanh),
}


def activated(node: Node, x: RelayExpr, parameters: Sequence[float]) -> RelayExpr:
    """Return the function that the attribute `activation` names, of a tensor."""
    name = node.attribute("activation") or ""
    if not name:
        return x
    if name not in ACTIVATIONS:
        raise Refused(f"activation {name}")
    count, function = ACTIVATIONS[name]
    if len(parameters) != count:
        raise Refused(f"{len(parameters)} parameters of {name}, which has {count}")
    return function(x, *parameters)


def fused_conv(node: Node) -> RelayExpr:
    """Return a function of a convolution plus a summand."""
    y, summand = conv(node), node.optional(3)
    y = y if summand is None else relay.add(y, summand)
    return activated(node, y, list(node.attribute("activation_params", [])))


def fused_gemm(node: Node) -> RelayExpr:
    """Return a function of `alpha * A @ B + beta * C`."""
    given = (node.attribute(f"activation_{name}") for name in ("alpha", "beta", "gamma"))
    return activated(node, gemm(node), [one for one in given if one is not None])


def fused_matmul(node: Node) -> RelayExpr:
    """Return `alpha * A @ B`, with the operands transposed on demand."""
    a, b = (transposed(node, node.input(place), name) for place, name in enumerate("AB"))
    return scaled(matmul(a, b), node.attribute("alpha", 1.0))


def transposed(node: Node, x: RelayExpr, name: str) -> RelayExpr:
    """Return matrices whose rows, columns and leading axes the attributes permute.

    With `transBatch`, the first axis has the rows, and the leading axes lie behind it.
    """
    axes = list(range(rank(x)))
    if node.flag(f"transBatch{name}") and len(axes) > 2:
        axes = [*axes[1:-1], 0, axes[-1]]
    if node.flag(f"trans{name}") and len(axes) > 1:
        axes[-2:] = axes[:-3:-1]
    return x if axes == sorted(axes) else relay.transpose(x, axes)


def biased_gelu(approximate: bool) -> Converter:
    """Return the converter of a GELU of a tensor, plus a bias if there is one."""

    def convert(node: Node) -> RelayExpr:
        x, bias = node.input(0), node.optional(1)
        return relay.gelu(x if bias is None else relay.add(x, bias), approximate=approximate)

    return convert


def quick_gelu(node: Node) -> RelayExpr:
    """Return `x * sigmoid(alpha * x)`."""
    x = node.input(0)
    scale = scalar(node.attribute("alpha", 1.702), x)
    return relay.multiply(x, relay.sigmoid(relay.multiply(x, scale)))


def bias_dropout(node: Node) -> RelayExpr:
    """Return the sum of the input, the bias and the residual; training is refused."""
    if node.optional(4) is not None and node.number(4):
        raise Refused("dropout in training")
    if node.has_output(1):
        raise Refused("the mask of the dropout")
    total, residual = relay.add(node.input(0), node.input(1)), node.optional(2)
    return total if residual is None else relay.add(total, residual)


CONVERTERS: dict[str, Converter] = {
    "BiasDropout": bias_dropout,
    "BiasGelu": biased_gelu(approximate=False),
    "FastGelu": biased_gelu(approximate=True),
    "FusedConv": fused_conv,
    "FusedGemm": fused_gemm,
    "FusedMatMul": fused_matmul,
    "Gelu": biased_gelu(approximate=False),
    "QuickGelu": quick_gelu,
}
