"""Quantized operators that onnxruntime's quantizer writes, of the domain `com.microsoft`.

Those on 8 bits compute in float32 between the scheme of their operands and that of the result.
"""

from __future__ import annotations

from collections.abc import Callable

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, dtype_of, in_type, product, rank, scalar, size_tensor
from ..node import Converter, Node
from ..quantized_tensors import (
    as_scalar,
    centered,
    dequantized,
    dynamic_scheme,
    of_shape,
    per_column,
    requantized,
    saturated,
    scale_of,
    zero_point,
)
from .normalization import of_rows
from .quantization import dequantize_linear, integer_product, quantize_linear
from .windows import pooling

__all__ = ["CONVERTERS"]


def number_of(node: Node, place: int) -> RelayExpr:
    """Return an operand of one scale and one zero point, which follow it, as float32."""
    scale = as_scalar(scale_of(node, place + 1), f"input {place + 1}")
    return dequantized(node.input(place), scale, zero_of(node, place + 2))


def zero_of(node: Node, place: int) -> RelayExpr | None:
    """Return the only zero point of a tensor; None if it is 0."""
    zero = zero_point(node, place)
    return None if zero is None else as_scalar(zero, f"input {place}")


def quantized_as(node: Node, x: RelayExpr, place: int, dtype: str) -> RelayExpr:
    """Return numbers of float32, quantized by the scale at a place and the zero point after it."""
    quotient = relay.divide(x, as_scalar(scale_of(node, place), f"input {place}"))
    return saturated(quotient, zero_of(node, place + 1), dtype)


def binary(function: Callable[[RelayExpr, RelayExpr], RelayExpr]) -> Converter:
    """Return the converter of a function of two quantized tensors."""

    def convert(node: Node) -> RelayExpr:
        result = function(number_of(node, 0), number_of(node, 3))
        return quantized_as(node, result, 6, dtype_of(node.input(0)))

    return convert


def unary(function: Callable[[Node, RelayExpr], RelayExpr]) -> Converter:
    """Return the converter of a function of a quantized tensor."""
    return lambda node: quantized_as(
        node, function(node, number_of(node, 0)), 3, dtype_of(node.input(0))
    )


def leaky_relu(node: Node, x: RelayExpr) -> RelayExpr:
    """Scale negative numbers by `alpha`."""
    return relay.leaky_relu(x, alpha=node.attribute("alpha", 0.01))


def softmax(node: Node, x: RelayExpr) -> RelayExpr:
    """Return softmax along an axis; before version 13 over all axes from `axis` on."""
    if not rank(x):
        raise Refused("a tensor of rank 0")
    axis = node.attribute("axis", -1)
    is_along = node.attribute("opset", 13) >= 13
    return relay.softmax(x, axis) if is_along else of_rows(relay.softmax, x, axis)


def average_pool(node: Node, x: RelayExpr) -> RelayExpr:
    """Return means of windows, which count padding if `count_include_pad` is set."""
    if node.attribute("kernel_shape") is None:
        raise Refused("attribute `kernel_shape` is missing")
    last = node.flag("channels_last")
    axes = list(range(rank(x)))
    first = relay.transpose(x, [0, axes[-1], *axes[1:-1]]) if last else x
    y = relay.avg_pool(first, count_include_pad=node.flag("count_include_pad"), **pooling(node))
    return relay.transpose(y, [0, *axes[2:], 1]) if last else y


def global_average_pool(node: Node) -> RelayExpr:
    """Return means over all spatial axes: sums of int32, scaled once."""
    x = node.input(0)
    last = node.flag("channels_last")
    axes = list(range(1, rank(x) - 1) if last else range(2, rank(x)))
    sums = relay.sum(centered(x, zero_of(node, 2)), axes, keepdims=True)
    count = size_tensor(product([dims(x)[axis] for axis in axes]), "float32")
    whole = relay.multiply(as_scalar(scale_of(node, 3), "input 3"), count)
    scale = relay.divide(as_scalar(scale_of(node, 1), "input 1"), whole)
    return requantized(sums, scale, zero_of(node, 4), dtype_of(x))


def concatenate(node: Node) -> RelayExpr:
    """Join tensors of different schemes, which follow the scheme of the result."""
    if len(node.values) % 3 != 2:
        raise Refused(f"{len(node.values)} inputs, which must be 2 and 3 for each tensor")
    dtype = dtype_of(node.input(1))
    parts = [number_of(node, place) for place in range(2, len(node.values), 3)]
    axis = node.required("axis")
    return relay.concatenate([quantized_as(node, part, 0, dtype) for part in parts], axis)


def q_gemm(node: Node) -> RelayExpr:
    """Return `alpha * A @ B + C`, whose result is of float32 unless its scale is given."""
    a, b = (
        relay.transpose(node.input(place)) if node.flag(flag) else node.input(place)
        for place, flag in ((0, "transA"), (3, "transB"))
    )
    sums = integer_product(a, zero_of(node, 2), b, zero_point(node, 5))
    if node.optional(6) is not None:
        sums = relay.add(sums, node.input(6))
    scale = relay.multiply(as_scalar(scale_of(node, 1), "input 1"), per_column(scale_of(node, 4)))
    scale = relay.multiply(scale, scalar(node.attribute("alpha", 1.0), scale))
    if (node.optional(7) is None) != (node.optional(8) is None):
        raise Refused("a scale or a zero point of the result without the other")
    if node.optional(7) is None:
        return of_shape(relay.multiply(relay.cast(sums, "float32"), scale), sums)
    scale = relay.divide(scale, as_scalar(scale_of(node, 7), "input 7"))
    return requantized(sums, scale, zero_of(node, 8), dtype_of(node.input(8)))


def dynamic_quantize_matmul(node: Node) -> RelayExpr:
    """Quantize the first matrix by its range, and return the product as float32."""
    a = node.input(0)
    scale, zero = (node.bind(one) for one in dynamic_scheme(a))
    rounded = saturated(relay.divide(a, scale), zero, "uint8")
    sums = integer_product(rounded, zero, node.input(1), zero_point(node, 3))
    return scaled_sums(sums, scale, scale_of(node, 2), node.optional(4))


def matmul_integer_to_float(node: Node) -> RelayExpr:
    """Return the product of quantized matrices as floats, plus the bias of columns."""
    sums = integer_product(node.input(0), zero_of(node, 4), node.input(1), zero_point(node, 5))
    scale = as_scalar(scale_of(node, 2), "input 2")
    return scaled_sums(sums, scale, scale_of(node, 3), node.optional(6))


def scaled_sums(
    sums: RelayExpr, a_scale: RelayExpr, b_scale: RelayExpr, bias: RelayExpr | None
) -> RelayExpr:
    """Return sums of int32 as floats, plus a bias, in the type of the scales."""
    scale = relay.multiply(in_type(a_scale, "float32"), in_type(per_column(b_scale), "float32"))
    y = of_shape(relay.multiply(relay.cast(sums, "float32"), scale), sums)
    if bias is not None:
        y = relay.add(y, in_type(bias, "float32"))
    return in_type(y, dtype_of(a_scale))


def of_tensor(convert: Converter) -> Converter:
    """Return the converter of an operator that takes scales of axes only where `axis` is given."""

    def converted(node: Node) -> RelayExpr:
        if node.attribute("axis") is None:
            as_scalar(node.input(1), "the scale without `axis`")
        y = convert(node)
        assert isinstance(y, RelayExpr)
        return y

    return converted


CONVERTERS: dict[str, Converter] = {
    "DequantizeLinear": of_tensor(dequantize_linear),
    "DynamicQuantizeMatMul": dynamic_quantize_matmul,
    "MatMulIntegerToFloat": matmul_integer_to_float,
    "QGemm": q_gemm,
    "QLinearAdd": binary(relay.add),
    "QLinearAveragePool": unary(average_pool),
    "QLinearConcat": concatenate,
    "QLinearGlobalAveragePool": global_average_pool,
    "QLinearLeakyRelu": unary(leaky_relu),
    "QLinearMul": binary(relay.multiply),
    "QLinearSigmoid": unary(lambda _, x: relay.sigmoid(x)),
    "QLinearSoftmax": unary(softmax),
    "QuantizeLinear": of_tensor(quantize_linear),
}
