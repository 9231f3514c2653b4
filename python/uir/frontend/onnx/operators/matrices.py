"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...products import matmul, scaled
from ...tensors import Dim, dims, dims_of_rank, dtype_of, in_type, number, rank, scalar, widened
from ..node import Converter, Node

__all__ = ["CONVERTERS"]


def gemm(node: Node) -> RelayExpr:
    """Return `alpha * A @ B + beta * C`, with A and B transposed on demand."""
    a, b, c = node.input(0), node.input(1), node.optional(2)
    for factor in (a, b):
        dims_of_rank(factor, 2)
    left = relay.transpose(a) if node.flag("transA") else a
    right = relay.transpose(b) if node.flag("transB") else b
    product = scaled(relay.matmul(left, right), node.attribute("alpha", 1.0))
    return product if c is None else relay.add(product, scaled(c, node.attribute("beta", 1.0)))


# The statements of an elimination grow with the rows.
MOST_ROWS = 32


def determinant(node: Node) -> RelayExpr:
    """Return the determinants of square matrices, by elimination with the greatest pivots.

    Raises
    ------
    Refused
        If the matrices are not square, or have more than 32 rows.
    """
    rest = node.bind(widened(node.input(0)))
    if rank(rest) < 2:
        raise Refused(f"a tensor of rank {rank(rest)}, which must be at least 2")
    rows, columns = dims(rest)[-2:]
    if not isinstance(rows, int) or rows != columns or not 1 <= rows <= MOST_ROWS:
        raise Refused(f"matrices of {rows} rows and {columns} columns")
    found = None
    while dims(rest)[-1] != 1:
        pivot, rest = eliminated(node, rest)
        found = pivot if found is None else node.bind(relay.multiply(found, pivot))
    last = relay.squeeze(rest, [-2, -1])
    return in_type(last if found is None else relay.multiply(found, last), dtype_of(node.input(0)))


def eliminated(node: Node, matrix: RelayExpr) -> tuple[RelayExpr, RelayExpr]:
    """Return pivots, and matrices without a row and a column of the same determinant over them.

    Parameters
    ----------
    node
        The node.
    matrix
        Matrices of shape `(*a, n, n)`, with `n` of at least 2.

    Returns
    -------
    pivot
        The pivots with the signs of the exchanges of rows, of shape `(*a,)`.
    rest
        Matrices of shape `(*a, n - 1, n - 1)`.
    """
    *batch, rows, _ = dims(matrix)
    first = cut(matrix, [0, 0], [rows, 1])
    place = node.bind(relay.argmax(relay.abs(first), axis=-2, keepdims=True))
    every = relay.broadcast_to(place, [*batch, 1, rows])
    chosen = node.bind(relay.take_along_axis(matrix, every, rank(matrix) - 2))
    pivot = node.bind(cut(chosen, [0, 0], [1, 1]))
    counter = relay.expand_dims(relay.arange(1, rows, dtype="int64"), [1])
    below = cut(matrix, [1, 0], [rows, rows])
    below = relay.where(relay.equal(counter, place), cut(matrix, [0, 0], [1, rows]), below)
    below = node.bind(below)
    # Without a pivot the determinant is 0, and the divisor does not matter.
    divisor = relay.where(relay.equal(pivot, scalar(0, pivot)), scalar(1, pivot), pivot)
    factor = relay.divide(cut(below, [0, 0], [rows - 1, 1]), divisor)
    product = relay.multiply(factor, cut(chosen, [0, 1], [1, rows]))
    rest = relay.subtract(cut(below, [0, 1], [rows - 1, rows]), product)
    signed = relay.where(relay.equal(place, number(0, "int64")), pivot, relay.negative(pivot))
    return relay.squeeze(signed, [-2, -1]), node.bind(rest)


def cut(matrix: RelayExpr, begin: Sequence[Dim], end: Sequence[Dim]) -> RelayExpr:
    """Return a part of matrices."""
    return relay.strided_slice(matrix, begin, end, axes=[-2, -1])


CONVERTERS: dict[str, Converter] = {
    "Det": determinant,
    "Gemm": gemm,
    "MatMul": lambda node: matmul(node.input(0), node.input(1)),
}
