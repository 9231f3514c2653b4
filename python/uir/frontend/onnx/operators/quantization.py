"""Quantization, and products and convolutions of quantized tensors.

Sums are of int32, as exact as the operators define them. A product is rounded to the type of the
result as `QuantizeLinear` does: halves to even, then the zero point is added.
"""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul
from ...tensors import dtype_of, in_type, rank
from ..narrow_tensors import narrow_result
from ..node import Converter, Node, Outputs, data_type
from ..quantized_tensors import (
    along_axis,
    as_scalar,
    centered,
    dequantized,
    dynamic_scheme,
    is_single,
    of_shape,
    per_column,
    per_row,
    requantized,
    saturated,
    scale_of,
    zero_point,
)
from ..value import NarrowValue, Value
from .windows import check_kernel, window

__all__ = ["CONVERTERS", "quantize_narrow"]


def scheme(node: Node, x: RelayExpr) -> tuple[RelayExpr, RelayExpr | None]:
    """Return scales and zero points of a tensor, in shapes that broadcast to that of it."""
    scale, zero = scale_of(node, 1), zero_point(node, 2)
    if dtype_of(scale) not in ("float16", "float32"):
        raise Refused(f"scales of data type {dtype_of(scale)}")
    given = node.optional(2)
    if given is not None and rank(given) != rank(scale) and not is_single(scale):
        raise Refused(f"scales of rank {rank(scale)} and zero points of rank {rank(given)}")
    axis, block = node.attribute("axis", 1), node.attribute("block_size", 0)
    zeros = None if zero is None else along_axis(zero, x, axis, block)
    return along_axis(scale, x, axis, block), zeros


def quantize_linear(node: Node) -> RelayExpr:
    """Return `round(x / scale) + zero_point` in the range of an integer type."""
    return quantized_linear(node, quantized_type(node))


def quantize_narrow(node: Node) -> Value:
    """Return `round(x / scale) + zero_point` in the range of int4 or uint4."""
    dtype = narrow_result(node)
    assert dtype is not None
    inputs = frozenset[str]().union(*(one.inputs for one in node.values if one is not None))
    stored = node.bind(quantized_linear(node.with_stored(), dtype))
    return NarrowValue(Value(stored, None, inputs), dtype)


def quantized_linear(node: Node, result: str) -> RelayExpr:
    """Return `round(x / scale) + zero_point` in the range of a type."""
    x = node.input(0)
    scale, zero = scheme(node, x)
    precision = node.attribute("precision", 0)
    dtype = data_type(precision) if precision else dtype_of(scale)
    quotient = relay.divide(in_type(x, dtype), in_type(scale, dtype))
    return saturated(in_type(quotient, "float32"), zero, result)


def quantized_type(node: Node) -> str:
    """Return the type of the zero points, or that of the attribute; by default uint8."""
    zero, number = node.optional(2), node.attribute("output_dtype", 0)
    stated = data_type(number) if number else None
    if zero is None:
        return stated or "uint8"
    if stated not in (None, dtype_of(zero)):
        raise Refused(f"`output_dtype` is {stated}, and the zero point is of {dtype_of(zero)}")
    return dtype_of(zero)


def dequantize_linear(node: Node) -> RelayExpr:
    """Return `(x - zero_point) * scale` in the type of the scale, or of `output_dtype`."""
    narrow = node.narrow_type(0)
    if node.is_given(2) and node.narrow_type(2) != narrow:
        kinds = (narrow or "8 bits or more", node.narrow_type(2) or "8 bits or more")
        raise Refused(f"a tensor of {kinds[0]} with a zero point of {kinds[1]}")
    node = node.with_stored()
    x, number = node.input(0), node.attribute("output_dtype", 0)
    scale, zero = scheme(node, x)
    return in_type(dequantized(x, scale, zero), data_type(number) if number else dtype_of(scale))


def dynamic_quantize_linear(node: Node) -> Outputs:
    """Return a tensor as uint8, with the scale and the zero point that fit its range."""
    x = node.input(0)
    scale, zero = (node.bind(one) for one in dynamic_scheme(x))
    return [saturated(relay.divide(x, scale), zero, "uint8"), scale, zero]


def matmul_integer(node: Node) -> RelayExpr:
    """Return the product of integers, as int32."""
    a, b, a_zero, b_zero = node.input(0), node.input(1), zero_point(node, 2), zero_point(node, 3)
    return integer_product(a, a_zero, b, b_zero)


def integer_product(
    a: RelayExpr, a_zero: RelayExpr | None, b: RelayExpr, b_zero: RelayExpr | None
) -> RelayExpr:
    """Return `(a - a_zero) @ (b - b_zero)` as int32, with zero points of rows and of columns."""
    rows = of_shape(centered(a, None if a_zero is None else per_row(a_zero, a)), a)
    columns = of_shape(centered(b, None if b_zero is None else per_column(b_zero)), b)
    return matmul(rows, columns)


def q_linear_matmul(node: Node) -> RelayExpr:
    """Return the product of quantized matrices, quantized by the scheme of the result."""
    a, b = node.input(0), node.input(3)
    sums = integer_product(a, zero_point(node, 2), b, zero_point(node, 5))
    scale = relay.multiply(per_row(scale_of(node, 1), a), per_column(scale_of(node, 4)))
    scale = relay.divide(scale, as_scalar(scale_of(node, 6), "the scale of the result"))
    return requantized(sums, scale, *result_type(node, 7))


def result_type(node: Node, place: int) -> tuple[RelayExpr | None, str]:
    """Return the zero point of a result, None for 0, and its type."""
    zero = as_scalar(node.input(place), "the zero point of the result")
    return (None if zero_point(node, place) is None else zero), dtype_of(zero)


def conv_integer(node: Node) -> RelayExpr:
    """Return a convolution of integers, as int32; padding is that of zero points."""
    data, weight = node.input(0), node.input(1)
    return integer_conv(node, data, zero_point(node, 2), weight, zero_point(node, 3), None)


def integer_conv(
    node: Node,
    data: RelayExpr,
    data_zero: RelayExpr | None,
    weight: RelayExpr,
    weight_zero: RelayExpr | None,
    bias: RelayExpr | None,
) -> RelayExpr:
    """Return the convolution of a node as int32."""
    check_kernel(node, weight)
    if data_zero is not None:
        data_zero = as_scalar(data_zero, "the zero point of the data")
    if weight_zero is not None:
        weight_zero = along_axis(weight_zero, weight, 0)
    options = window(node, rank(weight) - 2)
    signal, kernels = centered(data, data_zero), centered(weight, weight_zero)
    return relay.conv(signal, kernels, bias, groups=node.attribute("group", 1), **options)


def q_linear_conv(node: Node) -> RelayExpr:
    """Return the convolution of quantized tensors, quantized by the scheme of the result."""
    data, weight = node.input(0), node.input(3)
    sums = integer_conv(
        node, data, zero_point(node, 2), weight, zero_point(node, 5), node.optional(8)
    )
    scale = relay.multiply(as_scalar(scale_of(node, 1), "the scale of the data"), scale_of(node, 4))
    scale = relay.divide(scale, as_scalar(scale_of(node, 6), "the scale of the result"))
    return requantized(sums, along_axis(scale, sums, 1), *result_type(node, 7))


CONVERTERS: dict[str, Converter] = {
    "ConvInteger": conv_integer,
    "DequantizeLinear": dequantize_linear,
    "DynamicQuantizeLinear": dynamic_quantize_linear,
    "MatMulInteger": matmul_integer,
    "QLinearConv": q_linear_conv,
    "QLinearMatMul": q_linear_matmul,
    "QuantizeLinear": quantize_linear,
}
