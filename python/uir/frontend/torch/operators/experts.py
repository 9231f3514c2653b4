"""Products of groups of rows and counts of their sizes, of which layers of experts are made."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, in_type, rank, scalar
from ..node import Converter, Node

__all__ = ["CONVERTERS", "product_of_groups"]


def histogram(node: Node) -> RelayExpr:
    """Count the elements in intervals of one length; the last one includes its end.

    Raises
    ------
    Refused
        If the intervals depend on elements.
    """
    x, count = node.tensor(), node.get("bins")
    low, high = float(node.get("min")), float(node.get("max"))
    if low == high:
        raise Refused("a histogram whose range is that of the elements; state `min` and `max`")
    x = relay.reshape(x, [-1])
    inside = relay.logical_and(
        relay.greater_equal(x, scalar(low, x)), relay.less_equal(x, scalar(high, x))
    )
    scaled = relay.multiply(relay.subtract(x, scalar(low, x)), scalar(count, x))
    place = relay.floor(relay.divide(scaled, scalar(high - low, x)))
    place = relay.minimum(place, scalar(count - 1, x))
    counter = in_type(relay.arange(0, count, dtype="int64"), node.dtype)
    hits = relay.logical_and(
        relay.equal(relay.expand_dims(place, [1]), counter), relay.expand_dims(inside, [1])
    )
    return relay.sum(in_type(hits, node.dtype), [0])


def product_of_groups(x: RelayExpr, weights: RelayExpr, ends: RelayExpr) -> RelayExpr:
    """Multiply consecutive rows by the matrix of their group.

    Every matrix multiplies all rows, and each row keeps the product of its own group.

    Parameters
    ----------
    x
        Matrix of shape `(m, k)`.
    weights
        Matrices of shape `(groups, k, n)`.
    ends
        Integers of shape `(groups,)`: the place behind the last row of each group, not descending.

    Returns
    -------
    y
        Matrix of shape `(m, n)`; rows behind those of all groups are 0.
    """
    rows = relay.expand_dims(relay.arange(0, dims(x)[0], dtype="int64"), [1])
    is_behind = relay.greater_equal(rows, in_type(ends, "int64"))
    group = relay.sum(relay.cast(is_behind, "int64"), [1])
    counter = relay.expand_dims(relay.arange(0, dims(weights)[0], dtype="int64"), [1])
    is_own = relay.expand_dims(relay.equal(counter, group), [2])
    products = relay.matmul(relay.expand_dims(x, [0]), weights)
    return relay.sum(relay.where(is_own, products, scalar(0, x)), [0])


def grouped_product(node: Node) -> RelayExpr:
    """Multiply groups of rows by matrices, or batches of them."""
    x, other, ends = node.tensor(), node.tensor("mat2"), node.optional("offs")
    if node.get("bias") is not None:
        raise Refused("groups of rows with a bias")
    if (rank(x), rank(other)) == (3, 3) and ends is None:
        return in_type(relay.matmul(x, other), node.dtype)
    if (rank(x), rank(other)) != (2, 3) or ends is None:
        raise Refused("groups of columns")
    return in_type(product_of_groups(x, other, ends), node.dtype)


def product_of_experts(node: Node) -> RelayExpr:
    """Multiply groups of rows by matrices, as an operator of transformers does."""
    return product_of_groups(node.tensor("input"), node.tensor("weight"), node.tensor("offs"))


CONVERTERS: dict[str, Converter] = {
    "aten._grouped_mm.default": grouped_product,
    "aten.histc.default": histogram,
    "transformers.grouped_mm_fallback.default": product_of_experts,
}
