"""Operators whose results are random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ....runtime import numpy_dtype
from ...errors import Refused
from ...tensors import Array, Dim, dims, dims_of_rank, dtype_of, in_type, number, widened
from ..node import Node, data_type
from ..random_numbers import Stream

__all__ = ["RANDOM", "RandomConverter"]

RandomConverter: TypeAlias = Callable[[Node, Stream], RelayExpr]

Fill: TypeAlias = Callable[[Node, Stream, Sequence[Dim], str], RelayExpr]

FLOATS = ("bfloat16", "float16", "float32", "float64")


def checked(dtype: str, accepted: Sequence[str]) -> str:
    """Return a data type, which must be one of those that are accepted."""
    if dtype not in accepted:
        raise Refused(f"data type {dtype}, which must be one of {', '.join(accepted)}")
    return dtype


def result_type(node: Node, default: str, accepted: Sequence[str] = FLOATS) -> str:
    """Return the data type of the attribute `dtype`, or another one if it is missing."""
    to = node.attribute("dtype")
    return checked(default if to is None else data_type(to), accepted)


def wide(dtype: str) -> str:
    """Return the data type in which numbers are computed."""
    return "float64" if dtype == "float64" else "float32"


def of_attribute(fill: Fill, node: Node, stream: Stream) -> RelayExpr:
    """Fill the shape of the attribute `shape`, by default with `float32`."""
    shape = list(node.attribute("shape") or [])
    if any(size < 0 for size in shape):
        raise Refused(f"shape {shape}, with a negative size")
    return fill(node, stream, shape, result_type(node, "float32"))


def of_input(fill: Fill, node: Node, stream: Stream) -> RelayExpr:
    """Fill the shape of the input, by default with its data type."""
    x = node.input(0)
    return fill(node, stream, dims(x), result_type(node, dtype_of(x)))


def uniform(node: Node, stream: Stream, shape: Sequence[Dim], dtype: str) -> RelayExpr:
    """Return numbers from `low`, which is included, to `high`, which is not."""
    low, high = bounds(node, dtype)
    kind = wide(dtype)
    drawn = stream.uniform(shape, kind)
    scaled = relay.multiply(drawn, number(float(high) - float(low), kind))
    numbers = relay.add(scaled, number(float(low), kind))
    # Sums may round to `high`.
    last = number(float(np.nextafter(high, low)), kind)
    return in_type(relay.minimum(numbers, last), dtype)


def bounds(node: Node, dtype: str) -> Array:
    """Return `low` and `high` in a data type.

    Raises
    ------
    Refused
        If they are not in order, or they or their difference are not finite.
    """
    given = np.array([node.attribute("low", 0.0), node.attribute("high", 1.0)])
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = found = given.astype(numpy_dtype(dtype))
        difference = (high.astype(wide(dtype)) - low.astype(wide(dtype))).astype(found.dtype)
    if not (low <= high and np.isfinite(difference)):
        raise Refused(f"low {given[0]} and high {given[1]} in {dtype}")
    return found


def normal(node: Node, stream: Stream, shape: Sequence[Dim], dtype: str) -> RelayExpr:
    """Return numbers of the normal distribution with `mean` and the deviation `scale`."""
    kind = wide(dtype)
    scaled = relay.multiply(stream.normal(shape, kind), number(node.attribute("scale", 1.0), kind))
    return in_type(relay.add(scaled, number(node.attribute("mean", 0.0), kind)), dtype)


def bernoulli(node: Node, stream: Stream) -> RelayExpr:
    """Return 1 with the probability that the input has, else 0."""
    x = node.input(0)
    checked(dtype_of(x), FLOATS)
    to = node.attribute("dtype")
    drawn = stream.uniform(dims(x), wide(dtype_of(x)))
    return in_type(relay.less(drawn, widened(x)), dtype_of(x) if to is None else data_type(to))


def multinomial(node: Node, stream: Stream) -> RelayExpr:
    """Return places of classes, drawn by the logarithms of their probabilities in each row."""
    x = node.input(0)
    checked(dtype_of(x), FLOATS)
    rows, classes = dims_of_rank(x, 2)
    samples = node.attribute("sample_size", 1)
    if samples < 1 or classes == 0:
        raise Refused(f"{samples} samples of {classes} classes")
    dtype = result_type(node, "int32", ("int32", "int64"))
    logits = node.bind(widened(x))
    largest = relay.max(logits, axis=[1], keepdims=True)
    sums = node.bind(relay.cumsum(relay.exp(relay.subtract(logits, largest)), axis=1))
    drawn = stream.uniform([rows, samples], wide(dtype_of(x)))
    places = relay.multiply(drawn, relay.max(sums, axis=[1], keepdims=True))
    # The class is the number of sums that are not above a place.
    is_past = relay.less_equal(relay.expand_dims(sums, [1]), relay.expand_dims(places, [2]))
    return relay.sum(relay.cast(is_past, dtype), axis=[2])


RANDOM: dict[str, RandomConverter] = {
    "Bernoulli": bernoulli,
    "Multinomial": multinomial,
    "RandomNormal": partial(of_attribute, normal),
    "RandomNormalLike": partial(of_input, normal),
    "RandomUniform": partial(of_attribute, uniform),
    "RandomUniformLike": partial(of_input, uniform),
}
