"""Fourier transforms, as products with matrices of cosines and sines."""

from __future__ import annotations

from math import pi

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul
from ...tensors import Dim, dims, dtype_of, in_type, product, rank, scalar, size_tensor
from ..complex_pairs import Complex
from ..node import Node
from .indexing import inverse, transposed

__all__ = ["complex_to_complex", "complex_to_real", "real_to_complex"]

MOST_ELEMENTS = 4096
"""How many elements an axis may have; the matrix has as many rows and columns."""


def real_to_complex(node: Node) -> Complex:
    """Transform real tensors; of the last axis, half of the result may suffice."""
    x, axes = node.tensor(), [axis % rank(node.tensor()) for axis in node.get("dim")]
    length = dims(x)[axes[-1]]
    columns = length // 2 + 1 if node.get("onesided") else length
    cosines, sines = waves(length, columns, length, dtype_of(x))
    found = Complex(along(x, axes[-1], cosines), relay.negative(along(x, axes[-1], sines)))
    for axis in axes[:-1]:
        found = transform(found, axis, is_forward=True)
    sizes = [dims(x)[axis] for axis in axes]
    return Complex(*(normalized(part, sizes, node) for part in (found.real, found.imaginary)))


def complex_to_complex(node: Node) -> Complex:
    """Transform complex tensors, back if `forward` is not set."""
    found = node.complex()
    axes = [axis % rank(found.real) for axis in node.get("dim")]
    sizes = [dims(found.real)[axis] for axis in axes]
    for axis in axes:
        found = transform(found, axis, is_forward=bool(node.get("forward")))
    return Complex(*(normalized(part, sizes, node) for part in (found.real, found.imaginary)))


def complex_to_real(node: Node) -> RelayExpr:
    """Transform back to real tensors, from the half of the last axis that determines them."""
    found, length = node.complex(), node.get("last_dim_size")
    *others, last = [axis % rank(found.real) for axis in node.get("dim")]
    for axis in others:
        found = transform(found, axis, is_forward=False)
    rows = dims(found.real)[last]
    cosines, sines = waves(rows, length, length, dtype_of(found.real))
    weights = counted_twice(rows, length, cosines)
    cosines, sines = (relay.multiply(one, weights) for one in (cosines, sines))
    result = relay.subtract(along(found.real, last, cosines), along(found.imaginary, last, sines))
    return normalized(result, [*(dims(found.real)[axis] for axis in others), length], node)


def transform(x: Complex, axis: int, *, is_forward: bool) -> Complex:
    """Transform a complex tensor along an axis."""
    length = dims(x.real)[axis]
    cosines, sines = waves(length, length, length, dtype_of(x.real))
    if is_forward:
        sines = relay.negative(sines)
    return Complex(
        relay.subtract(along(x.real, axis, cosines), along(x.imaginary, axis, sines)),
        relay.add(along(x.real, axis, sines), along(x.imaginary, axis, cosines)),
    )


def waves(rows: Dim, columns: Dim, length: Dim, dtype: str) -> tuple[RelayExpr, RelayExpr]:
    """Return the cosines and the sines of `2 * pi * row * column / length`.

    Raises
    ------
    Refused
        If the length is a number above `MOST_ELEMENTS`.
    """
    if isinstance(length, int) and length > MOST_ELEMENTS:
        raise Refused(f"a Fourier transform of {length} elements; at most {MOST_ELEMENTS}")
    row, column = (relay.arange(0, number, dtype="int64") for number in (rows, columns))
    turns = relay.mod(relay.multiply(relay.expand_dims(row, [1]), column), size_tensor(length))
    part = relay.divide(relay.cast(turns, "float64"), size_tensor(length, "float64"))
    angle = relay.multiply(part, scalar(2 * pi, part))
    return in_type(relay.cos(angle), dtype), in_type(relay.sin(angle), dtype)


def counted_twice(rows: Dim, length: Dim, like: RelayExpr) -> RelayExpr:
    """Return a column of factors: 2 for the elements whose mirror images are left out, else 1."""
    row = relay.arange(0, rows, dtype="int64")
    twice = relay.multiply(row, scalar(2, row))
    is_single = relay.equal(relay.mod(twice, size_tensor(length)), scalar(0, row))
    return relay.expand_dims(relay.where(is_single, scalar(1, like), scalar(2, like)), [1])


def along(x: RelayExpr, axis: int, matrix: RelayExpr) -> RelayExpr:
    """Return the products of the vectors along an axis with a matrix, along the same axis."""
    order = [*(other for other in range(rank(x)) if other != axis), axis]
    return transposed(matmul(transposed(x, order), matrix), inverse(order))


def normalized(x: RelayExpr, lengths: list[Dim], node: Node) -> RelayExpr:
    """Divide by the number of elements or by its square root, as `normalization` says."""
    kind = node.get("normalization")
    if not kind:
        return x
    count = size_tensor(product(lengths), "float64")
    return relay.divide(x, in_type(relay.sqrt(count) if kind == 1 else count, dtype_of(x)))
