"""Rotary embeddings, and attention of groups of queries with caches, of `com.microsoft`."""

from __future__ import annotations

import numpy as np

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import dims, dims_of_rank, greatest, positive, rank, scalar, size_tensor
from ..node import Converter, Node, Outputs
from .attention import integer, with_heads
from .microsoft_attention import refuse_flags, refuse_inputs, side_by_side

__all__ = ["CONVERTERS"]


def rotary_embedding(node: Node) -> RelayExpr:
    """Rotate pairs of elements of heads by the angles of their places."""
    refuse_flags(node, ("is_packed_batching",))
    if node.attribute("scale", 1.0) != 1:
        raise Refused(f"`scale` {node.attribute('scale')}")
    x, heads = node.input(0), node.attribute("num_heads", 0)
    if node.attribute("rotary_embedding_dim", 0) and not heads:
        raise Refused("`rotary_embedding_dim` without `num_heads`")
    apart = with_heads(x, heads or head_count(x, node.input(2)))
    cos, sin = (angles(node.input(place), places_of(node, apart)) for place in (2, 3))
    y = rotated(node.bind(apart), cos, sin, node.flag("interleaved"))
    return y if rank(x) == 4 else side_by_side(y)


def head_count(x: RelayExpr, cache: RelayExpr) -> int:
    """Return how many heads a tensor has whose heads are rotated as wholes."""
    if rank(x) == 4:
        return integer(dims(x)[1], "heads")
    width, half = integer(dims(x)[2], "heads"), integer(dims_of_rank(cache, 2)[1], "the cache")
    if width % (2 * half):
        raise Refused(f"heads of {2 * half} elements in {width}")
    return width // (2 * half)


def places_of(node: Node, x: RelayExpr) -> RelayExpr:
    """Return the places of rows, of shape (n or 1, rows); one number is that of the first row."""
    given = node.input(1)
    if rank(given) == 2:
        return given
    dims_of_rank(given, 1)
    counter = relay.arange(0, dims(x)[2], dtype="int64")
    return relay.expand_dims(relay.add(counter, relay.reshape(given, [1])), [0])


def angles(cache: RelayExpr, places: RelayExpr) -> RelayExpr:
    """Return rows of a cache, of shape (n or 1, 1, rows, d / 2)."""
    dims_of_rank(cache, 2)
    return relay.expand_dims(relay.take(cache, places, 0), [1])


def rotated(x: RelayExpr, cos: RelayExpr, sin: RelayExpr, interleaved: bool) -> RelayExpr:
    """Rotate pairs of the first elements of heads.

    Parameters
    ----------
    x
        A tensor of shape `(n, heads, rows, d)`.
    cos
        Cosines of shape `(n or 1, 1, rows, r / 2)`, where `r` is at most `d`.
    sin
        The sines.
    interleaved
        Whether the elements of a pair are neighbors; otherwise `r / 2` elements lie between them.
    """
    n, heads, rows, width = dims(x)
    half = integer(dims(cos)[-1], "the cache")
    pairs = [n, heads, rows, half, 2] if interleaved else [n, heads, rows, 2, half]
    axis = 4 if interleaved else 3
    whole = x if width == 2 * half else relay.strided_slice(x, [0], [2 * half], axes=[3])
    apart = relay.reshape(whole, pairs, allowzero=True)
    real, imaginary = (
        relay.squeeze(relay.strided_slice(apart, [place], [place + 1], axes=[axis]), [axis])
        for place in (0, 1)
    )
    both = [
        relay.subtract(relay.multiply(real, cos), relay.multiply(imaginary, sin)),
        relay.add(relay.multiply(real, sin), relay.multiply(imaginary, cos)),
    ]
    joined = relay.concatenate([relay.expand_dims(one, [axis]) for one in both], axis)
    y = relay.reshape(joined, [n, heads, rows, 2 * half], allowzero=True)
    if width == 2 * half:
        return y
    rest = relay.strided_slice(x, [2 * half], [integer(width, "heads")], axes=[3])
    return relay.concatenate([y, rest], 3)


# Inputs and attributes of grouped queries that are refused.
GROUPED_INPUTS = {
    **{9: "position_ids", 11: "head_sink", 12: "k_scale", 13: "v_scale"},
    **{14: "q_norm_weight", 15: "k_norm_weight", 16: "query_seqlens"},
}
GROUPED_FLAGS = (
    *("k_quant_type", "kv_cache_bit_width", "qk_output", "sliding_window_cache"),
    *("smooth_softmax", "v_quant_type"),
)


def group_query_attention(node: Node) -> Outputs:
    """Attend to the keys of a cache and to new ones, which follow it; return both caches."""
    refuse_inputs(node, GROUPED_INPUTS)
    refuse_flags(node, GROUPED_FLAGS)
    query, key, value = queries_and_keys(node)
    rows = dims(query)[2]
    totals = relay.cast(relay.reshape(node.input(5), [-1, 1, 1, 1]), "int64")
    totals = relay.add(totals, scalar(1, totals))
    # How many keys of the cache precede the new ones, which fill it up in the first call.
    before = relay.subtract(totals, size_tensor(rows))
    before = node.bind(relay.maximum(before, scalar(0, before)))
    if node.flag("do_rotary"):
        places = relay.reshape(before, [-1, 1])
        places = node.bind(relay.add(places, relay.arange(0, rows, dtype="int64")))
        cos, sin = (angles(node.input(place), places) for place in (7, 8))
        is_interleaved = node.flag("rotary_interleaved")
        query = rotated(node.bind(query), cos, sin, is_interleaved)
        key = rotated(node.bind(key), cos, sin, is_interleaved)
    keys, values = (
        node.bind(cached(node, node.optional(place), x, before))
        for place, x in ((3, key), (4, value))
    )
    bias = grouped_bias(node, query, keys, before, totals)
    scale = node.attribute("scale") or integer(dims(query)[-1], "heads") ** -0.5
    softcap = node.attribute("softcap", 0.0)
    y = relay.attention(query, keys, values, bias, scale=scale, softcap=softcap)
    return [side_by_side(y), keys, values, None]


def queries_and_keys(node: Node) -> list[RelayExpr]:
    """Return queries, keys and values with heads apart, of one tensor or of three."""
    heads, key_heads = (
        positive(node.required(name), name) for name in ("num_heads", "kv_num_heads")
    )
    counts = [heads, key_heads, key_heads]
    if node.optional(1) is not None:
        parts = [node.input(place) for place in range(3)]
    else:
        width = integer(dims_of_rank(node.input(0), 3)[2], "heads")
        if width % sum(counts):
            raise Refused(f"{width} columns of {sum(counts)} heads")
        each = [count * (width // sum(counts)) for count in counts]
        both = node.bind(relay.split(node.input(0), each, -1))
        parts = [both[place] for place in range(3)]
    return [with_heads(part, count) for part, count in zip(parts, counts, strict=True)]


def cached(node: Node, past: RelayExpr | None, new: RelayExpr, before: RelayExpr) -> RelayExpr:
    """Return the first rows of a cache and the new ones behind them, as long as the input says.

    Parameters
    ----------
    node
        The node.
    past
        The cache of shape `(n, heads, past, d)`; None before the first call.
    new
        The new rows of shape `(n, heads, rows, d)`.
    before
        How many rows of the cache count, of shape `(n, 1, 1, 1)`; rows behind the new ones are 0.
    """
    if past is None:
        return new
    n, heads, rows, width = dims(new)
    length = dims_of_rank(past, 4)[2]
    total = greatest(node.dimension(6), length)
    counter = relay.reshape(relay.arange(0, total, dtype="int64"), [1, 1, -1, 1])
    behind = relay.subtract(counter, before)
    of_new = relay.add(behind, size_tensor(length))
    source = relay.where(relay.less(counter, before), counter, of_new)
    last = relay.subtract(size_tensor(length + rows), scalar(1, source))
    source = relay.broadcast_to(relay.minimum(source, last), [n, heads, total, width])
    joined = relay.concatenate([past, new], 2)
    found = relay.take_along_axis(joined, source, 2)
    return relay.where(relay.less(behind, size_tensor(rows)), found, scalar(0, new))


def grouped_bias(
    node: Node, query: RelayExpr, key: RelayExpr, before: RelayExpr, totals: RelayExpr
) -> RelayExpr:
    """Return the summands of scores: -inf for keys behind the query, or outside of its window."""
    window = node.attribute("local_window_size", -1)
    counter = relay.arange(0, dims(key)[2], dtype="int64")
    places = relay.reshape(relay.arange(0, dims(query)[2], dtype="int64"), [1, 1, -1, 1])
    places = relay.add(places, before)
    if node.flag("causal", True):
        allowed = relay.less_equal(counter, places)
    elif window > 0:
        raise Refused("`local_window_size` without `causal`")
    else:
        allowed = relay.less(counter, totals)
    if window > 0:
        first = relay.subtract(places, scalar(window, places))
        allowed = relay.logical_and(allowed, relay.greater(counter, first))
    bias = relay.where(allowed, scalar(0, query), scalar(-np.inf, query))
    given = node.optional(10)
    return bias if given is None else relay.add(bias, given)


CONVERTERS: dict[str, Converter] = {
    "GroupQueryAttention": group_query_attention,
    "RotaryEmbedding": rotary_embedding,
}
