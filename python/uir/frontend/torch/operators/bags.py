"""Sums, means and maxima of bags of rows of a table."""

from __future__ import annotations

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, dtype_of, in_type, scalar, widened
from ..node import Converter, Node, Outputs
from .indexing import from_front

__all__ = ["CONVERTERS"]

# Values of the argument `mode`.
SUM, MAXIMUM = 0, 2


def embedding_bag(node: Node) -> Outputs:
    """Reduce the rows of each bag; only the first of the four results is known.

    Bags begin at the places of `offsets`, and rows at `padding_idx` are in none. An empty bag is 0.
    """
    indices = in_type(node.tensor("indices"), "int64")
    rows = widened(relay.take(node.tensor("weight"), from_front(indices), 0))
    given = node.optional("per_sample_weights")
    if given is not None:
        rows = relay.multiply(rows, relay.expand_dims(in_type(given, dtype_of(rows)), [1]))
    starts = in_type(node.tensor("offsets"), "int64")
    places = relay.arange(0, dims(indices)[0], dtype="int64")
    begun = relay.less_equal(relay.expand_dims(starts, [1]), places)
    bags = relay.subtract(relay.sum(relay.cast(begun, "int64"), [0]), relay.const(1, "int64"))
    count = dims(starts)[0] - 1 if node.get("include_last_offset") else dims(starts)[0]
    is_kept = relay.not_equal(indices, scalar(padding(node), indices))
    result = reduced(rows, relay.expand_dims(is_kept, [1]), bags, count, node.get("mode"))
    return [in_type(result, dtype_of(node.tensor("weight"))), None, None, None]


def padding(node: Node) -> int:
    """Return the index of the rows that are in no bag; -1 for none.

    Raises
    ------
    Refused
        If it counts from the end.
    """
    index = int(node.get("padding_idx"))
    if index < -1:
        raise Refused("a negative `padding_idx`")
    return index


def reduced(
    rows: RelayExpr, is_kept: RelayExpr, bags: RelayExpr, count: Dim, mode: int
) -> RelayExpr:
    """Reduce the rows of each bag.

    Parameters
    ----------
    rows
        Matrix of shape `(m, n)`; floats.
    is_kept
        Whether a row counts: truth values of shape `(m, 1)`.
    bags
        The bag of each row: int64 of shape `(m,)`.
    count
        The number of bags.
    mode
        `SUM`, `MAXIMUM`, or another number for the mean.

    Returns
    -------
    y
        Matrix of shape `(count, n)`.
    """
    zero, places = scalar(0, rows), relay.expand_dims(bags, [1])
    neutral = scalar(float("-inf"), rows) if mode == MAXIMUM else zero
    start = relay.full(neutral, [count, dims(rows)[1]])
    reduction = "max" if mode == MAXIMUM else "add"
    found = relay.scatter_nd(
        start, places, relay.where(is_kept, rows, neutral), reduction=reduction
    )
    if mode == SUM:
        return found
    ones = in_type(is_kept, dtype_of(rows))
    sizes = relay.scatter_nd(relay.full(zero, [count, 1]), places, ones, reduction="add")
    if mode == MAXIMUM:
        return relay.where(relay.greater(sizes, zero), found, zero)
    return relay.divide(found, relay.maximum(sizes, scalar(1, rows)))


CONVERTERS: dict[str, Converter] = {
    "_embedding_bag.default": embedding_bag,
    "_embedding_bag_forward_only.default": embedding_bag,
}
