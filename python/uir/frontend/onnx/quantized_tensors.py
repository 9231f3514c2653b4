"""Quantized tensors: integers, and the scales and zero points that say which numbers they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uir_nodes.ir import RelayExpr

from ... import relay
from ..errors import Refused
from ..tensors import Dim, dims, dtype_of, in_type, number, rank, scalar
from .node import Node

__all__ = [
    "along_axis",
    "as_scalar",
    "centered",
    "dequantized",
    "dynamic_scheme",
    "is_single",
    "of_shape",
    "per_column",
    "per_row",
    "requantized",
    "saturated",
    "scale_of",
    "zero_point",
]

# The integers that quantized tensors have.
STORED = ("int8", "uint8", "int16", "uint16")
# The least and the greatest integers of types of 4 bits, which lie in bytes.
NARROW_RANGES = {"int4": (-8, 7), "uint4": (0, 15)}


def zero_point(node: Node, place: int) -> RelayExpr | None:
    """Return an input that holds zero points; None if it is left out, or all are known to be 0."""
    zero = node.optional(place)
    if zero is None:
        return None
    elements = node.known(place)
    return zero if elements is None or elements.any() else None


def scale_of(node: Node, place: int) -> RelayExpr:
    """Return an input that holds scales.

    Raises
    ------
    Refused
        If one is known to be 0, infinite or NaN, so that nothing can be divided by it.
    """
    scales = node.known(place)
    wrong = [] if scales is None else scales[~np.isfinite(scales) | (scales == 0)]
    if len(wrong):
        raise Refused(f"a scale of {wrong[0]}")
    return node.input(place)


def is_single(x: RelayExpr) -> bool:
    """Return whether a tensor is known to have one element."""
    return all(isinstance(dim, int) and dim == 1 for dim in dims(x))


def as_scalar(x: RelayExpr, what: str) -> RelayExpr:
    """Return a tensor of one element as one of rank 0.

    Raises
    ------
    Refused
        If it is not known to have one element; the message names it by `what`.
    """
    if not is_single(x):
        raise Refused(f"{what} must have one element, got the shape {shape_text(dims(x))}")
    return relay.reshape(x, []) if rank(x) else x


def shape_text(shape: Sequence[Dim]) -> str:
    """Return a shape as messages show it."""
    return f"({', '.join(map(str, shape))})"


def along_axis(factors: RelayExpr, x: RelayExpr, axis: int, block: int = 0) -> RelayExpr:
    """Return factors in a shape that broadcasts to that of a tensor.

    Parameters
    ----------
    factors
        One number, or numbers of shape `(c,)` for an axis of size `c`. With `block`, numbers of the
        shape of `x` with `ceil(c / block)` along the axis.
    x
        The tensor.
    axis
        The axis; negative ones count from the end.
    block
        How many elements along the axis share a number; 0 if there are no blocks.

    Raises
    ------
    Refused
        If the axis, the number of factors or the size of blocks does not fit.
    """
    if block < 0:
        raise Refused(f"blocks of {block} elements")
    if is_single(factors):
        return relay.reshape(factors, [])
    shape = dims(x)
    if not -len(shape) <= axis < len(shape):
        raise Refused(f"axis {axis} of a tensor of rank {len(shape)}")
    axis %= len(shape)
    if block:
        return in_blocks(factors, shape, axis, block)
    if rank(factors) != 1 or not is_equal(dims(factors)[0], shape[axis]):
        raise Refused(
            f"factors of shape {shape_text(dims(factors))} for axis {axis} of a tensor of shape "
            f"{shape_text(shape)}"
        )
    return relay.reshape(factors, [1] * axis + [shape[axis]] + [1] * (len(shape) - axis - 1))


def is_equal(a: Dim, b: Dim) -> bool:
    """Return whether dimensions are equal; those that are expressions must be the same one."""
    return a == b if isinstance(a, int) and isinstance(b, int) else str(a) == str(b)


def in_blocks(factors: RelayExpr, shape: Sequence[Dim], axis: int, block: int) -> RelayExpr:
    """Return factors of blocks as those of elements."""
    count = -(-shape[axis] // block)
    wanted = [*shape[:axis], count, *shape[axis + 1 :]]
    if len(wanted) != rank(factors) or not all(map(is_equal, dims(factors), wanted)):
        raise Refused(
            f"factors of shape {shape_text(dims(factors))} for blocks of {block} along axis {axis} "
            f"of a tensor of shape {shape_text(shape)}"
        )
    places = relay.arange(0, shape[axis], dtype="int64")
    return relay.take(factors, relay.floor_divide(places, scalar(block, places)), axis)


def of_shape(x: RelayExpr, wanted: RelayExpr) -> RelayExpr:
    """Return a tensor that factors were applied to.

    Raises
    ------
    Refused
        If they have broadcast it, so that it has not the shape of `wanted`, which it had.
    """
    before, after = dims(wanted), dims(x)
    if len(before) != len(after) or not all(map(is_equal, before, after)):
        raise Refused(
            f"scales or zero points that broadcast a tensor of shape {shape_text(before)} to "
            f"{shape_text(after)}"
        )
    return x


def per_column(factors: RelayExpr) -> RelayExpr:
    """Return one number as one of rank 0; numbers of columns broadcast to matrices as they are."""
    return relay.reshape(factors, []) if is_single(factors) else factors


def per_row(factors: RelayExpr, matrices: RelayExpr) -> RelayExpr:
    """Return one number, or one for each row of a matrix, in a shape that broadcasts to it."""
    if is_single(factors):
        return relay.reshape(factors, [])
    return relay.expand_dims(factors, [1]) if rank(factors) == 1 < rank(matrices) else factors


def centered(x: RelayExpr, zero: RelayExpr | None) -> RelayExpr:
    """Return `x - zero` as int32, which is exact for integers of 8 and 16 bits.

    Raises
    ------
    Refused
        If `x` has another data type, or `zero` has not that of `x`.
    """
    if dtype_of(x) not in STORED:
        raise Refused(f"a quantized tensor of data type {dtype_of(x)}")
    return shifted(x, zero, "int32")


def dequantized(x: RelayExpr, scale: RelayExpr, zero: RelayExpr | None) -> RelayExpr:
    """Return `(x - zero) * scale` as float32; scale and zero broadcast with `x`."""
    whole = shifted(x, zero, "int64") if dtype_of(x) == "int32" else centered(x, zero)
    return relay.multiply(relay.cast(whole, "float32"), in_type(scale, "float32"))


def shifted(x: RelayExpr, zero: RelayExpr | None, dtype: str) -> RelayExpr:
    """Return `x - zero` in a type that holds it."""
    wide = relay.cast(x, dtype)
    if zero is None:
        return wide
    check_zero_point(zero, dtype_of(x))
    return relay.subtract(wide, relay.cast(zero, dtype))


def check_zero_point(zero: RelayExpr, dtype: str) -> None:
    """Refuse zero points of another type than that of the tensor, whose range they may exceed."""
    if dtype_of(zero) != dtype:
        raise Refused(f"a zero point of {dtype_of(zero)} for a tensor of {dtype}")


def saturated(x: RelayExpr, zero: RelayExpr | None, dtype: str) -> RelayExpr:
    """Return `round(x) + zero` in an integer type: halves round to even, NaN is the least value.

    Parameters
    ----------
    x
        Numbers of float32, in units of the scale.
    zero
        The zero points, which broadcast with `x`; None for 0.
    dtype
        The type, which ends at the bounds that larger and smaller numbers get. The result and the
        zero points of int4 and uint4 are of int8 and uint8.

    Raises
    ------
    Refused
        If quantized tensors do not have the type, or the zero points have another one.
    """
    is_narrow = dtype in NARROW_RANGES
    if dtype not in STORED and not is_narrow:
        raise Refused(f"a quantized tensor of data type {dtype}")
    stored = dtype.replace("4", "8") if is_narrow else dtype
    rounded = relay.round(x)
    if zero is not None:
        check_zero_point(zero, stored)
        # The sum is exact wherever it is in range.
        rounded = relay.add(rounded, relay.cast(zero, "float32"))
    ends = NARROW_RANGES[dtype] if is_narrow else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    low, high = (scalar(end, rounded) for end in ends)
    least = relay.where(relay.greater(rounded, low), rounded, low)
    return relay.cast(relay.minimum(least, high), stored)


def requantized(sums: RelayExpr, scale: RelayExpr, zero: RelayExpr | None, dtype: str) -> RelayExpr:
    """Return sums of int32 times a scale as quantized numbers, computed in float32."""
    scaled = relay.multiply(relay.cast(sums, "float32"), in_type(scale, "float32"))
    return saturated(of_shape(scaled, sums), zero, dtype)


def dynamic_scheme(x: RelayExpr) -> tuple[RelayExpr, RelayExpr]:
    """Return the scale, of float32, and the zero point, of uint8, that fit the range of a tensor.

    The range is extended to contain 0. The scale of zeros is 1.
    """
    zero, one = number(0, "float32"), number(1, "float32")
    low, high = relay.minimum(relay.min(x), zero), relay.maximum(relay.max(x), zero)
    width = relay.subtract(high, low)
    scale = relay.divide(width, number(255, "float32"))
    scale = relay.where(relay.equal(width, zero), one, scale)
    start = relay.negative(relay.divide(low, scale))
    return scale, saturated(start, None, "uint8")
