"""Attention of the domain `com.microsoft`: masks, past keys and values, heads side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from uir_nodes.arith import Analyzer
from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, dims_of_rank, dtype_of, is_one, rank, scalar, size_tensor
from ..node import Converter, Node, Outputs
from .attention import integer, with_heads

__all__ = ["CONVERTERS", "refuse_flags", "refuse_inputs", "side_by_side"]

# The summand of scores of masked keys, unless the attribute has another one.
MASKED = -10000.0


def refuse_flags(node: Node, names: Sequence[str]) -> None:
    """Refuse a node that sets one of some attributes.

    Raises
    ------
    Refused
        If it does.
    """
    for name in names:
        if node.attribute(name, 0) not in (0, -1, b"NONE", "NONE"):
            raise Refused(f"`{name}` {node.attribute(name)}")


def refuse_inputs(node: Node, names: Mapping[int, str]) -> None:
    """Refuse a node that has one of some inputs, which have names.

    Raises
    ------
    Refused
        If it does.
    """
    for place, name in names.items():
        if node.optional(place) is not None:
            raise Refused(f"the input `{name}`")


def attention(node: Node) -> Outputs:
    """Project a tensor of shape (n, rows, d) to queries, keys and values, and attend to them."""
    refuse_flags(node, ("do_rotary", "past_present_share_buffer"))
    refuse_inputs(node, {6: "past_sequence_length"})
    query, key, value = projections(node)
    past = node.optional(4)
    if past is not None:
        key, value = (
            relay.concatenate([past_state(past, place), x], 2)
            for place, x in enumerate((key, value))
        )
    key, value = node.bind(key), node.bind(value)
    before = 0 if past is None else dims(past)[3]
    y = attended(node, query, key, value, mask=3, bias=5, before=before)
    if not node.has_output(1):
        return y
    return [y, relay.concatenate([relay.expand_dims(one, [0]) for one in (key, value)], 0)]


def projections(node: Node) -> list[RelayExpr]:
    """Return queries, keys and values of shape (n, heads, rows, d), by one product."""
    columns, bias = integer(dims_of_rank(node.input(1), 2)[1], "the projection"), node.optional(2)
    parts = node.attribute("qkv_hidden_sizes")
    if parts is None and columns % 3:
        raise Refused(f"{columns} columns of the projection, which are not 3 equal parts")
    if parts is not None and (len(parts) != 3 or sum(parts) != columns):
        raise Refused(f"`qkv_hidden_sizes` {list(parts)} of {columns} columns")
    y = relay.matmul(node.input(0), node.input(1))
    y = node.bind(y if bias is None else relay.add(y, bias))
    cut = node.bind(relay.split(y, list(parts or [columns // 3] * 3), -1))
    return [with_heads(cut[place], node.required("num_heads")) for place in range(3)]


def past_state(past: RelayExpr, place: int) -> RelayExpr:
    """Return keys (0) or values (1) of a tensor of shape (2, n, heads, past, d)."""
    dims_of_rank(past, 5)
    return relay.squeeze(past[place : place + 1], [0])


def multi_head_attention(node: Node) -> Outputs:
    """Attend to keys and values that are projected already, with their heads side by side."""
    refuse_inputs(node, {8: "past_sequence_length", 9: "cache_indirection"})
    if node.optional(1) is None or node.optional(2) is None or rank(node.input(0)) != 3:
        raise Refused("queries, keys or values that are packed in one tensor")
    biases = projection_biases(node)
    query, key, value = (
        with_heads(x if bias is None else relay.add(x, bias), node.required("num_heads"))
        for x, bias in zip((node.input(place) for place in range(3)), biases, strict=True)
    )
    past_key, past_value = node.optional(6), node.optional(7)
    if (past_key is None) != (past_value is None):
        raise Refused("past keys or values without the others")
    if past_key is not None and past_value is not None:
        key = relay.concatenate([past_key, key], 2)
        value = relay.concatenate([past_value, value], 2)
    key, value = node.bind(key), node.bind(value)
    before = 0 if past_key is None else dims(past_key)[2]
    y = attended(node, query, key, value, mask=4, bias=5, before=before)
    return [y, key, value, None]


def projection_biases(node: Node) -> list[RelayExpr | None]:
    """Return the biases of queries, keys and values; None for those that have none."""
    bias = node.optional(3)
    if bias is None:
        return [None] * 3
    if rank(node.input(1)) == 4:
        raise Refused("a bias of keys whose heads are apart")
    widths = [integer(dims_of_rank(node.input(place), 3)[2], "heads") for place in range(3)]
    both = node.bind(relay.split(bias, widths, 0))
    return [both[place] for place in range(3)]


def attended(
    node: Node,
    query: RelayExpr,
    key: RelayExpr,
    value: RelayExpr,
    mask: int,
    bias: int,
    before: Dim,
) -> RelayExpr:
    """Return the attention of queries over keys, with heads side by side.

    Parameters
    ----------
    node
        The node.
    query
        Queries of shape `(n, heads, rows, d)`.
    key
        Keys of shape `(n, heads, columns, d)`.
    value
        Values of shape `(n, heads, columns, e)`.
    mask
        The place of the input that masks keys.
    bias
        The place of the summands of scores.
    before
        How many past keys the first query follows.
    """
    summand = padding_bias(node, query, key, mask)
    given = node.optional(bias)
    if given is not None:
        summand = given if summand is None else relay.add(summand, given)
    if node.flag("unidirectional"):
        order = causal_bias(query, key, before)
        if summand is not None and order is not None:
            order = relay.add(summand, order)
        summand = summand if order is None else order
    scale = node.attribute("scale") or integer(dims(query)[-1], "heads") ** -0.5
    return side_by_side(relay.attention(query, key, value, summand, scale=scale))


def side_by_side(x: RelayExpr) -> RelayExpr:
    """Return a tensor of shape (n, heads, rows, d) as one of shape (n, rows, heads * d)."""
    n, heads, rows, width = dims(x)
    return relay.reshape(relay.transpose(x, [0, 2, 1, 3]), [n, rows, heads * width], allowzero=True)


def padding_bias(node: Node, query: RelayExpr, key: RelayExpr, place: int) -> RelayExpr | None:
    """Return 0 for the keys that a mask allows, and a large negative number for the others."""
    mask = node.optional(place)
    if mask is None:
        return None
    shape = dims_of_rank(mask, 1, 2, 3)
    if rank(mask) == 1:
        allowed = within_lengths(mask, dims(query)[0], dims(key)[2])
    else:
        between: list[Dim] = [1] * (4 - rank(mask))
        cut = [shape[0], *between, *shape[1:]]
        allowed = relay.greater(relay.reshape(mask, cut, allowzero=True), scalar(0, mask))
    filler = scalar(node.attribute("mask_filter_value", MASKED), query)
    return relay.where(allowed, scalar(0, query), filler)


def within_lengths(lengths: RelayExpr, batch: Dim, columns: Dim) -> RelayExpr:
    """Return which keys lie before the ends of the batch, and from its starts on if there are."""
    (count,) = dims(lengths)
    places = relay.arange(0, columns, dtype=dtype_of(lengths))
    if str(count) == str(batch):
        return relay.less(places, relay.reshape(lengths, [count, 1, 1, 1], allowzero=True))
    if not isinstance(count, int) or not isinstance(batch, int) or count != 2 * batch:
        raise Refused(f"a mask of {count} numbers for a batch of {batch}")
    ends, starts = (
        relay.reshape(lengths[place : place + batch], [batch, 1, 1, 1]) for place in (0, batch)
    )
    return relay.logical_and(relay.less(places, ends), relay.greater_equal(places, starts))


def causal_bias(query: RelayExpr, key: RelayExpr, before: Dim) -> RelayExpr | None:
    """Return 0 for keys up to the one of the query, and -inf for later ones.

    The first query belongs to the first key behind the past ones. In onnxruntime the last query
    sees all keys, so more keys than queries are refused, except for one query.

    Raises
    ------
    Refused
        If there may be keys behind the one of the last query.
    """
    rows, columns = dims(query)[2], dims(key)[2]
    if is_one(rows):
        return None
    fits = columns <= rows + before
    if not (fits if isinstance(fits, bool) else Analyzer().can_prove(fits)):
        raise Refused(f"`unidirectional` with {columns} keys for {rows} queries")
    down = relay.expand_dims(relay.arange(0, rows, dtype="int64"), [1])
    shifted = relay.subtract(relay.arange(0, columns, dtype="int64"), size_tensor(before, "int64"))
    allowed = relay.less_equal(shifted, down)
    bias = relay.where(allowed, scalar(0, query), scalar(-np.inf, query))
    return relay.expand_dims(bias, [0, 1])


CONVERTERS: dict[str, Converter] = {
    "Attention": attention,
    "MultiHeadAttention": multi_head_attention,
}
