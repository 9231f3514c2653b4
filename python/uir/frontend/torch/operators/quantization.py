"""Quantized tensors as `torch.export` and PT2E write them, of the library `quantized_decomposed`.

A tensor is rounded as PyTorch rounds it: times the reciprocal of the scale in float32, halves to
even. Dequantized tensors are differences of integers times scales, as `FuseQuantize` finds them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from uir_nodes.ir import RelayExpr
from uir_nodes.relay import Constant

from .... import relay
from ....runtime import as_array
from ...errors import Refused
from ...tensors import Array, dims, dtype_of, in_type, rank
from ..node import Converter, Node, Outputs, data_type

__all__ = ["CONVERTERS", "parts_of_others"]

# The integers that quantized tensors have, and a type of their differences.
WIDE = {"int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32", "int32": "int64"}


def quantize_tensor(node: Node) -> RelayExpr:
    """Quantize by one scale and one zero point, which are numbers."""
    inverse = np.array(1.0 / scale_of(node), np.float32)
    zero = zero_of(node, node.get("zero_point"), ())
    return quantized(node, relay.const(inverse), zero)


def quantize_by_tensors(node: Node) -> RelayExpr:
    """Quantize by one scale and one zero point, which are tensors."""
    scale, zero = (relay.reshape(node.tensor(name), []) for name in ("scale", "zero_point"))
    one = relay.const(np.array(1.0))
    inverse = relay.cast(relay.divide(one, relay.cast(scale, "float64")), "float32")
    return quantized(node, inverse, zero)


def quantize_channels(node: Node) -> RelayExpr:
    """Quantize by a scale and a zero point for each place of an axis."""
    x, axis = node.tensor("input"), axis_of(node)
    scales = along(node.tensor("scales"), x, axis)
    inverse = relay.divide(relay.const(np.array(1, dtype_of(scales))), scales)
    zeros = zero_of(node, node.get("zero_points"), column(x, axis))
    return quantized(node, inverse, zeros)


def quantized(node: Node, inverse: RelayExpr, zero: RelayExpr | None) -> RelayExpr:
    """Return `round(input * inverse) + zero` between `quant_min` and `quant_max`."""
    x, dtype = node.tensor("input"), data_type(node.get("dtype"))
    if dtype not in WIDE:
        raise Refused(f"a quantized tensor of data type {dtype}")
    low, high = bounds_of(node, dtype)
    units = relay.round(relay.multiply(in_type(x, "float32"), in_type(inverse, "float32")))
    if zero is not None:
        units = relay.add(units, relay.cast(zero, "float32"))
    return relay.cast(relay.clip(units, single(low), single(high)), dtype)


def dequantize_tensor(node: Node) -> RelayExpr:
    """Return numbers by one scale and one zero point, which are numbers."""
    scale = relay.const(np.array(scale_of(node), np.float32))
    return dequantized(node, scale, zero_of(node, node.get("zero_point"), ()))


def dequantize_by_tensors(node: Node) -> RelayExpr:
    """Return numbers by one scale and one zero point, which are tensors."""
    scale, zero = (relay.reshape(node.tensor(name), []) for name in ("scale", "zero_point"))
    return dequantized(node, in_type(scale, "float32"), zero)


def dequantize_channels(node: Node) -> RelayExpr:
    """Return numbers by a scale and a zero point for each place of an axis."""
    x, axis = node.tensor("input"), axis_of(node)
    zeros = node.get("zero_points")
    zero = None if zeros is None else zero_of(node, zeros, column(x, axis))
    return dequantized(node, along(node.tensor("scales"), x, axis), zero)


def dequantized(node: Node, scale: RelayExpr, zero: RelayExpr | None) -> RelayExpr:
    """Return `(input - zero) * scale`."""
    x, wanted = node.tensor("input"), node.get("out_dtype")
    if dtype_of(x) not in WIDE:
        raise Refused(f"a quantized tensor of data type {dtype_of(x)}")
    wide = WIDE[dtype_of(x)]
    whole = relay.cast(x, wide)
    if zero is not None:
        whole = relay.subtract(whole, relay.cast(zero, wide))
    y = relay.multiply(relay.cast(whole, dtype_of(scale)), scale)
    return in_type(y, "float32" if wanted is None else data_type(wanted))


def product_of_integers(node: Node) -> RelayExpr:
    """Return the product of matrices of int8 as int32, which `FuseQuantize` finds."""
    a, b = (relay.cast(node.tensor(name), "int32") for name in ("self", "mat2"))
    return relay.matmul(a, b)


def scheme_of_range(node: Node) -> Outputs:
    """Return the scale and the zero point that fit the range of a tensor, which contains 0."""
    least, most = ends_of_range(node)
    low, high = (int(node.get(name)) for name in ("quant_min", "quant_max"))
    scale = at_least_eps(relay.divide(relay.subtract(most, least), single(high - low)), node)
    start = relay.cast(relay.round(relay.divide(least, scale)), "int32")
    zero = relay.subtract(relay.const(np.array(low, np.int32)), start)
    least_zero, most_zero = (relay.const(np.array(end, np.int32)) for end in (low, high))
    return scheme(scale, relay.cast(relay.clip(zero, least_zero, most_zero), "int64"))


def symmetric_scheme_of_range(node: Node) -> Outputs:
    """Return the scale that fits the magnitudes of a tensor, and the zero point in the middle."""
    least, most = ends_of_range(node)
    most = relay.maximum(relay.negative(least), most)
    half = (int(node.get("quant_max")) - int(node.get("quant_min"))) / 2
    zero = 128 if data_type(node.get("dtype")) == "uint8" else 0
    scale = at_least_eps(relay.divide(most, single(half)), node)
    return scheme(scale, relay.const(np.array(zero, np.int64)))


def ends_of_range(node: Node) -> list[RelayExpr]:
    """Return the least and the greatest number of a tensor and 0, as float32."""
    x = in_type(node.tensor("input"), "float32")
    return [
        node.bind(relay.minimum(relay.min(x), single(0))),
        node.bind(relay.maximum(relay.max(x), single(0))),
    ]


def at_least_eps(scale: RelayExpr, node: Node) -> RelayExpr:
    """Return a scale that is not smaller than `eps`."""
    return node.bind(relay.maximum(scale, single(float(node.get("eps")))))


def single(value: float) -> RelayExpr:
    """Return a number of float32."""
    return relay.const(np.array(value, np.float32))


def scheme(scale: RelayExpr, zero: RelayExpr) -> Outputs:
    """Return a scale of float64 and a zero point of int64, as tensors of one element."""
    return [relay.reshape(relay.cast(scale, "float64"), [1]), relay.reshape(zero, [1])]


def scale_of(node: Node) -> float:
    """Return the scale of a tensor, by which numbers can be divided."""
    scale = float(node.get("scale"))
    if scale == 0 or not np.isfinite(scale):
        raise Refused(f"a scale of {scale}")
    return scale


def bounds_of(node: Node, dtype: str) -> tuple[int, int]:
    """Return the least and the greatest integer of a quantized tensor."""
    low, high = (int(node.get(name)) for name in ("quant_min", "quant_max"))
    if not np.iinfo(dtype).min <= low <= high <= np.iinfo(dtype).max:
        raise Refused(f"integers from {low} to {high} of data type {dtype}")
    return low, high


def zero_of(node: Node, zero: Any, shape: tuple[Any, ...]) -> RelayExpr | None:
    """Return zero points in the type of the integers, in a shape; None if all are known to be 0."""
    dtype = data_type(node.get("dtype"))
    elements = elements_of(zero)
    if elements is None:
        return relay.reshape(zero, list(shape))
    if not elements.any():
        return None
    wrong = elements[(elements < np.iinfo(dtype).min) | (elements > np.iinfo(dtype).max)]
    if len(wrong):
        raise Refused(f"a zero point of {wrong[0]}, which {dtype} does not have")
    return relay.const(elements.astype(dtype).reshape(shape))


def elements_of(zero: Any) -> Array | None:
    """Return zero points that are known, as a list of numbers."""
    if isinstance(zero, Constant):
        return np.asarray(as_array(zero.data)).reshape(-1)
    return None if isinstance(zero, RelayExpr) else np.array([zero])


def axis_of(node: Node) -> int:
    """Return the axis of the scales, from the first one on."""
    axis, count = int(node.get("axis")), rank(node.tensor("input"))
    if not -count <= axis < count:
        raise Refused(f"axis {axis} of a tensor of rank {count}")
    return axis % count


def column(x: RelayExpr, axis: int) -> tuple[Any, ...]:
    """Return the shape of factors along an axis, which broadcasts to that of a tensor."""
    return (dims(x)[axis], *[1] * (rank(x) - axis - 1))


def along(factors: RelayExpr, x: RelayExpr, axis: int) -> RelayExpr:
    """Return factors of an axis in a shape that broadcasts to that of a tensor."""
    if isinstance(factors, Constant):
        numbers = as_array(factors.data)
        wrong = numbers[~np.isfinite(numbers) | (numbers == 0)]
        if len(wrong):
            raise Refused(f"a scale of {wrong[0]}")
        return relay.const(numbers.reshape(column(x, axis)))
    return relay.reshape(factors, list(column(x, axis)))


def parts_of_others() -> dict[Any, Callable[..., Any]]:
    """Return PyTorch's own functions for scales of rows and of groups.

    Nothing is loaded: a program that has such an operator has loaded its functions.
    """
    loaded = sys.modules.get("torch.ao.quantization.fx._decomposed")
    if loaded is None:
        return {}
    operators = sys.modules["torch"].ops.quantized_decomposed
    names = (
        *("choose_qparams_per_token", "choose_qparams_per_token_asymmetric"),
        *("dequantize_per_channel_group", "dequantize_per_token"),
        *("quantize_per_channel_group", "quantize_per_token"),
    )
    return {getattr(operators, name).default: getattr(loaded, name) for name in names}


CONVERTERS: dict[str, Converter] = {
    "aten._int_mm.default": product_of_integers,
    "quantized_decomposed.choose_qparams.tensor": scheme_of_range,
    "quantized_decomposed.choose_qparams_symmetric.tensor": symmetric_scheme_of_range,
    "quantized_decomposed.dequantize_per_channel.default": dequantize_channels,
    "quantized_decomposed.dequantize_per_tensor.default": dequantize_tensor,
    "quantized_decomposed.dequantize_per_tensor.tensor": dequantize_by_tensors,
    "quantized_decomposed.quantize_per_channel.default": quantize_channels,
    "quantized_decomposed.quantize_per_tensor.default": quantize_tensor,
    "quantized_decomposed.quantize_per_tensor.tensor": quantize_by_tensors,
}
