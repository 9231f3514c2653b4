"""ONNX's elementwise nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np
import onnx

from uir.relay import reference as relay

from .node import Array, Node, Refused, Run, scalar

UNARY: dict[str, Callable[[Array], Array]] = {
    "Abs": relay.abs,
    "Acos": relay.acos,
    "Acosh": relay.acosh,
    "Asin": relay.asin,
    "Asinh": relay.asinh,
    "Atan": relay.atan,
    "Atanh": relay.atanh,
    "BitwiseNot": relay.bitwise_not,
    "Ceil": relay.ceil,
    "Cos": relay.cos,
    "Cosh": relay.cosh,
    "Erf": relay.erf,
    "Exp": relay.exp,
    "Floor": relay.floor,
    "IsNaN": relay.isnan,
    "Log": relay.log,
    "Neg": relay.negative,
    "Not": relay.logical_not,
    "Relu": relay.relu,
    "Round": relay.round,
    "Sigmoid": relay.sigmoid,
    "Sign": relay.sign,
    "Sin": relay.sin,
    "Sinh": relay.sinh,
    "Sqrt": relay.sqrt,
    "Tan": relay.tan,
    "Tanh": relay.tanh,
}

BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "Add": relay.add,
    "And": relay.logical_and,
    "BitwiseAnd": relay.bitwise_and,
    "BitwiseOr": relay.bitwise_or,
    "BitwiseXor": relay.bitwise_xor,
    "Div": relay.divide,
    "Equal": relay.equal,
    "Greater": relay.greater,
    "GreaterOrEqual": relay.greater_equal,
    "Less": relay.less,
    "LessOrEqual": relay.less_equal,
    "Mul": relay.multiply,
    "Or": relay.logical_or,
    "Sub": relay.subtract,
    "Xor": relay.logical_xor,
}

VARIADIC: dict[str, Callable[[Array, Array], Array]] = {
    "Max": relay.maximum,
    "Min": relay.minimum,
    "Sum": relay.add,
}


def unary(function: Callable[[Array], Array]) -> Run:
    return lambda node: function(node.input(0))


def binary(function: Callable[[Array, Array], Array]) -> Run:
    return lambda node: function(node.input(0), node.input(1))


def variadic(function: Callable[[Array, Array], Array]) -> Run:
    return lambda node: reduce(function, [node.input(i) for i in range(len(node.inputs))])


def mean(node: Node) -> Array:
    total = variadic(relay.add)(node)
    assert isinstance(total, np.ndarray)
    return relay.divide(total, scalar(len(node.inputs), total))


def bit_shift(node: Node) -> Array:
    left = node.attribute("direction") == "LEFT"
    return (relay.left_shift if left else relay.right_shift)(node.input(0), node.input(1))


def power(node: Node) -> Array:
    """Compute data types that differ in the wider one."""
    x, y = node.input(0), node.input(1)
    wider = str(np.result_type(x, y))
    result = relay.power(relay.cast(x, dtype=wider), relay.cast(y, dtype=wider))
    return relay.cast(result, dtype=str(x.dtype))


def p_relu(node: Node) -> Array:
    x, slope = node.input(0), node.input(1)
    return relay.where(relay.less(x, scalar(0, x)), relay.multiply(x, slope), x)


def swish(node: Node) -> Array:
    x, alpha = node.input(0), node.attribute("alpha", 1.0)
    if alpha == 1:
        return relay.silu(x)
    return relay.multiply(x, relay.sigmoid(relay.multiply(x, scalar(alpha, x))))


def is_inf(node: Node) -> Array:
    return relay.isinf(
        node.input(0),
        detect_negative=bool(node.attribute("detect_negative", 1)),
        detect_positive=bool(node.attribute("detect_positive", 1)),
    )


def cast(node: Node) -> Array:
    to = onnx.helper.tensor_dtype_to_np_dtype(node.attribute("to"))
    if to.kind not in "fiub":
        raise Refused(f"data type {to}")
    return relay.cast(node.input(0), dtype=str(to))


def dropout(node: Node) -> list[Array]:
    x, training = node.input(0), node.optional(2)
    if training is not None and training and node.optional(1) is not None and node.input(1) > 0:
        raise Refused("dropout in training")
    return [x, relay.full(np.array(True), shape=x.shape)]


NODES: dict[str, Run] = {
    **{name: unary(function) for name, function in UNARY.items()},
    **{name: binary(function) for name, function in BINARY.items()},
    **{name: variadic(function) for name, function in VARIADIC.items()},
    "BitShift": bit_shift,
    "Cast": cast,
    "CastLike": lambda node: relay.cast(node.input(0), dtype=str(node.input(1).dtype)),
    "Clip": lambda node: relay.clip(node.input(0), node.optional(1), node.optional(2)),
    "Dropout": dropout,
    "Identity": lambda node: node.input(0),
    "Gelu": lambda node: relay.gelu(
        node.input(0), approximate=node.attribute("approximate", "none") == "tanh"
    ),
    "IsInf": is_inf,
    "LeakyRelu": lambda node: relay.leaky_relu(node.input(0), alpha=node.attribute("alpha", 0.01)),
    "Mean": mean,
    "Mod": lambda node: relay.mod(
        node.input(0), node.input(1), truncated=bool(node.attribute("fmod", 0))
    ),
    "PRelu": p_relu,
    "Pow": power,
    "Reciprocal": lambda node: relay.divide(scalar(1, node.input(0)), node.input(0)),
    "Swish": swish,
    "Where": lambda node: relay.where(node.input(0), node.input(1), node.input(2)),
}
