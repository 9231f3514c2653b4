"""Elementwise operators that relay has in another form."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, dtype_of, rank, scalar
from ..node import Converter, Node, Outputs, data_type

__all__ = ["CONVERTERS", "hard_sigmoid_of"]

FINITE = {
    "bfloat16": (2 - 2.0**-7) * 2.0**127,
    **{name: float(np.finfo(name).max) for name in ("float16", "float32", "float64")},
}
"""The greatest number of each floating-point type."""
SELU_ALPHA = 1.6732632423543772
SELU_GAMMA = 1.0507009873554805


def variadic(function: Callable[[RelayExpr, RelayExpr], RelayExpr]) -> Converter:
    """Return the converter of an operator that has two operands in relay, and any number here."""
    return lambda node: reduce(function, node.inputs())


def mean(node: Node) -> RelayExpr:
    """Return the mean of any number of operands, which broadcast."""
    total = reduce(relay.add, node.inputs())
    return relay.divide(total, scalar(len(node.values), total))


def bit_shift(node: Node) -> RelayExpr:
    """Shift unsigned integers; known shifts of all bits or more are refused."""
    left = node.attribute("direction") == "LEFT"
    bits = np.dtype(dtype_of(node.input(0))).itemsize * 8
    shifts = node.known(1)
    if shifts is not None and shifts.dtype != object and (shifts >= bits).any():
        raise Refused(f"a shift by {shifts.max()} of {bits} bits")
    return (relay.left_shift if left else relay.right_shift)(node.input(0), node.input(1))


def power(node: Node) -> RelayExpr:
    """Compute data types that differ in the wider one."""
    x, y = node.input(0), node.input(1)
    own = dtype_of(x)
    if own == dtype_of(y):
        return relay.power(x, y)
    wider = str(np.result_type(own, dtype_of(y)))
    result = relay.power(relay.cast(x, wider), relay.cast(y, wider))
    return relay.cast(result, own)


def p_relu(node: Node) -> RelayExpr:
    """Scale negative elements by a slope; before version 7 a vector of slopes is per channel."""
    x, slope = node.input(0), node.input(1)
    if node.opset < 7 and rank(slope) == 1:
        slope = relay.reshape(slope, [*dims(slope), *[1] * (rank(x) - 2)])
    return relay.where(relay.less(x, scalar(0, x)), relay.multiply(x, slope), x)


def exponential_below_zero(x: RelayExpr, alpha: float) -> RelayExpr:
    """Return `x` where it is positive, else `alpha * (exp(x) - 1)`."""
    below = relay.multiply(relay.expm1(x), scalar(alpha, x))
    return relay.where(relay.less(x, scalar(0, x)), below, x)


def elu(node: Node) -> RelayExpr:
    """Return `x` where it is positive, else `alpha * (exp(x) - 1)`."""
    return exponential_below_zero(node.input(0), node.attribute("alpha", 1.0))


def celu(node: Node) -> RelayExpr:
    """Return `x` where it is positive, else `alpha * (exp(x / alpha) - 1)`."""
    x, alpha = node.input(0), node.attribute("alpha", 1.0)
    below = relay.expm1(relay.divide(x, scalar(alpha, x)))
    negative = relay.multiply(below, scalar(alpha, x))
    return relay.where(relay.less(x, scalar(0, x)), negative, x)


def selu(node: Node) -> RelayExpr:
    """Return `gamma` times the result of `elu`."""
    x = node.input(0)
    inner = exponential_below_zero(x, node.attribute("alpha", SELU_ALPHA))
    return relay.multiply(inner, scalar(node.attribute("gamma", SELU_GAMMA), x))


def softplus(node: Node) -> RelayExpr:
    """Return `log(1 + exp(x))` as `max(x, 0) + log1p(exp(-abs(x)))`, which does not overflow."""
    x = node.input(0)
    small = relay.exp(relay.negative(relay.abs(x)))
    return relay.add(relay.relu(x), relay.log1p(small))


def softsign(node: Node) -> RelayExpr:
    """Return `x / (1 + abs(x))`."""
    x = node.input(0)
    return relay.divide(x, relay.add(relay.abs(x), scalar(1, x)))


def hard_sigmoid(node: Node) -> RelayExpr:
    """Return `alpha * x + beta`, limited to the range from 0 to 1."""
    alpha, beta = node.attribute("alpha", 0.2), node.attribute("beta", 0.5)
    return hard_sigmoid_of(node.input(0), alpha, beta)


def hard_sigmoid_of(x: RelayExpr, alpha: float, beta: float) -> RelayExpr:
    """Return `alpha * x + beta`, limited to the range from 0 to 1."""
    line = relay.add(relay.multiply(x, scalar(alpha, x)), scalar(beta, x))
    return relay.clip(line, scalar(0, x), scalar(1, x))


def thresholded_relu(node: Node) -> RelayExpr:
    """Return elements above `alpha`, and 0 for the others."""
    x = node.input(0)
    above = relay.greater(x, scalar(node.attribute("alpha", 1.0), x))
    return relay.where(above, x, scalar(0, x))


def shrink(node: Node) -> RelayExpr:
    """Move elements beyond `lambd` by `bias` toward 0, and set the others to 0."""
    x, bias, limit = node.input(0), node.attribute("bias", 0.0), node.attribute("lambd", 0.5)
    below = relay.add(x, scalar(bias, x))
    above = relay.subtract(x, scalar(bias, x))
    rest = relay.where(relay.greater(x, scalar(limit, x)), above, scalar(0, x))
    return relay.where(relay.less(x, scalar(-limit, x)), below, rest)


def swish(node: Node) -> RelayExpr:
    """Return `x * sigmoid(alpha * x)`."""
    x, alpha = node.input(0), node.attribute("alpha", 1.0)
    if alpha == 1:
        return relay.silu(x)
    return relay.multiply(x, relay.sigmoid(relay.multiply(x, scalar(alpha, x))))


def clip(node: Node) -> RelayExpr:
    """Limit a tensor; a bound that is left out is the end of the data type, which is finite."""
    x, low, high = node.input(0), node.optional(1), node.optional(2)
    least, greatest = _ends(dtype_of(x))
    if low is None:
        low = _bound(node.attribute("min", least), x)
    if high is None:
        high = _bound(node.attribute("max", greatest), x)
    return relay.clip(x, low, high)


def _ends(dtype: str) -> tuple[float | None, float | None]:
    """Return the finite ends of a floating-point type; no integer is beyond those of its type."""
    if dtype not in FINITE:
        return None, None
    return -FINITE[dtype], FINITE[dtype]


def _bound(value: float | None, x: RelayExpr) -> RelayExpr | None:
    return None if value is None else scalar(value, x)


def cast(node: Node) -> RelayExpr:
    """Convert to the type of the attribute `to`."""
    return relay.cast(node.input(0), data_type(node.attribute("to")))


def dropout(node: Node) -> Outputs:
    """Return the input, and a mask of ones on demand; dropout in training is refused."""
    x = node.input(0)
    is_training = node.optional(2) is not None and bool(node.number(2))
    # The ratio is 0.5 if it is left out.
    if is_training and (node.optional(1) is None or node.number(1) > 0):
        raise Refused("dropout in training")
    if not node.has_output(1):
        return x
    one = scalar(1, x) if node.opset < 10 else relay.const(np.array(True))
    return [x, relay.full(one, dims(x))]


def gelu(node: Node) -> RelayExpr:
    """Return the Gaussian error linear unit, by `tanh` if `approximate` says so."""
    return relay.gelu(node.input(0), approximate=node.attribute("approximate", "none") == "tanh")


def mod(node: Node) -> RelayExpr:
    """Return the remainder with the sign of the divisor, or of the dividend with `fmod`."""
    return relay.mod(node.input(0), node.input(1), truncated=node.flag("fmod"))


CONVERTERS: dict[str, Converter] = {
    "BitShift": bit_shift,
    "Cast": cast,
    "Celu": celu,
    "CastLike": lambda node: relay.cast(node.input(0), dtype_of(node.input(1))),
    "Clip": clip,
    "Dropout": dropout,
    "Elu": elu,
    "Gelu": gelu,
    "HardSigmoid": hard_sigmoid,
    "Identity": lambda node: node.input(0),
    "Max": variadic(relay.maximum),
    "Mean": mean,
    "Min": variadic(relay.minimum),
    "Mod": mod,
    "PRelu": p_relu,
    "Pow": power,
    "Reciprocal": lambda node: relay.divide(scalar(1, node.input(0)), node.input(0)),
    "Selu": selu,
    "Shrink": shrink,
    "Softplus": softplus,
    "Softsign": softsign,
    "Sum": variadic(relay.add),
    "Swish": swish,
    "ThresholdedRelu": thresholded_relu,
}
